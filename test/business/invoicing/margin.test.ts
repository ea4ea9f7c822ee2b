// The VAT within the margin of a car is judged over all lines of the car, and stands on its line.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, ARTICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN, HIGH } = LISTS.vatcodes;

describe('the VAT within the margin of a car', () => {
  let client: Client;
  let order: { id: number; vehicle_id: number };
  let car: { id: number; margin_vat: number };
  beforeEach(async () => {
    client = await newClient();
    const { id: vehicle_id } = await build(client, 'vehicle');
    order = await build(client, 'order', { order_type: LISTS.ordertypes.VEHICLE_SALES, vehicle_id });
    car = await add({ line_kind: VEHICLE, price: 10_950, purchase_price: 8_500 });
  });

  const add = (line: Json) => addLine(client, order.id, { vat_code: MARGIN, ...line });
  const margins = async () =>
    (await read(client, order.id)).orderline.map(({ margin_vat }: Json) => margin_vat);

  it('is 21/121 of price less purchase price', () => {
    expect(car.margin_vat).to.equal(425.21);
  });

  it('falls with a discount line, and rises again without it', async () => {
    const { id } = await add({ line_kind: ARTICLE, description: 'Korting', price: -500 });
    expect(await margins()).to.deep.equal([338.43, 0]);

    expect((await client.del(`/orderline/${id}`)).status).to.equal(200);
    expect(await margins()).to.deep.equal([425.21]);
  });

  it('does not count the traded-in car', async () => {
    await add({ line_kind: TRADE_IN, quantity: -1, price: 3_000 });

    expect(await margins()).to.deep.equal([425.21, 0]);
  });

  it('follows the purchase price and the vehicle of the order', async () => {
    await add({ line_kind: ARTICLE, description: 'Korting', price: -500 });
    const changed = await client.put(`/orderline/${car.id}`, { purchase_price: 9_000 });
    expect(changed.data.margin_vat).to.equal(251.65);

    const { id: vehicle_id } = await build(client, 'vehicle');
    expect((await client.put(`/orderline/${car.id}`, { vehicle_id: order.vehicle_id })).status).to.equal(200);
    expect((await client.put(`/order/${order.id}`, { vehicle_id })).status).to.equal(200);
    // The discount is on the other car now.
    expect(await margins()).to.deep.equal([338.43, 0]);
  });

  it('does not appear in the totals', async () => {
    const { total_net, total_vat, total_gross } = await read(client, order.id);

    expect([total_net, total_vat, total_gross]).to.deep.equal([10_950, 0, 10_950]);
  });
});

describe('the margin of a car that comes back', () => {
  // Bought for 20,000 with 3,000 BPM and sold for 26,000; traded in for 15,000 and sold for 19,000.
  it('counts its BPM in the first sale alone', async () => {
    const client = await newClient();
    const car = await stockCar(client, { purchase_price: 20_000, bpm_paid: 3_000 });
    const first = await saleOf(client, car.id, {}, { price: 26_000 });
    expect((await invoiceIt(client, first.id)).status).to.equal(200);
    const other = await saleOf(client, (await stockCar(client)).id);
    await addLine(client, other.id, {
      ...{ line_kind: TRADE_IN, quantity: -1, price: 15_000, vat_code: MARGIN, vehicle_id: car.id },
    });
    expect((await invoiceIt(client, other.id)).status).to.equal(200);

    const second = await saleOf(client, car.id, {}, { price: 19_000 });

    const [[before], [after]] = await Promise.all(
      [first, second].map(async ({ id }) => (await read(client, id)).orderline),
    );
    expect(before).to.include({ purchase_price: 23_000, bpm_paid: 3_000, margin_vat: 520.66 });
    expect(after).to.include({ purchase_price: 15_000, margin_vat: 694.21 });
  });
});

