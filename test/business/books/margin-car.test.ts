// Cars in the margin over periods: each acquisition leaves the purchases once, and BPM counts when the car is sold.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dateInvoice, invoiceOn, setFirstRegime, setGarage } from '../../support/books/books.ts';
import { build } from '../../support/build/build.ts';
import { erase } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const { VEHICLE, TRADE_IN } = linekinds;
const { MARGIN, HIGH, EXPORT } = vatcodes;
const [Q1, Q2, Q3, Q4] = [
  'from=2026-01-01&to=2026-03-31',
  'from=2026-04-01&to=2026-06-30',
  'from=2026-07-01&to=2026-09-30',
  'from=2026-10-01&to=2026-12-31',
] as const;

describe('a car in the margin over periods', () => {
  let client: Client;
  let vehicle_id: number;
  beforeEach(async () => {
    client = await newClient();
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.QUARTER });
    vehicle_id = (await build(client, 'vehicle')).id;
  });

  const sold = (at: string, price: number, vat_code: number = MARGIN, order: Json = {}, line: Json = {}) =>
    invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code, price, vehicle_id, ...line }], order);
  const bought = (at: string, price: number, vat_code: number = MARGIN) =>
    invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code, price, vehicle_id }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.SUPPLIER_INVOICE,
      supplier_invoice_number: `${at} ${price}`,
    });
  /** A sale of 20,000 with VAT, and the car as trade-in. */
  const tradedIn = (at: string, price: number) =>
    invoiceOn(client, at, [
      { price: 20_000 },
      { price, quantity: -1, line_kind: TRADE_IN, vat_code: MARGIN, vehicle_id },
    ]);
  const credit = async (at: string, { id }: Json) => {
    const answer = await client.post('/order/credit', { order_id: id, is_invoiced: 1 });
    expect(answer.status, answer.text).to.equal(201);
    await dateInvoice(client, answer.data.id, at);
  };
  const exported = async (at: string, price: number) => {
    const countries = await client.get('/country?filter=code:CH');
    const buyer = { country_id: countries.data[0].id, street: 'Gasse', huisnummer: 1, postcode: '8001' };
    const { id } = await build(client, 'contact', { ...buyer, city: 'Zürich', last_name: 'Meier' });
    return sold(at, price, EXPORT, { contact_id: id });
  };
  const marginOf = async (days: string) => {
    const { status, text, data } = await client.get(`/vatreturn?${days}`);
    expect(status, text).to.equal(200);
    return data.margin;
  };
  /** The purchases of each quarter. */
  const purchases = async (): Promise<number[]> => {
    const found: number[] = [];
    for (const days of [Q1, Q2, Q3, Q4]) found.push((await marginOf(days)).purchases);
    return found;
  };

  it('that was sold with VAT does not leave again when its purchase is credited', async () => {
    const purchase = await bought('2026-01-10', 5000);
    await sold('2026-04-10', 7000, HIGH);

    await credit('2026-07-10', purchase);

    expect(await purchases()).to.deep.equal([5000, -5000, 0, 0]);
  });

  it('that was traded in and sold with VAT does not leave again when the sale that took it is credited', async () => {
    const sale = await tradedIn('2026-01-10', 2500);
    await sold('2026-04-10', 4000, HIGH);

    await credit('2026-07-10', sale);

    expect(await purchases()).to.deep.equal([2500, -2500, 0, 0]);
  });

  it('that was bought twice leaves by each acquisition once', async () => {
    const first = await tradedIn('2026-01-10', 629.76);
    await sold('2026-02-10', 1000);
    await bought('2026-04-10', 13_882.5);
    await exported('2026-07-10', 15_000);

    await credit('2026-10-10', first);

    expect(await purchases()).to.deep.equal([629.76, 13_882.5, -13_882.5, -629.76]);
  });

  it('that was bought twice while in stock leaves by the acquisition that stood there', async () => {
    const first = await bought('2026-01-10', 5000);
    await bought('2026-01-11', 5500);
    await sold('2026-04-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([10_500, -5500, 0, 0]);
    await credit('2026-07-10', first);
    expect(await purchases()).to.deep.equal([10_500, -5500, -5000, 0]);
  });

  it('leaves by the acquisition before, if the one that stood in stock was credited', async () => {
    await bought('2026-01-10', 5000);
    const second = await bought('2026-01-11', 5500);
    await credit('2026-04-10', second);

    await sold('2026-07-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([10_500, -5500, -5000, 0]);
  });

  it('leaves by the acquisition that stood in stock, also if a later purchase has an older invoice', async () => {
    await bought('2026-01-10', 5000);
    await sold('2026-04-10', 7000, HIGH);
    const second = await bought('2026-07-10', 5500);
    await dateInvoice(client, second.id, '2026-07-10', '2026-02-10');

    await sold('2026-10-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([10_500, -5000, 0, -5500]);
  });

  it('does not come back with its sale if its purchase was credited meanwhile', async () => {
    const purchase = await bought('2026-01-10', 5000);
    const sale = await sold('2026-04-10', 7000, HIGH);
    await credit('2026-07-10', purchase);

    await credit('2026-10-10', sale);

    expect(await purchases()).to.deep.equal([5000, -5000, 0, 0]);
  });

  it('comes back with its sale while the garage has it again by another purchase', async () => {
    await bought('2026-01-10', 5000);
    const sale = await sold('2026-04-10', 7000, HIGH);
    await bought('2026-07-10', 5500);

    await credit('2026-07-11', sale);
    await sold('2026-10-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([5000, -5000, 10_500, -5500]);
  });

  it('that was bought with VAT before its sale takes no older acquisition out', async () => {
    await bought('2026-01-10', 5000);
    await bought('2026-01-11', 5500, HIGH);

    await sold('2026-04-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([5000, 0, 0, 0]);
  });

  it('that was sold under the scheme is no part of a later sale with VAT', async () => {
    await bought('2026-01-10', 5000);
    await sold('2026-01-11', 6000);
    await client.put(`/vehicle/${vehicle_id}`, { stock_status: LISTS.stockstatuses.STOCK });

    await sold('2026-04-10', 7000, HIGH);

    expect(await purchases()).to.deep.equal([5000, 0, 0, 0]);
  });

  it('comes back by a credit note made by hand, which names no line of a car', async () => {
    await bought('2026-01-10', 5000);
    const { id, contact_id } = await sold('2026-04-10', 7000, HIGH);

    await invoiceOn(client, '2026-07-10', [{ price: 7000, quantity: -1 }], {
      ...{ order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id: id },
    });

    expect(await purchases()).to.deep.equal([5000, -5000, 5000, 0]);
  });

  it('counts its BPM when it is sold under the scheme, as it was then', async () => {
    await bought('2026-01-10', 10_000);
    await client.put(`/vehicle/${vehicle_id}`, { bpm_paid: 1000 });
    const sale = await sold('2026-04-10', 15_000);
    await client.put(`/vehicle/${vehicle_id}`, { bpm_paid: 3000, purchase_price: 1 });

    // Of 5,000 less the loss of 10,000 that the first quarter carried on.
    expect(await marginOf(Q2)).to.deep.equal({
      ...{ sales: 15_000, purchases: 1000, margin: 14_000 },
      ...{ carried_in: 10_000, vat: 694.21, carried_out: 0 },
    });
    expect(sale.orderline[0]).to.include({ purchase_price: 11_000, bpm_paid: 1000 });
    await credit('2026-07-10', sale);
    expect(await purchases()).to.deep.equal([10_000, 1000, -1000, 0]);
    expect((await marginOf(Q3)).sales).to.equal(-15_000);
  });

  it('gives its BPM back if its sale was counted by itself', async () => {
    await setFirstRegime(client, { margin_method: marginmethods.INDIVIDUAL });
    await client.post('/vatregime', { valid_from: '2026-07-01', margin_method: marginmethods.GLOBAL });
    await client.put(`/vehicle/${vehicle_id}`, { purchase_price: 8000, bpm_paid: 1000 });
    const sale = await sold('2026-04-10', 10_000);
    await credit('2026-07-10', sale);
    await sold('2026-10-10', 10_000);

    // The first sale bears 173.55, and nothing is left of the other two invoices.
    expect((await marginOf(Q2)).vat).to.equal(173.55);
    expect(await marginOf(Q3)).to.include({ sales: -10_000, purchases: -1000 });
    expect(await marginOf(Q4)).to.include({ sales: 10_000, purchases: 1000, carried_in: 9000, vat: 0 });
  });

  it('counts its BPM without a purchase of this service, and no BPM when it is sold with VAT', async () => {
    await client.put(`/vehicle/${vehicle_id}`, { purchase_price: 10_000, bpm_paid: 1000 });
    await sold('2026-04-10', 15_000);
    await client.put(`/vehicle/${vehicle_id}`, { stock_status: LISTS.stockstatuses.STOCK });
    await sold('2026-07-10', 15_000, HIGH);

    expect(await purchases()).to.deep.equal([0, 1000, 0, 0]);
  });

  it('counts its BPM on an invoice of a process of the release before, too', async () => {
    await bought('2026-01-10', 10_000);
    await client.put(`/vehicle/${vehicle_id}`, { bpm_paid: 1000 });
    const { id, orderline } = await sold('2026-04-10', 15_000);
    await erase('orderline', orderline[0].id, 'bpm_paid');
    await erase('order', id, 'book_date');

    expect(await purchases()).to.deep.equal([10_000, 1000, 0, 0]);
  });

  for (const [cost, bpm] of [
    [10_000, 0],
    [10_400, 400],
    [20_000, 1000],
  ] as const)
    it(`that cost ${cost} by its line counts ${bpm} of 1,000 BPM`, async () => {
      await bought('2026-01-10', 10_000);
      await client.put(`/vehicle/${vehicle_id}`, { bpm_paid: 1000 });

      await sold('2026-04-10', 15_000, MARGIN, {}, { purchase_price: cost });

      expect(await purchases()).to.deep.equal([10_000, bpm, 0, 0]);
    });
});
