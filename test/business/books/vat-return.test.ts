// GET /vatreturn and GET /icp: each box from invoices of a period, with amounts computed by hand.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { countries, dateInvoice, invoiceOn } from '../../support/books/books.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported } from '../../support/client/export.ts';
import { eInvoices } from '../../support/files/e-invoice.ts';

const { ordertypes, linekinds, vatcodes, contactkinds } = LISTS;
const { LOW, ZERO, EXEMPT, REVERSE_CHARGE, OUTSIDE, INTRA_COMMUNITY, EXPORT } = vatcodes;
const QUARTER = 'from=2026-01-01&to=2026-03-31';

describe('the VAT return', () => {
  let client: Client;
  let abroad: { de: number; ch: number };
  before(async () => {
    abroad = await countries();
  });
  beforeEach(async () => {
    client = await newClient();
  });

  const firm = (country_id: number, vat_number: string) =>
    buildBuyer(client, {
      contact_kind: contactkinds.COMPANY,
      company_name: 'Firma',
      country_id,
      vat_number,
      postcode: '3511 AB',
    });
  const dutch = () => firm(1, 'NL004495445B01');
  const german = () => firm(abroad.de, 'DE136695976');
  const swiss = () => firm(abroad.ch, 'CHE123456788');
  const sold = (lines: Json[], order: Json = {}, at = '2026-02-10') => invoiceOn(client, at, lines, order);
  const bought = (lines: Json[], order: Json = {}) =>
    sold(lines, { order_type: ordertypes.VEHICLE_PURCHASE, ...PROOF, ...order });
  const read = async (days = QUARTER) => {
    const answer = await client.get(`/vatreturn?${days}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  /** The boxes that are not empty, as [base, VAT]. */
  const filled = async (days = QUARTER) => {
    const { margin: _, warnings: __, ...boxes } = await read(days);
    const pairs = Object.entries(boxes as Record<string, { base: number; vat: number }>)
      .filter(([, { base, vat }]) => base !== 0 || vat !== 0)
      .map(([box, { base, vat }]) => [box, [base, vat]]);
    return Object.fromEntries(pairs);
  };
  /** The fields that a purchase from a supplier needs. */
  const PROOF = { purchase_proof: LISTS.purchaseproofs.SUPPLIER_INVOICE };

  it('has the VAT that stands on the invoices, rounded once for each code', async () => {
    await sold([
      ...Array.from({ length: 3 }, () => ({ price: 0.07 })),
      { price: 10.05, vat_code: LOW },
      { price: 500, vat_code: EXEMPT },
      { price: 500, vat_code: OUTSIDE },
    ]);

    // 21 % of 0.21 is 0.04. Rounded for each 0.07 it would be 0.03.
    expect(await filled()).to.deep.equal({ '1a': [0.21, 0.04], '1b': [10.05, 0.9], '5a': [10.26, 0.94] });
  });

  it('sorts sales without VAT into boxes by code and country of the buyer', async () => {
    await sold([{ price: 1, vat_code: ZERO }]);
    await sold([{ price: 20, vat_code: REVERSE_CHARGE }], { contact_id: (await dutch()).id });
    await sold(
      [
        { price: 300, vat_code: REVERSE_CHARGE },
        { price: 4000, vat_code: INTRA_COMMUNITY },
      ],
      {
        contact_id: (await german()).id,
      },
    );
    await sold([{ price: 50_000, vat_code: EXPORT }], { contact_id: (await swiss()).id });

    expect(await filled()).to.deep.equal({
      '1e': [21, 0],
      '3a': [50_000, 0],
      '3b': [4300, 0],
      '5a': [54_321, 0],
    });
  });

  it('uses the country on the invoice, not the current country', async () => {
    const buyer = await german();
    await sold([{ price: 300, vat_code: REVERSE_CHARGE }], { contact_id: buyer.id });

    await client.put(`/contact/${buyer.id}`, { country_id: 1, postcode: '3511 AB', vat_number: null });

    expect(await filled()).to.deep.equal({ '3b': [300, 0], '5a': [300, 0] });
    expect((await client.get(`/icp?${QUARTER}`)).data).to.deep.equal([
      { country_code: 'DE', vat_number: 'DE136695976', number: '136695976', goods: 300, services: 0 },
    ]);
  });

  it('counts a credit note with the number and the country of its invoice, which it corrects', async () => {
    const buyer = await german();
    const lines = [{ price: 300, vat_code: REVERSE_CHARGE }];
    const wrong = await sold(lines, { contact_id: buyer.id });
    await client.put(`/contact/${buyer.id}`, {
      country_id: 1,
      postcode: '3511 AB',
      vat_number: 'NL004495445B01',
    });

    const credit = (await client.post('/order/credit', { order_id: wrong.id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-02-20');

    expect(await filled()).to.deep.equal({});
    const { data } = await client.get(`/icp?${QUARTER}`);
    expect(data.map(({ vat_number, goods }: Json) => [vat_number, goods])).to.deep.equal([
      ['DE136695976', 0],
    ]);
    const { invoiceparty } = (await client.get(`/order/${credit.id}?expand=invoiceparty`)).data;
    expect(invoiceparty[0].buyer.vat_number).to.equal('DE136695976');
  });

  it('makes an e-invoice of a credit note also if the buyer has no number any more', async () => {
    const buyer = await german();
    const lines = [{ price: 300, vat_code: REVERSE_CHARGE }];
    const sale = await sold(lines, { contact_id: buyer.id, buyer_reference: 'R-1' });
    await client.put(`/contact/${buyer.id}`, { vat_number: null });
    const credit = (await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 })).data;

    const [xml = ''] = (await eInvoices(client, { order_ids: [credit.id] })).values();

    expect(String(xml)).to.include('>DE136695976<');
  });

  it('leaves services to buyers outside the EU out of all boxes, and warns', async () => {
    await sold([{ price: 300, vat_code: REVERSE_CHARGE }], { contact_id: (await swiss()).id });

    const { warnings } = await read();

    expect(await filled()).to.deep.equal({});
    expect(warnings.map(({ code }: Json) => code)).to.deep.equal([
      'boxes_by_hand',
      'vehicles_only',
      'reverse_charge_outside_eu',
    ]);
  });

  it('deducts the VAT of purchases, and the VAT that the garage itself owes', async () => {
    await bought([{ price: 1000 }, { price: 100, vat_code: LOW }], { supplier_invoice_number: '1' });
    await bought(
      [
        { price: 10.05, vat_code: REVERSE_CHARGE },
        { price: 0.07, vat_code: REVERSE_CHARGE },
      ],
      {
        contact_id: (await dutch()).id,
        supplier_invoice_number: '2',
      },
    );
    await bought([{ price: 2000, vat_code: REVERSE_CHARGE }], {
      contact_id: (await german()).id,
      supplier_invoice_number: '3',
    });
    await bought([{ price: 3000, vat_code: REVERSE_CHARGE }], {
      contact_id: (await swiss()).id,
      supplier_invoice_number: '4',
    });

    expect(await filled()).to.deep.equal({
      // 21 % of 10.12
      '2a': [10.12, 2.13],
      '4a': [3000, 630],
      '4b': [2000, 420],
      '5a': [5010.12, 1052.13],
      '5b': [6110.12, 1271.13],
    });
  });

  it('counts a trade-in with VAT as a purchase, not as a part of the sale', async () => {
    await sold([{ price: 10_000 }, { price: 2000, quantity: -1, line_kind: linekinds.TRADE_IN }]);

    expect(await filled()).to.deep.equal({
      '1a': [10_000, 2100],
      '5a': [10_000, 2100],
      '5b': [2000, 420],
    });
  });

  it('subtracts a credit note in the period of the credit note', async () => {
    const { id } = await sold([{ price: 100 }]);
    const credit = (await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-04-02');

    expect(await filled()).to.deep.equal({ '1a': [100, 21], '5a': [100, 21] });
    expect(await filled('from=2026-04-01&to=2026-06-30')).to.deep.equal({
      '1a': [-100, -21],
      '5a': [-100, -21],
    });
    expect(await filled('from=2026-01-01&to=2026-12-31')).to.deep.equal({});
  });

  it('counts a sale that names a purchase as credited: only a credit note takes it back', async () => {
    const group = await build(client, 'turnovergroup', {
      ledger_account: '8000',
      cost_ledger_account: '7000',
    });
    const of = { turnover_group_id: group.id };
    const purchase = await bought([{ ...of, price: 1000 }], { supplier_invoice_number: '1' });
    const { id, contact_id } = await sold([{ ...of, price: 100 }], { credited_order_id: purchase.id });

    expect(await filled()).to.deep.equal({ '1a': [100, 21], '5a': [100, 21], '5b': [1000, 210] });
    expect((await client.get('/vatreturn/lines?box=1a&from=2026-01-01&to=2026-12-31')).data).to.have.length(
      1,
    );
    const { data: debtors } = await client.get('/debtor');
    expect(debtors.map((debtor: Json) => [debtor.contact_id, debtor.total])).to.deep.equal([
      [contact_id, 121],
    ]);
    const { text } = await exported(client, { resource: 'journal', from: '2026-01-01', to: '2026-12-31' });
    expect(text).to.include(`,sales,order/${id},1300,`);
  });

  it('counts days in the timezone of the garage', async () => {
    await sold([{ price: 1 }], {}, '2025-12-31T22:59:59.999Z');
    await sold([{ price: 10 }], {}, '2025-12-31T23:00:00Z');
    await sold([{ price: 100 }], {}, '2026-03-31T21:59:59.999Z');
    await sold([{ price: 1000 }], {}, '2026-03-31T22:00:00Z');

    expect(await filled()).to.deep.equal({ '1a': [110, 23.1], '5a': [110, 23.1] });
  });

  it('lists supplies to the EU by buyer: labour is a service, other lines are goods', async () => {
    const [one, other] = [await german(), await german()];
    await sold([{ price: 300, vat_code: REVERSE_CHARGE, line_kind: linekinds.LABOUR }], {
      contact_id: one.id,
    });
    await sold([{ price: 4000, vat_code: INTRA_COMMUNITY }], { contact_id: other.id });
    const greek = await firm(abroad.de, 'EL123456783');
    await sold([{ price: 7, vat_code: REVERSE_CHARGE }], { contact_id: greek.id });

    const { data } = await client.get(`/icp?${QUARTER}`);

    expect(data).to.deep.equal([
      { country_code: 'DE', vat_number: 'DE136695976', number: '136695976', goods: 4000, services: 300 },
      { country_code: 'EL', vat_number: 'EL123456783', number: '123456783', goods: 7, services: 0 },
    ]);
    expect((await filled())['3b']).to.deep.equal([4307, 0]);
  });

  it('refuses invalid days, and days in the wrong order', async () => {
    for (const path of ['/vatreturn', '/icp', '/vatreturn/lines']) {
      const box = path === '/vatreturn/lines' ? 'box=1a&' : '';
      const ask = (query: string) => client.get(`${path}?${box}${query}`);
      expect(await ask('from=2026-02-30&to=2026-03-31')).to.be.refused(
        403,
        'Field: [from] has an invalid value: [2026-02-30] for datatype: timestamp(ISO 8601)',
      );
      expect(await ask('from=2026-01-01&to=2026-01-31T10:00')).to.be.refused(
        403,
        'Field: [to] has an invalid value: [2026-01-31T10:00] for datatype: timestamp(ISO 8601)',
      );
      expect(await ask('from=2026-04-01&to=2026-03-31')).to.be.refused(
        400,
        'Parameter invalid [to] value must not be before from',
      );
      expect(await ask('from=2026-04-01')).to.be.refused(400, 'These parameter(s): [to] are required');
      expect(await ask('from=2026-01-01&to=2026-01-01')).to.have.property('status', 200);
    }
  });

  it('is shown to an ADMIN and a key with the permission, for their own garage only', async () => {
    await sold([{ price: 100 }]);
    const { owner } = client.garage;
    const other = await newClient();

    for (const path of ['/vatreturn', '/vatreturn/lines', '/icp'])
      for (const role of ['USER', 'READONLY'] as const) {
        const user = await newClient({ owner, role });
        expect(await user.get(`${path}?${QUARTER}`)).to.be.refused(
          403,
          `Endpoint: [GET ${path}] is not allowed for this user`,
        );
      }
    const barred = await newClient({ owner, allow: ['GET /vatreturn'] });
    expect((await barred.get(`/vatreturn?${QUARTER}`)).status).to.equal(200);
    expect(await barred.get(`/icp?${QUARTER}`)).to.be.refused(
      403,
      'Endpoint: [GET /icp] is not allowed for this api_key',
    );
    expect((await other.get(`/vatreturn?${QUARTER}`)).data['5a']).to.deep.equal({ base: 0, vat: 0 });
  });
});
