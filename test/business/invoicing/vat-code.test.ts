// VAT codes without VAT need a payer to whom they apply, and an invoice bears its date of supply.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { REVERSE_CHARGE, INTRA_COMMUNITY, EXPORT, HIGH } = LISTS.vatcodes;
const { VEHICLE_PURCHASE } = LISTS.ordertypes;

const GERMAN = { vat_number: 'DE136695976', postcode: '10115' };
const EMPTY = 'Field: [vat_number] is required and cannot be empty';
const OTHER_COUNTRY =
  'Field: [vat_number] has an invalid value: [NL000099998B57] for validation: [VAT number of another EU country]';
const INSIDE = 'Field: [vat_code] has an invalid value: [9] for validation: [country outside the EU]';

describe('a VAT code without VAT', () => {
  let client: Client;
  let countries: Record<string, number>;
  before(async () => {
    client = await newClient();
    const { data } = await client.get('/country?page_size=1000');
    countries = Object.fromEntries(data.map(({ code, id }: Json) => [code, id]));
  });

  async function orderFor(contact: Json, vat_code: number, more: Json = {}) {
    const { id: contact_id } = await buildBuyer(client, contact);
    const order = await build(client, 'order', { order_date: '2026-04-01', contact_id, ...more });
    await addLine(client, order.id, { vat_code });
    return { id: order.id, contact_id };
  }

  for (const vat_code of [REVERSE_CHARGE, INTRA_COMMUNITY])
    it(`${vat_code} needs the VAT number of the payer`, async () => {
      const { id, contact_id } = await orderFor({}, vat_code);

      const answer = await invoiceIt(client, id);

      expect(answer).to.be.refused(403, EMPTY);
      expect(answer.body.errors[0]).to.include({ field: 'vat_number', resource: 'contact', id: contact_id });
    });

  it('of a supply within the EU needs a VAT number of another EU country', async () => {
    const dutch = await orderFor({ vat_number: 'NL000099998B57' }, INTRA_COMMUNITY);
    const german = await orderFor({ ...GERMAN, country_id: countries.DE }, INTRA_COMMUNITY);

    expect(await invoiceIt(client, dutch.id)).to.be.refused(403, OTHER_COUNTRY);
    expect((await invoiceIt(client, german.id)).data).to.include({ total_vat: 0, total_gross: 100 });
  });

  it('of an export needs a payer outside the EU', async () => {
    const inside = await orderFor({ ...GERMAN, country_id: countries.DE }, EXPORT);
    const outside = await orderFor({ country_id: countries.NO, postcode: '0150' }, EXPORT);

    expect(await invoiceIt(client, inside.id)).to.be.refused(403, INSIDE);
    expect((await invoiceIt(client, outside.id)).status).to.equal(200);
  });

  it('is judged by the payer', async () => {
    const { id: invoice_contact_id } = await buildBuyer(client, { vat_number: 'NL000099998B57' });
    const { id } = await orderFor({}, REVERSE_CHARGE, { invoice_contact_id });

    expect((await invoiceIt(client, id)).status).to.equal(200);
  });

  it('is not judged on a purchase: the seller chooses it', async () => {
    const { id: vehicle_id } = await build(client, 'vehicle');
    const { id } = await orderFor({}, REVERSE_CHARGE, {
      order_type: VEHICLE_PURCHASE,
      purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE,
      supplier_invoice_number: '117',
      vehicle_id,
    });

    expect((await invoiceIt(client, id)).status).to.equal(200);
  });
});

describe('the date of supply', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('is the date of supply of the order, or else the invoice date, never the order date', async () => {
    const buyer = await buildBuyer(client);
    const supplied = { order_date: '2026-04-01', contact_id: buyer.id };
    const orders = [
      await build(client, 'order', { ...supplied, supply_date: '2026-04-03' }),
      await build(client, 'order', supplied),
    ];
    for (const { id } of orders) await addLine(client, id, { vat_code: HIGH });

    const [given, empty] = await Promise.all(
      orders.map(async ({ id }) => (await invoiceIt(client, id)).data),
    );

    expect(given.supply_date).to.equal('2026-04-03T00:00:00.000Z');
    expect(empty.supply_date).to.equal(empty.invoice_date);
  });
});