describe('the purchase price of a line that sells a car', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const lineOf = async (order: number) => (await read(client, order)).orderline[0];

  it('comes from the vehicle, with its BPM, unless the body has a price', async () => {
    const { id } = await stockCar(client, { bpm_paid: 500.5 });

    const taken = await lineOf((await saleOf(client, id)).id);
    const given = await lineOf((await saleOf(client, id, {}, { purchase_price: 9_000 })).id);

    expect(taken).to.include({ purchase_price: 9_000.5, margin_vat: 338.34 });
    expect(given.purchase_price).to.equal(9_000);
    expect((await client.put(`/orderline/${taken.id}`, { purchase_price: null })).data).to.include({
      purchase_price: 9_000.5,
    });
    expect((await client.put(`/orderline/${given.id}`, { price: 10_000 })).data.purchase_price).to.equal(
      9_000,
    );
  });

  it('follows the vehicle of the line and of the order', async () => {
    const [first, second] = [await stockCar(client), await stockCar(client, { purchase_price: 7_000 })];
    const order = await saleOf(client, first.id);
    const { id } = await lineOf(order.id);

    const byLine = await client.put(`/orderline/${id}`, { vehicle_id: second.id });
    expect(byLine.data).to.include({ purchase_price: 7_000, margin_vat: 685.54 });

    await client.put(`/orderline/${id}`, { vehicle_id: null });
    expect(await lineOf(order.id)).to.include({ purchase_price: 8_500, margin_vat: 425.21 });

    await change(client, order.id, { vehicle_id: second.id });
    expect(await lineOf(order.id)).to.include({ purchase_price: 7_000, margin_vat: 685.54 });
  });

  for (const [title, body, purchase_price, margin_vat] of [
    ['with the price of before', { purchase_price: 8_000 }, 8_000, 511.98],
    ['without a price', { description: 'Occasion' }, 9_000, 338.43],
  ] as const)
    it(`is right after an upsert of another vehicle and a line ${title}`, async () => {
      const [first, second] = await Promise.all(
        [8_000, 9_000].map((purchase_price) => stockCar(client, { purchase_price })),
      );
      const { id } = await saleOf(client, first.id, { external_id: 'O-1' }, { external_id: 'L-1' });

      const { status, text } = await client.put('/order?external_id=O-1', {
        ...{ vehicle_id: second.id, orderline: [{ external_id: 'L-1', ...body }] },
      });

      expect(status, text).to.equal(200);
      expect(await lineOf(id)).to.include({ purchase_price, margin_vat });
    });

  it('is required for an invoice, and is taken from a vehicle that got a price since', async () => {
    const { id: vehicle } = await stockCar(client, { purchase_price: null });
    const { id } = await saleOf(client, vehicle);
    const line = await lineOf(id);

    const { body } = await invoiceIt(client, id);
    expect(body.errors).to.deep.equal([
      {
        code: 'field_empty',
        message: 'Field: [purchase_price] is required and cannot be empty',
        field: 'purchase_price',
        resource: 'orderline',
        id: line.id,
      },
    ]);

    await client.put(`/vehicle/${vehicle}`, { purchase_price: 8_500 });
    expect((await invoiceIt(client, id)).status).to.equal(200);
    expect(await lineOf(id)).to.include({ purchase_price: 8_500, margin_vat: 425.21 });
  });

  it('is not needed for other lines, and for other VAT codes', async () => {
    const { id } = await stockCar(client, { purchase_price: null });
    const order = await saleOf(client, id, {}, { vat_code: HIGH });
    await addLine(client, order.id, { line_kind: ARTICLE, vat_code: MARGIN });

    expect((await invoiceIt(client, order.id)).status).to.equal(200);
    expect((await lineOf(order.id)).purchase_price).to.equal(null);
  });

  it('comes from the vehicle under any other VAT code, without its BPM', async () => {
    const { id } = await stockCar(client, { bpm_paid: 500 });
    const order = await saleOf(client, id, {}, { vat_code: HIGH });
    const line = await lineOf(order.id);
    const withCode = async (vat_code: number) =>
      (await client.put(`/orderline/${line.id}`, { vat_code })).data.purchase_price;

    expect(line.purchase_price).to.equal(8_500);
    expect(await withCode(MARGIN)).to.equal(9_000);
    expect(await withCode(HIGH)).to.equal(8_500);
    await client.put(`/orderline/${line.id}`, { purchase_price: 8_600 });
    expect(await withCode(MARGIN)).to.equal(8_600);
  });

  it('is taken at invoicing from a vehicle that got a price since, without margin', async () => {
    const { id } = await stockCar(client, { purchase_price: null, bpm_paid: 500 });
    const order = await saleOf(client, id, {}, { vat_code: HIGH });
    await client.put(`/vehicle/${id}`, { purchase_price: 8_500 });

    expect((await invoiceIt(client, order.id)).status).to.equal(200);

    expect(await lineOf(order.id)).to.include({ purchase_price: 8_500, margin_vat: null, bpm_paid: null });
  });

  it('does not help a car that was bought with VAT: it has no margin', async () => {
    const { id } = await stockCar(client, { tax_kind: LISTS.taxkinds.VAT });
    const order = await saleOf(client, id, { contact_id: (await buildBuyer(client)).id });

    expect(await invoiceIt(client, order.id)).to.be.refused(
      403,
      `Field: [vat_code] has an invalid value: [${MARGIN}] for validation: [margin vehicle]`,
    );
  });
});

