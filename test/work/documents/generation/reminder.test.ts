// Reminders: which invoices one may name, what the letter says, and that it is counted once, also when its job runs
// again.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import documentGeneration from '../../../../workers/document-generation.ts';
import { invoiceOn } from '../../../support/books/books.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { orderIn } from '../../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { execute } from '../../../support/database/sql.ts';
import { readPdf } from '../../../support/files/pdf.ts';
import { bytesOf, textOf } from '../../../support/files/zip.ts';
import { finished, heldGeneration } from '../../../support/service/job.ts';
import { database, inStorage } from '../../../support/service/service.ts';

const { documenttypes, documentkinds, contactkinds, vatcodes, orderstatuses } = LISTS;
const document_type = documenttypes.REMINDER;

describe('a reminder', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const ask = (...order_ids: number[]) => client.post('/document/generate', { document_type, order_ids });
  /** An invoice without VAT that was due in 2026. */
  const late = (contact_id: number, price: number, order: Json = {}) =>
    invoiceOn(client, '2026-01-01', [{ price, vat_code: vatcodes.OUTSIDE }], { contact_id, ...order });
  const refused = (id: number, why: string) =>
    `Field: [order_ids] has an invalid value: [${id}] for validation: [${why}]`;
  /** The letter of a request, read. */
  const letter = async (name: string, ...order_ids: number[]) => {
    const answer = await ask(...order_ids);
    expect(answer.status, answer.text).to.equal(202);
    const { url } = await finished(client, answer.data.job_id);
    const { index, file, bytes } = await letterIn(/\/files\/([^?]+)/.exec(String(url))?.[1] ?? '');
    return { index, file, ...(await readPdf(bytes, name)) };
  };
  const letterIn = async (archive: string) => {
    const zip = inStorage('archives', archive);
    const index = await textOf(zip, 'index.csv');
    const file = index.split('\r\n')[1]?.split(',')[4] ?? '';
    return { index, file, bytes: await bytesOf(zip, file) };
  };

  it('to a person gives fourteen days from the day after delivery, and names the exact costs', async () => {
    const { id } = await buildBuyer(client, { first_name: 'Zoë' });
    const [one, other] = [await late(id, 200), await late(id, 150)];
    await build(client, 'payment', { order_id: other.id, amount: 50, paid_at: '2026-02-01', method: 2 });

    const { text, index, info } = await letter('reminder-person', one.id, other.id);

    expect(text).to.include(
      'binnen veertien dagen, te rekenen vanaf de dag nadat deze brief bij u is bezorgd',
    );
    expect(text).to.include('het bedrag van € 300,00');
    // 15 % of 300
    expect(text).to.match(
      /incassokosten verschuldigd \(artikel 6:96 .* is dat € 45,00\. Wij brengen daarover geen btw/,
    );
    expect(text).to.match(new RegExp(`${one.invoice_number} 1 januari 2026 15 januari 2026 200,00 200,00`));
    expect(text).to.match(new RegExp(`${other.invoice_number} 1 januari 2026 15 januari 2026 150,00 100,00`));
    expect(text).to.include(`onder vermelding van ${one.invoice_number}, ${other.invoice_number}.`);
    expect(info.get('Title')).to.match(/^Betalingsherinnering \d{4}-\d\d-\d\d$/);
    expect(
      index
        .split('\r\n')
        .slice(1, 3)
        .map((row) => row.split(',')[0]),
    ).to.deep.equal([`${one.id}`, `${other.id}`]);
  });

  it('to a company is plain, in the language of the contact and at its address of today', async () => {
    const company = { contact_kind: contactkinds.COMPANY, company_name: 'Lease & Co', language: 'en' };
    const { id } = await buildBuyer(client, company);
    const order = await late(id, 1210);
    await client.put(`/contact/${id}`, { street: 'Nieuwe Gracht' });

    const { text } = await letter('reminder-company', order.id);

    expect(text).to.include('Payment reminder');
    expect(text).to.include('We ask you to pay € 1,210.00 as soon as possible');
    expect(text).to.include('Nieuwe Gracht 7');
    expect(text).not.to.match(/fourteen|collection costs/);
  });

  it('goes to the name for print, and to the attention of a person at a company without one', async () => {
    const person = await buildBuyer(client, { last_name: 'محمد', print_name: 'Mohammed Ali' });
    const names = { contact_kind: contactkinds.COMPANY, first_name: 'Anna', last_name: 'Kok' };
    const foreign = await buildBuyer(client, { ...names, company_name: '東京', print_name: 'Tokyo Cars' });
    const company = await buildBuyer(client, { ...names, company_name: 'Lease & Co' });
    const textOfLetter = async ({ id }: Json, name: string) =>
      (await letter(name, (await late(Number(id), 100)).id)).text;

    const toPerson = await textOfLetter(person, 'reminder-print-name');
    expect(toPerson).to.include('Mohammed Ali').and.to.include('veertien dagen');
    const toForeign = await textOfLetter(foreign, 'reminder-print-name-company');
    expect(toForeign)
      .to.include('Tokyo Cars')
      .and.not.to.match(/Kok|veertien dagen|incassokosten/);
    expect(await textOfLetter(company, 'reminder-attention')).to.match(/Lease & Co .*t\.a\.v\. Anna Kok/);
  });

  it('is refused where no document can print the name of the payer, and fails where the name changed since', async () => {
    const { id } = await buildBuyer(client);
    const order = await late(id, 100);
    const task = await heldGeneration(client, { document_type, order_ids: [order.id] });
    await client.put(`/contact/${id}`, { last_name: 'محمد' });

    const refusal = await ask(order.id);

    expect(refusal).to.be.refused(
      403,
      'Field: [last_name] has an invalid value: [محمد] for validation: [printable]',
    );
    expect(refusal.body.errors[0]).to.include({ resource: 'contact', id });
    expect(await documentGeneration(task)).to.deep.equal({
      ok: false,
      message: `Order: [${order.id}] was paid or changed while its reminder was made`,
    });
    await client.put(`/contact/${id}`, { print_name: 'Mohammed' });
    expect((await letter('reminder-renamed', order.id)).text).to.include('Mohammed');
  });

  it('has costs by the legal scale', async () => {
    const { id } = await buildBuyer(client);
    const costs: [debt: number, costs: string][] = [
      [100, '40,00'],
      [300, '45,00'],
      [2500, '375,00'],
      [7500, '750,00'],
      [300_000, '3.275,00'],
    ];
    for (const [debt, amount] of costs) {
      const { text } = await letter(`reminder-${debt}`, (await late(id, debt)).id);
      expect(text).to.include(`is dat € ${amount}.`);
    }
  });

  it('is one document of the payer, and counted on each order', async () => {
    const { id } = await buildBuyer(client);
    const [one, other] = [await late(id, 100), await late(id, 100)];
    expect(one).to.include({ reminded_at: null, reminder_count: 0 });

    const { file } = await letter('reminder-count', one.id, other.id);
    await letter('reminder-count', other.id);

    const orders = (await client.get('/order?sort=id')).data;
    expect(orders.map(({ reminder_count }: Json) => reminder_count)).to.deep.equal([1, 2]);
    expect(orders[1].reminded_at > orders[0].reminded_at).to.equal(true);
    const [document, ...more] = (await client.get(`/document?filter=order_id:${one.id}`)).data;
    expect(more).to.deep.equal([]);
    expect(document).to.include({ document_kind: documentkinds.REMINDER, contact_id: id, file_name: file });
  });

  it('is refused with each order that does not fit', async () => {
    const [payer, other] = [await buildBuyer(client), await buildBuyer(client)];
    const order = await late(payer.id, 100);
    const paid = await late(payer.id, 100);
    await build(client, 'payment', { order_id: paid.id, amount: 100, paid_at: '2026-02-01', method: 2 });
    const purchase = await late(payer.id, 100, {
      order_type: LISTS.ordertypes.VEHICLE_PURCHASE,
      purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
      supplier_invoice_number: '1',
    });

    expect(await ask(order.id, 999_999)).to.be.refused(
      404,
      'Field: [order_ids] value: [999999] ID not found',
    );
    const misfits: [order: Json, why: string][] = [
      [await orderIn(client, orderstatuses.READY, { contact_id: payer.id }), 'invoiced order'],
      [await late(other.id, 100), 'one payer'],
      [await buildInvoice(client, { contact_id: payer.id }), 'in default'],
      [paid, 'in default'],
      [purchase, 'in default'],
    ];
    for (const [misfit, why] of misfits)
      expect(await ask(order.id, Number(misfit.id))).to.be.refused(403, refused(Number(misfit.id), why));
    await client.put(`/contact/${payer.id}`, { is_without_reminders: 1 });
    expect(await ask(order.id)).to.be.refused(403, refused(order.id, 'no reminders'));
    const body = { document_type, order_ids: [order.id] };
    const text = `Field: [order_ids] value: [${order.id}] ID not found`;
    expect(await (await newClient()).post('/document/generate', body)).to.be.refused(404, text);
  });

  it('goes by the payer, where somebody else pays', async () => {
    const [driver, lease] = [await buildBuyer(client), await buildBuyer(client, { last_name: 'Lease' })];
    const order = await late(driver.id, 100, { invoice_contact_id: lease.id });

    const { text } = await letter('reminder-payer', order.id);

    expect(text).to.match(/Lease/);
    expect(text).not.to.match(/de Boer/);
  });

  it('is not made, nor counted, where an invoice was paid after the request', async () => {
    const { id } = await buildBuyer(client);
    const order = await late(id, 100);
    const task = await heldGeneration(client, { document_type, order_ids: [order.id] });
    await build(client, 'payment', { order_id: order.id, amount: 100, paid_at: '2026-02-01', method: 2 });

    const result = await documentGeneration(task);

    expect(result).to.deep.equal({
      ok: false,
      message: `Order: [${order.id}] was paid or changed while its reminder was made`,
    });
    expect((await client.get(`/order/${order.id}`)).data.reminder_count).to.equal(0);
  });

  it('is counted once, and is the same letter, where its job runs again', async () => {
    const { id } = await buildBuyer(client);
    const order = await late(id, 100);
    const task = await heldGeneration(client, { document_type, order_ids: [order.id] });

    const run = async () => {
      expect(await documentGeneration(task)).to.include({ ok: true });
      return letterIn(task.archive);
    };
    const [first, second] = [await run(), await run()];

    expect(second).to.deep.equal(first);
    expect((await client.get(`/order/${order.id}`)).data.reminder_count).to.equal(1);
    expect((await client.get('/document')).data).to.have.length(1);
  });

  it('counts nothing for an attempt that lost its job', async () => {
    const { id } = await buildBuyer(client);
    const order = await late(id, 100);
    const task = await heldGeneration(client, { document_type, order_ids: [order.id] });
    await execute(database(), 'UPDATE jobs SET fence = 2 WHERE id = ?', [task.job]);

    const result = await documentGeneration(task);

    expect(result).to.include({ ok: false, message: 'The job was cancelled or taken over' });
    expect((await client.get(`/order/${order.id}`)).data.reminder_count).to.equal(0);
    expect((await client.get('/document')).data).to.deep.equal([]);
  });
});
