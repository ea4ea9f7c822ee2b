// Refusals of e-invoices by POST /document/generate: the format, orders that are no invoices, and missing data.
import { LISTS } from '../../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../../support/build/build.ts';
import { type Answer, type Client, type Json, newClient } from '../../../support/client/client.ts';
import { expect } from '../../../support/client/expect.ts';
import { messages } from '../../../support/client/resources.ts';
import { execute } from '../../../support/database/sql.ts';
import { askForEInvoices as ask } from '../../../support/files/e-invoice.ts';
import { database } from '../../../support/service/service.ts';

const { documenttypes, ordertypes, vatcodes } = LISTS;
/** What a garage must say about itself; by Peppol also its address there. */
const SELLER = [
  ...['legal_name', 'street', 'huisnummer', 'postcode', 'city', 'vat_number', 'kvk_number', 'iban'],
  'peppol_id',
];
const empty = (field: string) => `Field: [${field}] is required and cannot be empty`;
/** Field, resource and ID of each entry of `errors`. */
const entries = ({ body }: Answer) =>
  body.errors.map(({ code, field, resource, id }: Json) => [code, resource, id, field].join(' '));

describe('POST /document/generate of e-invoices', () => {
  let client: Client;
  let owner: number;
  before(async () => {
    client = await newClient();
    owner = client.garage.owner;
  });

  it('knows two formats, and no format of other types', async () => {
    const { id } = await buildInvoice(client, { reference: 'PO-1' });
    const invalid = (value: string, validation: string) =>
      `Field: [format] has an invalid value: [${value}] for validation: [${validation}]`;

    for (const format of ['nlcius', null])
      expect((await ask(client, { order_ids: [id], format })).status).to.equal(202);
    for (const format of ['PEPPOL', '', 'toString'])
      expect(await ask(client, { order_ids: [id], format })).to.be.refused(
        403,
        invalid(format, 'nlcius,peppol'),
      );
    const paper = { document_type: documenttypes.INVOICE, order_ids: [id] };
    expect(await client.post('/document/generate', { ...paper, format: 'peppol' })).to.be.refused(
      403,
      invalid('peppol', 'document_type 6'),
    );
    expect((await client.post('/document/generate', { ...paper, format: null })).status).to.equal(202);
    expect(await ask(client, { order_ids: [id], format: 7 })).to.be.refused(
      403,
      'Field: [format] has an invalid value: [7] for datatype: varchar',
    );
  });

  it('takes invoices only, and none of another garage', async () => {
    const order = await build(client, 'order');
    const theirs = await buildInvoice(await newClient(), { reference: 'PO-1' });

    expect(await ask(client, { order_ids: [order.id] })).to.be.refused(
      403,
      `Field: [order_ids] has an invalid value: [${order.id}] for validation: [invoiced order]`,
    );
    expect(await ask(client, { order_ids: [theirs.id] })).to.be.refused(
      404,
      `Field: [order_ids] value: [${theirs.id}] ID not found`,
    );
  });

  it('names all that is missing, each once and with its record, and starts no job', async () => {
    const bare = await newClient();
    const { owner } = bare.garage;
    await put(bare, `/owner/${owner}`, Object.fromEntries(SELLER.map((field) => [field, null])));
    const buyer = await buildBuyer(bare);
    const shifted = await buildInvoice(bare, { contact_id: buyer.id });
    // Invoicing refuses such an order today.
    await execute(database(), 'UPDATE orderlines SET vat_code = ? WHERE order_id = ?', [
      vatcodes.REVERSE_CHARGE,
      shifted.id,
    ]);
    const other = await buildInvoice(bare, {
      contact_id: buyer.id,
      reference: ' ',
      buyer_reference: '\u0001',
    });

    const answer = await ask(bare, { order_ids: [shifted.id, other.id], format: 'peppol' });

    expect(answer).to.be.refused(403, empty('street'));
    expect(entries(answer)).to.deep.equal([
      ...SELLER.slice(1).map((field) => `field_empty owner ${owner} ${field}`),
      `field_empty contact ${buyer.id} vat_number`,
      `field_empty contact ${buyer.id} peppol_id`,
      `field_empty order ${shifted.id} buyer_reference`,
      `field_empty order ${other.id} buyer_reference`,
    ]);
    expect((await bare.get('/job')).data).to.deep.equal([]);
  });

  it('asks for the lines of an old invoice, and for the invoice of an old credit note', async () => {
    const bare = await buildInvoice(client, { reference: 'PO-1' });
    await execute(database(), 'DELETE FROM orderlines WHERE order_id = ?', [bare.id]);
    const credited = await buildInvoice(client, { reference: 'PO-1' });
    await execute(database(), 'UPDATE orders SET order_type = ? WHERE id = ?', [
      ordertypes.INTERNAL_REVERSAL,
      credited.id,
    ]);

    const answer = await ask(client, { order_ids: [bare.id, credited.id], format: 'nlcius' });

    expect(answer).to.be.refused(403, 'Field: [orderline] minimum 1 element is required in array');
    expect(entries(answer)).to.deep.equal([
      `array_empty order ${bare.id} orderline`,
      `field_empty order ${credited.id} credited_order_id`,
    ]);
  });

  it('asks for less in the format nlcius, and takes a reference in place of a buyer_reference', async () => {
    const buyer = await buildBuyer(client);
    const orders = [
      await buildInvoice(client, { contact_id: buyer.id, reference: 'PO-1' }),
      await buildInvoice(client, { contact_id: buyer.id, buyer_reference: 'KP-7' }),
    ];

    const order_ids = orders.map(({ id }) => id);
    expect((await ask(client, { order_ids })).status).to.equal(202);
    expect(entries(await ask(client, { order_ids, format: 'peppol' }))).to.deep.equal([
      `field_empty contact ${buyer.id} peppol_id`,
    ]);
  });

  it('judges the data that the invoice shows, not those of today', async () => {
    const garage = await newClient();
    const buyer = await buildBuyer(garage);
    const before = await buildInvoice(garage, { contact_id: buyer.id, reference: 'PO-1' });
    await put(garage, `/contact/${buyer.id}`, { street: null });
    await put(garage, `/owner/${garage.garage.owner}`, { iban: null, city: ' ' });
    expect((await ask(garage, { order_ids: [before.id] })).status).to.equal(202);

    const after = await buildInvoice(garage, { reference: 'PO-1' });
    await put(garage, `/owner/${garage.garage.owner}`, { iban: 'NL91ABNA0417164300', city: 'Utrecht' });

    const missing = ['city', 'iban'].map((field) => `field_empty owner ${garage.garage.owner} ${field}`);
    expect(entries(await ask(garage, { order_ids: [before.id, after.id] }))).to.deep.equal(missing);
  });

  it('asks for the address and the name of the buyer too', async () => {
    const { id, contact_id } = await buildInvoice(client, { reference: 'PO-1' });
    const blank = { company_name: ' ', last_name: null, first_name: '', street: ' ', city: null };
    await execute(
      database(),
      'UPDATE invoiceparties SET buyer = JSON_MERGE_PATCH(buyer, ?) WHERE order_id = ?',
      [JSON.stringify(blank), id],
    );

    const missing = ['last_name', 'street', 'city'].map(
      (field) => `field_empty contact ${contact_id} ${field}`,
    );
    expect(entries(await ask(client, { order_ids: [id] }))).to.deep.equal(missing);
  });

  it('checks addresses on the network when they are stored', async () => {
    const { id } = await buildBuyer(client);
    const invalid = (value: string) =>
      `Field: [peppol_id] has an invalid value: [${value}] for validation: [peppol_id]`;

    for (const path of [`/contact/${id}`, `/owner/${owner}`])
      expect(messages(await client.put(path, { peppol_id: '0106:1' }))).to.deep.equal([invalid('0106:1')]);
    expect((await client.put(`/contact/${id}`, { peppol_id: ' 0106:12345678 ' })).data.peppol_id).to.equal(
      '0106:12345678',
    );
  });
});

async function put(client: Client, path: string, body: Json) {
  const answer = await client.put(path, body);
  expect(answer.status, answer.text).to.equal(200);
}