describe('the VAT within a margin that credit notes made by hand take back', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const carAt = async (purchase_price: number) => (await stockCar(client, { purchase_price })).id;
  const invoiced = async (id: number) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return (await read(client, id)).orderline;
  };
  /** The margin that the only line of a new credit note takes back. */
  const byHand = async ({ id, contact_id }: { id: number; contact_id: number }, line: Json) => {
    const note = await build(client, 'order', {
      ...{ order_type: INTERNAL_REVERSAL, contact_id, credited_order_id: id },
    });
    await addLine(client, note.id, { quantity: -1, vat_code: MARGIN, ...line });
    return (await invoiced(note.id))[0].margin_vat;
  };
  const credited = async (order_id: number, { id }: { id: number }) => {
    const body = { order_id, orderline: [{ id, quantity: 1 }], is_invoiced: 1 };
    const answer = await client.post('/order/credit', body);
    expect(answer.status, answer.text).to.equal(201);
    return (await read(client, answer.data.id)).orderline[0].margin_vat;
  };

  it('is that of the car which a line names, and is taken once', async () => {
    const [first, vehicle_id] = [await carAt(8_000), await carAt(5_000)];
    const order = await saleOf(client, first, {}, { price: 10_000 });
    await addLine(client, order.id, { line_kind: VEHICLE, vehicle_id, price: 6_000, vat_code: MARGIN });
    const [one, other] = await invoiced(order.id);
    // 21/121 of 2,000 and of 1,000; 21/121 of 3,000 are 520.66.
    expect([one.margin_vat, other.margin_vat]).to.deep.equal([347.11, 173.55]);

    expect(await byHand(order, { vehicle_id, price: 3_000 })).to.equal(-173.55);
    expect(await credited(order.id, other)).to.equal(0);
  });

  it('leaves the rest to the line of the car that bears the margin of all its lines', async () => {
    const order = await saleOf(client, await carAt(8_000), {}, { price: 10_000 });
    const part = { line_kind: ARTICLE, price: 800, vat_code: MARGIN };
    await addLine(client, order.id, { ...part, purchase_price: 300 });
    const [car, other] = await invoiced(order.id);
    // 21/121 of 10,800 − 8,300, and of 800: 433.88 − 138.84 = 295.04.
    expect([car.margin_vat, other.margin_vat]).to.deep.equal([433.88, 0]);

    expect(await byHand(order, part)).to.equal(-138.84);
    expect(await credited(order.id, car)).to.equal(-295.04);
  });
});
