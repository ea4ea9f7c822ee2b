// The margin in the VAT return: of each vehicle, and over periods with the loss that is carried on.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dateInvoice, invoiceOn, setGarage } from '../../support/books/books.ts';
import { build } from '../../support/build/build.ts';
import { erase, invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds, vatcodes, marginmethods, vatperiods, purchaseproofs } = LISTS;
const { VEHICLE, TRADE_IN, DEPOSIT } = linekinds;
const { MARGIN } = vatcodes;
const [Q1, Q2, Q3, Q4] = [
  'from=2026-01-01&to=2026-03-31',
  'from=2026-04-01&to=2026-06-30',
  'from=2026-07-01&to=2026-09-30',
  'from=2026-10-01&to=2026-12-31',
] as const;

describe('the margin in the VAT return', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const sold = (at: string, price: number, line: Json = {}) =>
    invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code: MARGIN, purchase_price: 0, price, ...line }]);
  const bought = (at: string, price: number, line: Json = {}) =>
    invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code: MARGIN, price, ...line }], {
      order_type: ordertypes.VEHICLE_PURCHASE,
      purchase_proof: purchaseproofs.STATEMENT,
    });
  const read = async (days: string) => {
    const answer = await client.get(`/vatreturn?${days}`);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  /** Base and VAT of box 1a, the loss carried in, the margin, and the loss carried out. */
  const shown = async (days: string) => {
    const { '1a': box, margin } = await read(days);
    expect(margin.vat).to.equal(box.vat);
    return [box.base, box.vat, margin.carried_in, margin.margin, margin.carried_out];
  };
  const overQuarters = () =>
    setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.QUARTER });

  it('by vehicle counts only vehicles that were sold for more than they cost', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    await sold('2026-02-01', 10_950, { purchase_price: 8500 });
    await sold('2026-02-02', 5000, { purchase_price: 6000 });

    const { '1a': box, margin } = await read(Q1);

    // 21/121 of 2,450
    expect(box).to.deep.equal({ base: 2024.79, vat: 425.21 });
    expect(margin).to.deep.equal({
      sales: 15_950,
      purchases: 14_500,
      carried_in: 0,
      margin: 2450,
      vat: 425.21,
      carried_out: 0,
    });
  });

  it('by vehicle falls with a discount line, and disappears with the credit note', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    const vehicle = await build(client, 'vehicle');
    const car = { vehicle_id: vehicle.id, vat_code: MARGIN };
    const { id } = await invoiceOn(client, '2026-02-01', [
      { ...car, line_kind: VEHICLE, price: 10_950, purchase_price: 8500 },
      { ...car, price: -500 },
      { vat_code: MARGIN, line_kind: DEPOSIT, price: -1000, quantity: 1 },
    ]);
    expect(await shown(Q1)).to.deep.equal([1611.57, 338.43, 0, 1950, 0]);

    const credit = (await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-05-01');

    expect(await shown(Q2)).to.deep.equal([-1611.57, -338.43, 0, -1950, 0]);
  });

  it('by vehicle follows from its VAT if the purchase price is unknown, as on an imported line', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    const { orderline } = await sold('2026-02-01', 12_100, { purchase_price: 10_890 });
    await erase('orderline', orderline[0].id, 'purchase_price');

    expect(await shown(Q1)).to.deep.equal([1000, 210, 0, 1210, 0]);
    const { data } = await client.get(`/vatreturn/lines?box=1a&${Q1}`);
    expect(data[0]).to.include({ base: 1000, vat: 210 });
  });

  it('by vehicle falls by its VAT where a part of the price is credited, which names the whole cost', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    const vehicle = await build(client, 'vehicle');
    const car = { vehicle_id: vehicle.id, vat_code: MARGIN, line_kind: VEHICLE };
    const { id } = await invoiceOn(client, '2026-02-01', [{ ...car, price: 10_950, purchase_price: 8500 }]);
    const credit = (await client.post('/order/credit', { order_id: id })).data;
    await client.put(`/orderline/${credit.orderline[0].id}`, { price: 1095 });
    expect((await invoiceIt(client, credit.id)).data).to.include({ total_gross: -1095 });
    await dateInvoice(client, credit.id, '2026-05-01');

    // A tenth of 2,450 is 245, and 21/121 of 245 are 42.52.
    expect(await shown(Q2)).to.deep.equal([-202.48, -42.52, 0, -245, 0]);
    const { margin } = await read(Q2);
    expect(margin).to.include({ sales: -1095, purchases: -850 });
    const { data } = await client.get(`/vatreturn/lines?box=1a&${Q2}`);
    expect(data[0]).to.include({ base: -202.48, vat: -42.52 });
  });

  it('by vehicle falls with a credit note made by hand, and never below the margin of the invoice', async () => {
    await setGarage(client, { margin_method: marginmethods.INDIVIDUAL });
    const creditOnce = async (at: string, price: number) => {
      const { id, contact_id } = await sold('2026-02-01', 12_100, { purchase_price: 10_890 });
      await invoiceOn(client, at, [{ line_kind: VEHICLE, vat_code: MARGIN, price, quantity: -1 }], {
        ...{ order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id: id },
      });
    };

    await creditOnce('2026-05-01', 500);
    await creditOnce('2026-08-01', 12_100);
    await creditOnce('2026-11-01', 5000);

    // 21/121 of 500: a lower price lowers the margin. The whole margin is 1,210.
    expect(await shown(Q2)).to.deep.equal([-413.22, -86.78, 0, -500, 0]);
    expect(await shown(Q3)).to.deep.equal([-1000, -210, 0, -1210, 0]);
    expect(await shown(Q4)).to.deep.equal([-1000, -210, 0, -1210, 0]);
  });

  it('over periods is carried on to the next period if it is below 0', async () => {
    await overQuarters();
    await bought('2026-01-10', 100_000);
    await sold('2026-03-31', 150_000);
    await sold('2026-04-01', 100_000);
    await bought('2026-08-01', 90_000);
    await invoiceOn(client, '2026-08-02', [
      { price: 20_000 },
      { price: 10_000, quantity: -1, line_kind: TRADE_IN, vat_code: MARGIN },
    ]);
    await sold('2026-11-01', 70_000);

    expect(await shown(Q1)).to.deep.equal([41_322.31, 8677.69, 0, 50_000, 0]);
    expect(await shown(Q2)).to.deep.equal([82_644.63, 17_355.37, 0, 100_000, 0]);
    const { margin, '1a': third } = await read(Q3);
    const none = { sales: 0, purchases: 100_000, carried_in: 0, vat: 0 };
    expect(margin).to.deep.equal({ ...none, margin: -100_000, carried_out: 100_000 });
    expect(third).to.deep.equal({ base: 20_000, vat: 4200 });
    await bought('2026-12-01', 200_000);
    expect(await shown(Q4)).to.deep.equal([0, 0, 100_000, -130_000, 80_000]);
    const year = await read('from=2026-01-01&to=2026-12-31');
    const traded = { sales: 320_000, purchases: 400_000 };
    expect(year.margin).to.include({ ...traded, vat: 26_033.06, carried_out: 80_000 });
    for (const later of ['from=2027-01-01&to=2027-03-31', 'from=9999-10-01&to=9999-12-31'])
      expect((await read(later)).margin).to.include({ carried_in: 80_000, margin: 0, carried_out: 80_000 });
  });

  it('over periods stops counting the purchase of a car when the car is sold with VAT', async () => {
    await overQuarters();
    const { id: vehicle_id } = await build(client, 'vehicle');
    await bought('2026-01-10', 12_000, { vehicle_id });
    await sold('2026-02-01', 20_000);
    expect(await shown(Q1)).to.deep.equal([6611.57, 1388.43, 0, 8000, 0]);

    const sale = await sold('2026-05-01', 15_000, { vehicle_id, vat_code: vatcodes.HIGH });

    const { '1a': box, margin } = await read(Q2);
    // 21 % of 15,000, and 21/121 of 12,000
    expect(box).to.deep.equal({ base: 24_917.36, vat: 5232.64 });
    expect(margin).to.deep.equal({
      sales: 0,
      purchases: -12_000,
      carried_in: 0,
      margin: 12_000,
      vat: 2082.64,
      carried_out: 0,
    });
    expect((await read(Q1)).margin.purchases).to.equal(12_000);
    const credit = (await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 })).data;
    await dateInvoice(client, credit.id, '2026-08-01');
    expect((await read(Q3)).margin).to.include({ purchases: 12_000, margin: -12_000, carried_out: 12_000 });
  });

  it('over periods keeps a car out that is credited in part, until the rest is credited', async () => {
    await overQuarters();
    const { id: vehicle_id } = await build(client, 'vehicle');
    await bought('2026-01-10', 12_000, { vehicle_id });
    const car = { line_kind: VEHICLE, vehicle_id, vat_code: vatcodes.HIGH };
    const sale = await invoiceOn(client, '2026-02-01', [
      { ...car, price: 15_000 },
      { ...car, price: 500, quantity: -1 },
    ]);
    const credit = async (at: string, body: Json) => {
      const answer = await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1, ...body });
      await dateInvoice(client, answer.data.id, at);
    };

    await credit('2026-05-01', { orderline: [{ id: sale.orderline[0].id, quantity: 0.1 }] });
    await credit('2026-08-01', {});

    for (const [days, purchases] of [
      [Q1, 0],
      [Q2, 0],
      [Q3, 12_000],
    ] as const)
      expect((await read(days)).margin, days).to.include({ sales: 0, purchases });
  });

  it('over periods takes a car back by a credit note made by hand, which names no vehicle', async () => {
    await overQuarters();
    const { id: vehicle_id } = await build(client, 'vehicle');
    await bought('2026-01-10', 12_000, { vehicle_id });
    const car = { line_kind: VEHICLE, price: 15_000, vat_code: vatcodes.HIGH };
    const { id, contact_id } = await invoiceOn(client, '2026-05-01', [car], { vehicle_id });
    expect((await read(Q2)).margin.purchases).to.equal(-12_000);

    await invoiceOn(client, '2026-08-01', [{ ...car, quantity: -1 }], {
      ...{ order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id: id },
    });

    expect((await read(Q3)).margin.purchases).to.equal(12_000);
  });

  it('over periods stays quick over centuries without an invoice', async () => {
    await setGarage(client, { margin_method: marginmethods.GLOBAL, vat_period: vatperiods.MONTH });
    await bought('1000-01-15', 5000);
    await sold('2026-02-10', 7000);
    await sold('9999-12-31T23:30:00Z', 121);

    expect(await shown('from=2026-02-01&to=2026-02-28')).to.deep.equal([1652.89, 347.11, 5000, 7000, 0]);
    expect(await shown('from=1000-01-01&to=9999-12-31')).to.deep.equal([1752.89, 368.11, 0, 2121, 0]);
  });

  it('over periods does the same for a trade-in sold with VAT, but not for a car sold under the scheme', async () => {
    await overQuarters();
    const [traded, kept] = [await build(client, 'vehicle'), await build(client, 'vehicle')];
    await invoiceOn(client, '2026-01-05', [
      { price: 20_000 },
      { price: 4000, quantity: -1, line_kind: TRADE_IN, vat_code: MARGIN, vehicle_id: traded.id },
    ]);
    await bought('2026-01-10', 1000, { vehicle_id: kept.id });
    await sold('2026-02-01', 3000, { vehicle_id: kept.id });

    await sold('2026-04-10', 6000, { vehicle_id: traded.id, vat_code: vatcodes.HIGH });

    expect((await read(Q1)).margin).to.include({ sales: 3000, purchases: 5000, carried_out: 2000 });
    expect((await read(Q2)).margin).to.include({
      purchases: -4000,
      carried_in: 2000,
      carried_out: 0,
      vat: 347.11,
    });
  });

  it('needs the method once a line is under the scheme', async () => {
    expect((await client.get(`/vatreturn?${Q1}`)).status).to.equal(200);
    await sold('2026-02-01', 1000);

    const answer = await client.get(`/vatreturn?${Q1}`);

    expect(answer).to.be.refused(403, 'Field: [margin_method] is required and cannot be empty');
    expect(answer.body.errors[0]).to.include({ resource: 'owner', id: client.garage.owner });
    expect((await client.get('/vatreturn?from=2025-01-01&to=2025-12-31')).status).to.equal(200);
  });

  it('over periods is 0 before the first invoice', async () => {
    await overQuarters();
    await sold('2026-05-01', 1000);

    expect(await shown(Q1)).to.deep.equal([0, 0, 0, 0, 0]);
  });

  it('over periods accepts only whole periods of the garage', async () => {
    await setGarage(client, { margin_method: marginmethods.GLOBAL });
    expect(await client.get(`/vatreturn?${Q1}`)).to.be.refused(
      403,
      'Field: [vat_period] is required and cannot be empty',
    );

    await overQuarters();

    for (const path of ['/vatreturn?', '/vatreturn/lines?box=1a&']) {
      expect(await client.get(`${path}from=2026-02-01&to=2026-03-31`)).to.be.refused(
        400,
        'Parameter invalid [from] value must begin a vat_period',
      );
      expect(await client.get(`${path}from=2026-01-01&to=2026-04-30`)).to.be.refused(
        400,
        'Parameter invalid [to] value must end a vat_period',
      );
      const { body } = await client.get(`${path}from=2026-02-01&to=2026-04-30`);
      expect(body.errors.map(({ message, value }: Json) => [message, value])).to.deep.equal([
        ['Parameter invalid [from] value must begin a vat_period', 'QUARTER'],
        ['Parameter invalid [to] value must end a vat_period', 'QUARTER'],
      ]);
      expect((await client.get(`${path}from=2026-01-01&to=2026-12-31`)).status).to.equal(200);
    }
  });
});
