// Documents from end to end: requested, made in a real thread, called back over HTTPS, downloaded. An attempt that dies
// or is taken over leaves no double record.
import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LISTS } from '../../../../src/core/trade/lists.ts';
import documentGeneration from '../../../../workers/document-generation.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { addLine } from '../../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { execute } from '../../../support/database/sql.ts';
import { readPdf, readPictures } from '../../../support/files/pdf.ts';
import { pngOf } from '../../../support/files/picture.ts';
import { openReceiver, type Receiver } from '../../../support/process/https-receiver.ts';
import { heldGeneration } from '../../../support/service/job.ts';
import { database, inStorage } from '../../../support/service/service.ts';
import { removeUnusedFiles } from '../../../support/service/tidy.ts';

const program = promisify(execFile);
const { communicationtypes, documenttypes, documentkinds, vatcodes } = LISTS;
const INDEX_HEADER =
  'order_id,order_number,invoice_number,document_id,file,size,sha256,contact_id,contact,license_plate';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

describe('generating documents', () => {
  let client: Client;
  let receiver: Receiver;
  let folder: string;
  let contact_id: number;
  let vehicle: { id: number; license_plate: string };
  before(async () => {
    client = await newClient();
    receiver = await openReceiver();
    folder = await mkdtemp(join(tmpdir(), 'forecourt-documents-'));
    contact_id = (await buildBuyer(client, { last_name: '=HYPERLINK("x")' })).id;
    vehicle = await build(client, 'vehicle');
  });
  after(async () => {
    await receiver.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('makes, stores and records one PDF for each order, and puts them in a zip with an index', async () => {
    const orders = [
      await buildInvoice(client, { contact_id, vehicle_id: vehicle.id }),
      await buildInvoice(client, { contact_id }),
    ];
    const order_ids = orders.map(({ id }) => id);

    const zip = await generated({ document_type: documenttypes.INVOICE, order_ids });

    const names = orders.map(({ invoice_number }) => `factuur-${invoice_number}.pdf`);
    expect(await zip.names()).to.deep.equal([...names, 'index.csv']);
    const records = await recordsOf(order_ids);
    for (const [index, record] of records.entries()) {
      const bytes = await zip.bytes(names[index] ?? '');
      expect(record).to.include({
        document_kind: documentkinds.INVOICE,
        ...{ name: `Factuur ${orders[index].invoice_number}`, file_name: names[index] },
        ...{ mime_type: 'application/pdf', size: bytes.length, sha256: sha256(bytes) },
        ...{ order_id: order_ids[index], contact_id, vehicle_id: index === 0 ? vehicle.id : null },
      });
      expect((await client.get(`/document/info?id=${record.id}`)).status).to.equal(200);
    }
    const rows = orders.map((order, index) => [
      ...[order.id, order.order_number, order.invoice_number, records[index].id, names[index]],
      ...[records[index].size, records[index].sha256, contact_id, `"'=HYPERLINK(""x"")"`],
      index === 0 ? vehicle.license_plate : '',
    ]);
    const csv = [INDEX_HEADER, ...rows.map((row) => row.join(',')), ''].join('\r\n');
    expect((await zip.bytes('index.csv')).toString()).to.equal(csv);
  });

  it('prints seller, buyer and vehicle of the day of the invoice', async () => {
    const buyer = await buildBuyer(client, { last_name: 'Vroeger' });
    const car = await build(client, 'vehicle', { license_plate: 'GB-001-B', make: 'Volvo', mileage: 81234 });
    const { id, total_gross } = await buildInvoice(client, { contact_id: buyer.id, vehicle_id: car.id });
    await client.put(`/contact/${buyer.id}`, { last_name: 'Later', street: 'Nieuwe Weg' });
    await client.put('/updatelicenseplate', { id: car.id, license_plate: 'GB-002-B' });
    await client.put(`/vehicle/${car.id}`, { make: 'Lancia', mileage: 99999 });
    await client.put(`/owner/${client.garage.owner}`, { name: 'Garage Nieuw' });

    const { text } = await document({ document_type: documenttypes.INVOICE, order_ids: [id] });

    for (const shown of ['Garage Test', 'Vroeger', 'Lindelaan 7', 'GB-001-B', 'Volvo', '81.234'])
      expect(text).to.include(shown);
    for (const shown of ['Garage Nieuw', 'Later', 'Nieuwe Weg', 'GB-002-B', 'Lancia', '99.999'])
      expect(text).not.to.include(shown);
    expect(total_gross).to.equal(121);
    expect(text).to.include('€ 121,00');
  });

  it('shows no purchase price and no margin', async () => {
    const secrets = {
      description: 'Occasion',
      purchase_price: 7777.77,
      price: 12_950,
      vat_code: vatcodes.MARGIN,
    };
    const { id } = await buildInvoice(client, { contact_id }, secrets);
    const [line] = (await client.get(`/order/${id}?expand=orderline`)).data.orderline;

    // These types do not print the lines of a sale.
    const { UBL, PURCHASE_STATEMENT, REMINDER } = documenttypes;
    const without: number[] = [UBL, PURCHASE_STATEMENT, REMINDER];
    const onPaper = Object.values(documenttypes).filter((type) => !without.includes(type));
    for (const document_type of onPaper) {
      const { text } = await document({ document_type, order_ids: [id] });
      expect(line.margin_vat).to.equal(897.66);
      expect(text).not.to.match(/7\.?777|897|marge.*897/);
    }
  });

  it('shows the current lines of an order that is not invoiced', async () => {
    const english = await buildBuyer(client, { language: 'en' });
    const { id } = await build(client, 'order', { contact_id: english.id, description: 'Squeaking brakes' });
    await addLine(client, id, { description: 'Brake pads' });

    const { text } = await document({ document_type: documenttypes.QUOTATION, order_ids: [id, id] });

    for (const shown of ['Quotation', 'Squeaking brakes', 'Brake pads', '€ 121.00'])
      expect(text).to.include(shown);
    expect(await recordsOf([id])).to.have.length(1);
  });

  it('makes the same files and no double records in a second attempt', async () => {
    const order = await build(client, 'order', { contact_id });
    await addLine(client, order.id);
    const task = await attempt(order.id);
    const first = await documentGeneration(task);

    const taken = await documentGeneration({ ...task, fence: task.fence + 1 });
    await execute(database(), 'UPDATE jobs SET fence = fence + 1 WHERE id = ?', [task.job]);
    const second = await documentGeneration({ ...task, fence: task.fence + 1 });

    expect(taken).to.deep.equal({ ok: false, message: 'The job was cancelled or taken over' });
    expect([first.ok, second.ok]).to.deep.equal([true, true]);
    const records = await recordsOf([order.id]);
    expect(records).to.have.length(1);
    const zip = await unpack(await readFile(inStorage('archives', task.archive)));
    expect(
      createHash('sha256')
        .update(await zip.bytes(records[0].file_name))
        .digest('hex'),
    ).to.equal(records[0].sha256);
  });

  it('is the same record as long as it prints the same, also where two jobs make it at once', async () => {
    // Jobs that never end take the turns of their garage.
    const garage = await newClient();
    const { id } = await build(garage, 'order');
    await addLine(garage, id);
    const tasks = await Promise.all([1, 2, 3, 4].map(() => attempt(id, garage)));

    const results = await Promise.all(tasks.map((task) => documentGeneration(task)));
    const [first] = await recordsOf([id], garage);
    await garage.put(`/document/${first.id}`, { external_id: 'K-1', notes: 'Getekend' });
    await garage.put(`/order/${id}`, { remarks_internal: 'Not printed' });
    await documentGeneration(await attempt(id, garage));
    const same = await recordsOf([id], garage);
    await garage.put(`/order/${id}`, { description: 'Printed' });
    await documentGeneration(await attempt(id, garage));

    expect(results.map(({ ok }) => ok)).to.deep.equal([true, true, true, true]);
    expect(same.map(({ id: of }: Json) => of)).to.deep.equal([first.id]);
    expect(await recordsOf([id], garage)).to.have.length(2);
  });

  it('shows the vehicle of today while the order is no invoice', async () => {
    const car = await build(client, 'vehicle', { license_plate: 'GB-011-B', make: 'Volvo' });
    const { id } = await build(client, 'order', { contact_id, vehicle_id: car.id });
    await addLine(client, id);
    await client.put('/updatelicenseplate', { id: car.id, license_plate: 'GB-012-B' });

    for (const document_type of [documenttypes.WORK_ORDER, documenttypes.ORDER_CONFIRMATION])
      expect((await document({ document_type, order_ids: [id] })).text).to.match(/GB-012-B/);
  });

  it("shows the customer's telephone numbers to the workshop, mobile ones first", async () => {
    const customer = await buildBuyer(client);
    const call = (communication_type: number, value: string) =>
      build(client, 'contactcommunication', { contact_id: customer.id, communication_type, value });
    await call(communicationtypes.PHONE, '+31 30 765 4321');
    await call(communicationtypes.MOBILE, '+31 6 1234 5678');
    await call(communicationtypes.EMAIL, 'a@example.com');
    const { id } = await build(client, 'order', { contact_id: customer.id });
    await addLine(client, id);

    const { text } = await document({ document_type: documenttypes.WORK_ORDER, order_ids: [id] });

    expect(text).to.match(/Telefoon \+31 6 1234 5678 .*\+31 30 765 4321/);
    expect(text).not.to.include('a@example.com');
  });

  it('has the logo and the colour that the garage has when the job runs, and no other garage has', async () => {
    const [garage, other] = [await newClient(), await newClient()];
    const pictures = async (of: Client) => {
      const buyer = await buildBuyer(of);
      const { id } = await buildInvoice(of, { contact_id: buyer.id });
      const task = await attempt(id, of);
      expect(await documentGeneration({ ...task, document_type: documenttypes.INVOICE })).to.include({
        ok: true,
      });
      const zip = await unpack(await readFile(inStorage('archives', task.archive)));
      return readPictures(await zip.bytes((await zip.names())[0] ?? ''), 'generated-logo');
    };
    const put = (logo: string | null) => garage.put(`/owner/${garage.garage.owner}`, { logo });

    await put(pngOf(300, 90).toString('base64'));
    const first = await pictures(garage);
    await put(pngOf(1800, 90).toString('base64'));
    const second = await pictures(garage);
    await put(null);

    expect(first).to.deep.equal([[300, 90, 'rgb']]);
    expect(second).to.deep.equal([[600, 30, 'rgb']]);
    expect(await pictures(garage)).to.deep.equal([]);
    expect(await pictures(other)).to.deep.equal([]);
  });

  it('fails, and records nothing, if an order is gone', async () => {
    const order = await build(client, 'order', { contact_id });
    const task = await attempt(order.id);

    const result = await documentGeneration({ ...task, order_ids: [order.id, 999_999_999] });

    expect(result).to.deep.equal({ ok: false, message: 'Order: [999999999] not found' });
    expect(await recordsOf([order.id])).to.deep.equal([]);
  });

  it('leaves no file of an attempt that failed', async () => {
    const order = await build(client, 'order', { contact_id, description: `Only here ${randomUUID()}` });
    const files = () => readdir(inStorage('documents'));
    await removeUnusedFiles();
    const before = await files();

    await documentGeneration({ ...(await attempt(order.id)), order_ids: [order.id, 999_999_999] });
    const meanwhile = await files();
    await removeUnusedFiles();

    expect(meanwhile).to.have.length(before.length + 1);
    expect(await files()).to.have.members(before);
  });

  /** Asks for documents, waits for the callback, and downloads the zip. */
  async function generated(asked: Json) {
    const calls = receiver.requests.length;
    const answer = await client.post('/document/generate', { ...asked, webhook_url: receiver.url('/hook') });
    expect(answer.status, answer.text).to.equal(202);
    await receiver.waitFor(calls + 1);
    const secret = new URL(receiver.requests[calls]?.url ?? '', 'https://localhost').searchParams.get('id');
    const { data } = await client.get(`/webhook?id=${secret}`);
    expect(data).to.include({ status: 'done' });
    return unpack(Buffer.from(await (await fetch(data.url)).arrayBuffer()));
  }

  /** The one document of a request. */
  async function document(asked: Json) {
    const zip = await generated(asked);
    const [name = ''] = await zip.names();
    return readPdf(await zip.bytes(name), `generated-${asked.document_type}`);
  }

  async function unpack(bytes: Buffer) {
    const file = join(folder, `${randomUUID()}.zip`);
    await writeFile(file, bytes);
    await program('unzip', ['-tq', file]);
    return {
      names: async () => (await program('unzip', ['-Z1', file])).stdout.trim().split('\n'),
      bytes: async (name: string) =>
        (await program('unzip', ['-p', file, name], { encoding: 'buffer', maxBuffer: 2 ** 26 })).stdout,
    };
  }

  const recordsOf = async (orders: readonly number[], of = client) =>
    (await of.get(`/document?filter=order_id[in]:${orders.join('|')}&sort=order_id`)).data;

  const attempt = (order: number, of = client) =>
    heldGeneration(of, { document_type: documenttypes.WORK_ORDER, order_ids: [order] }, receiver.url());
});
