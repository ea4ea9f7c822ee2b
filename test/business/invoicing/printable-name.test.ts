// Names on invoices: what the documents' font can't print is refused, and a name for print helps.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { invoiceIt, orderIn, read } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { ORDER, INVOICE } = LISTS.orderstatuses;
const ARABIC = 'محمد';
const unprintable = (field: string, value = ARABIC) =>
  `Field: [${field}] has an invalid value: [${value}] for validation: [printable]`;

describe('the name on an invoice', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it("is refused if documents can't print it; the error names field and contact", async () => {
    const buyer = await buildBuyer(client, { first_name: '王', last_name: ARABIC });
    const { id } = await orderIn(client, ORDER, { contact_id: buyer.id });

    const refused = await invoiceIt(client, id);

    expect(refused).to.be.refused(403, unprintable('first_name', '王'));
    expect(
      refused.body.errors.map(({ message, resource, id: of }: Json) => [message, resource, of]),
    ).to.deep.equal([
      [unprintable('first_name', '王'), 'contact', buyer.id],
      [unprintable('last_name'), 'contact', buyer.id],
    ]);
    expect((await read(client, id)).order_status).to.equal(ORDER);
  });

  it('is judged for the contact and the payer', async () => {
    const contact = await buildBuyer(client, { prefix: 'بن' });
    const payer = await buildBuyer(client, {
      contact_kind: LISTS.contactkinds.COMPANY,
      company_name: 'شركة',
    });
    const { id } = await orderIn(client, ORDER, { contact_id: contact.id, invoice_contact_id: payer.id });

    const { body } = await invoiceIt(client, id);

    expect(body.errors.map(({ field, id: of }: Json) => [field, of])).to.deep.equal([
      ['prefix', contact.id],
      ['company_name', payer.id],
    ]);
  });

  it('may have the letters of European languages and Vietnamese', async () => {
    for (const last_name of ['Żółćiński', 'Nguyễn', 'Παπαδόπουλος', 'Щербаков', 'Çelik']) {
      const buyer = await buildBuyer(client, { last_name });
      const { id } = await orderIn(client, ORDER, { contact_id: buyer.id });

      expect((await invoiceIt(client, id)).status, last_name).to.equal(200);
    }
  });

  it('is the name for print, which stays with the invoice', async () => {
    const buyer = await buildBuyer(client, { last_name: ARABIC, print_name: 'Mohammed' });
    const { id } = await orderIn(client, INVOICE, { contact_id: buyer.id });
    await client.put(`/contact/${buyer.id}`, { print_name: 'Muhammad' });

    const [party] = await select(database(), 'SELECT buyer, driver FROM invoiceparties WHERE order_id = ?', [
      id,
    ]);

    expect(JSON.parse(String(party?.buyer))).to.include({ print_name: 'Mohammed', last_name: ARABIC });
    expect(party?.driver).to.equal(null);
  });

  it('includes the name of the contact if another contact pays', async () => {
    const contact = await buildBuyer(client, { first_name: 'Jan', last_name: 'Jansen' });
    const payer = await buildBuyer(client);
    const { id } = await orderIn(client, INVOICE, { contact_id: contact.id, invoice_contact_id: payer.id });
    await client.put(`/contact/${contact.id}`, { last_name: 'Later' });

    const [party] = await select(database(), 'SELECT driver FROM invoiceparties WHERE order_id = ?', [id]);

    expect(party?.driver).to.equal('Jan Jansen');
  });

  it('for print is itself printable, and can be emptied', async () => {
    const { id } = await buildBuyer(client, { print_name: 'Mohammed' });

    const refused = await client.put(`/contact/${id}`, { print_name: ARABIC });
    const blank = await client.put(`/contact/${id}`, { print_name: '\u200b' });
    const emptied = await client.put(`/contact/${id}`, { print_name: null });

    expect(refused).to.be.refused(403, unprintable('print_name'));
    expect(blank.status).to.equal(403);
    expect(emptied.status).to.equal(200);
    expect(emptied.data.print_name).to.equal(null);
  });

  it('is not judged on imported invoices', async () => {
    await buildBuyer(client, { last_name: ARABIC, external_id: 'K' });
    const old = {
      external_id: 'O-1',
      order_type: LISTS.ordertypes.WORKSHOP,
      order_date: '2019-03-01',
      invoice_number: '201900042',
      invoice_date: '2019-03-04T10:00:00Z',
      contact_external_id: 'K',
      orderline: [{ line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 }],
    };

    const { rows } = await importJson(client, 'resource=order&mode=upsert&history=1', [old]);

    expect(rows[0]).to.include({ status: 'created' });
  });
});
