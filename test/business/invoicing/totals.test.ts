// Totals of lines and orders follow every change of a line, exact to the cent.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { addLine, read, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';

const { HIGH, LOW, ZERO, EXEMPT, REVERSE_CHARGE, MARGIN, OUTSIDE } = LISTS.vatcodes;

const { TRADE_IN, ARTICLE, VEHICLE } = LISTS.linekinds;

type Amounts = readonly [net: number, vat: number, margin: number | null];

/** Lines with their amounts. */
const LINES: [Json, Amounts][] = [
  [{ quantity: 2, price: 50, vat_code: HIGH }, [100, 21, null]],
  [{ quantity: 2, price: 50, vat_code: LOW }, [100, 9, null]],
  [{ quantity: 2, price: 50, vat_code: ZERO }, [100, 0, null]],
  [{ quantity: 2, price: 50, vat_code: EXEMPT }, [100, 0, null]],
  [{ quantity: 2, price: 50, vat_code: REVERSE_CHARGE }, [100, 0, null]],
  [{ quantity: 2, price: 50, vat_code: OUTSIDE }, [100, 0, null]],
  [{ quantity: 1.5, price: 33.3333, discount_percentage: 12.5, vat_code: HIGH }, [43.75, 9.19, null]],
  [{ quantity: 1, price: 100, discount_percentage: 100, vat_code: HIGH }, [0, 0, null]],
  [{ quantity: 0, price: 100, vat_code: HIGH }, [0, 0, null]],
  // Half a cent goes away from zero, on both sides.
  [{ quantity: 1, price: 0.005, vat_code: ZERO }, [0.01, 0, null]],
  [{ quantity: -1, price: 0.005, vat_code: ZERO }, [-0.01, 0, null]],
  [{ quantity: 1, price: 1.005, vat_code: ZERO }, [1.01, 0, null]],
  [{ quantity: 1, price: 0.5, vat_code: LOW }, [0.5, 0.05, null]],
  [{ quantity: -1, price: 0.5, vat_code: LOW }, [-0.5, -0.05, null]],
  [{ quantity: 3, price: 0.1, vat_code: ZERO }, [0.3, 0, null]],
  [{ quantity: 0.0001, price: 0.0001, vat_code: HIGH }, [0, 0, null]],
  [{ quantity: 1, price: 99999999999999, vat_code: ZERO }, [99999999999999, 0, null]],
  // 21/121 of the price above the purchase price, never below 0.
  [{ quantity: 1, price: 12100, purchase_price: 10890, vat_code: MARGIN }, [12100, 0, 210]],
  [{ quantity: 2, price: 6050, purchase_price: 5000, vat_code: MARGIN }, [12100, 0, 364.46]],
  [
    { quantity: 1, price: 12100, discount_percentage: 10, purchase_price: 10000, vat_code: MARGIN },
    [10890, 0, 154.46],
  ],
  [{ quantity: 1, price: 1000, purchase_price: 2000, vat_code: MARGIN }, [1000, 0, 0]],
  [{ quantity: 1, price: 121, vat_code: MARGIN }, [121, 0, 21]],
  [{ quantity: -1, price: 5000, line_kind: TRADE_IN, vat_code: MARGIN }, [-5000, 0, 0]],
  [{ quantity: -1, price: 5000, purchase_price: 4000, vat_code: MARGIN }, [-5000, 0, 0]],
];

describe('totals', () => {
  let client: Client;
  let order: { id: number };
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    order = await build(client, 'order');
  });

  const add = (line: Json) => build(client, 'orderline', { order_id: order.id, ...line });
  const totals = async () => {
    const { total_net, total_vat, total_gross } = await read(client, order.id);
    return [total_net, total_vat, total_gross];
  };

  for (const [values, [net, vat, margin]] of LINES) {
    it(`of a line with ${JSON.stringify(values)}`, async () => {
      const line = await add(values);

      expect([line.line_net, line.line_vat, line.margin_vat]).to.deep.equal([net, vat, margin]);
      expect(line.vat_percentage).to.equal({ [HIGH]: 21, [LOW]: 9 }[values.vat_code as number] ?? 0);
      expect((await client.get(`/orderline/${line.id}`)).data).to.deep.equal(line);
      expect(await totals()).to.deep.equal([net, vat, Math.round((net + vat) * 100) / 100]);
    });
  }

  it('round VAT once for each VAT code, not for each line', async () => {
    for (const vat_code of [HIGH, LOW]) {
      for (let count = 0; count < 3; count += 1) await add({ quantity: 1, price: 0.02, vat_code });
    }

    // 21 % of 0.06 is 0.0126, and 9 % is 0.0054. Both round to 0 for 0.02 alone.
    expect(await totals()).to.deep.equal([0.12, 0.02, 0.14]);
  });

  it('follow each change of a line, and its deletion', async () => {
    const one = await add({ quantity: 1, price: 100, vat_code: HIGH });
    const two = await add({ quantity: 1, price: 200, vat_code: LOW });
    expect(await totals()).to.deep.equal([300, 39, 339]);

    await client.put(`/orderline/${one.id}`, { quantity: 3, discount_percentage: 50 });
    expect(await totals()).to.deep.equal([350, 49.5, 399.5]);
    await client.put(`/orderline/${one.id}`, { vat_code: LOW });
    expect(await totals()).to.deep.equal([350, 31.5, 381.5]);
    await client.put(`/orderline/${one.id}`, {
      vat_code: MARGIN,
      purchase_price: 0,
      discount_percentage: null,
    });
    expect(await totals()).to.deep.equal([500, 18, 518]);
    await client.del(`/orderline/${two.id}`);
    expect(await totals()).to.deep.equal([300, 0, 300]);
    await client.del(`/orderline/${one.id}`);
    expect(await totals()).to.deep.equal([0, 0, 0]);
  });

  it('forget the margin of a line that leaves the margin scheme', async () => {
    const { id } = await add({ quantity: 1, price: 121, vat_code: MARGIN });

    const { data } = await client.put(`/orderline/${id}`, { vat_code: HIGH });

    expect(data).to.include({ margin_vat: null, line_net: 121, line_vat: 25.41, vat_percentage: 21 });
  });

  it('leave the order as it is if no amount changes', async () => {
    const { id } = await add({ quantity: 1, price: 100, vat_code: HIGH });
    const { orderline: _, ...before } = await read(client, order.id);

    await client.put(`/orderline/${id}`, { description: 'other words' });

    const { orderline: __, ...after } = await read(client, order.id);
    expect(after).to.deep.equal(before);
  });

  it('ignore a refused line', async () => {
    await add({ quantity: 1, price: 100, vat_code: HIGH, sort_order: 1 });
    const before = await read(client, order.id);

    const answer = await client.post('/orderline', {
      ...{ order_id: order.id, line_kind: 1, description: 'x', quantity: 1, price: 1, vat_code: 1 },
      sort_order: 1,
    });

    expect(answer.status).to.equal(409);
    expect(await read(client, order.id)).to.deep.equal(before);
  });

  it('stay correct while many lines are added, changed and deleted at once', async () => {
    const lines = await Promise.all(
      Array.from({ length: 12 }, () => add({ quantity: 1, price: 10, vat_code: HIGH })),
    );
    expect(await totals()).to.deep.equal([120, 25.2, 145.2]);

    await Promise.all(
      lines.map(({ id }, index) =>
        index % 2 === 0 ? client.del(`/orderline/${id}`) : client.put(`/orderline/${id}`, { price: 20 }),
      ),
    );

    expect(await totals()).to.deep.equal([120, 25.2, 145.2]);
    const { orderline } = await read(client, order.id);
    expect(orderline.map(({ line_net }: { line_net: number }) => line_net)).to.deep.equal([
      20, 20, 20, 20, 20, 20,
    ]);
  });

  it('refuse an amount that is too large for its column, of a line or an order', async () => {
    const line = { order_id: order.id, line_kind: 1, description: 'x', vat_code: HIGH };
    const most = 99_999_999_999_999;

    expect(await client.post('/orderline', { ...line, quantity: 2, price: most })).to.be.refused(
      403,
      `Field: [line_net] has an invalid value: [${2 * most}] for validation: [14 digits]`,
    );
    expect(await client.post('/orderline', { ...line, quantity: 1, price: most })).to.be.refused(
      403,
      'Field: [total_gross] has an invalid value: [120999999999998.8] for validation: [14 digits]',
    );
    expect(await totals()).to.deep.equal([0, 0, 0]);
    await add({ quantity: 1, price: most, vat_code: ZERO });
    expect(
      await client.post('/orderline', { ...line, quantity: 1, price: most, vat_code: ZERO }),
    ).to.be.refused(
      403,
      `Field: [total_gross] has an invalid value: [${2 * most}] for validation: [14 digits]`,
    );
  });
});

describe('an amount that is too large for its column', () => {
  const MOST = 99_999_999_999_999;
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  /** Costs more than it brings, so what it takes back has a margin of 10^16. */
  const huge = {
    ...{ line_kind: ARTICLE, description: 'x', vat_code: MARGIN, price: 0 },
    ...{ quantity: -99_999_999, purchase_price: 99_999_999 },
  };
  const car = { line_kind: VEHICLE, description: 'Occasion', vat_code: MARGIN, price: 1, quantity: 1 };
  const refusals = ({ body }: { body: { errors: Json[] } }) =>
    body.errors.map(({ message, resource, id }) => [message, resource, id]);

  it('is refused as the margin of a line', async () => {
    const { id } = await build(client, 'order');
    const small = await addLine(client, id, { vat_code: MARGIN });
    const text = (field: string) => invalid(field, 1_735_537_155_371_901, '14 digits');

    const posted = await client.post('/orderline', { order_id: id, ...huge });
    const put = await client.put(`/orderline/${small.id}`, huge);
    const { order_type, order_date, contact_id } = await read(client, id);
    const orderline = [{ ...huge, quantity: 1, purchase_price: 1 }, huge];
    const whole = await client.post('/order', { order_type, order_date, contact_id, orderline });

    for (const answer of [posted, put]) expect(answer).to.be.refused(403, text('margin_vat'));
    expect(whole).to.be.refused(403, text('orderline[1].margin_vat'));
    expect((await read(client, id)).orderline).to.deep.equal([small]);
  });

  it('is refused as the margin of another line of the car, which the refusal names', async () => {
    const order = await saleOf(client, (await stockCar(client)).id);
    const half = { ...huge, quantity: -4, purchase_price: MOST };
    const [{ id }] = (await read(client, order.id)).orderline;
    await addLine(client, order.id, half);

    const answer = await client.post('/orderline', { order_id: order.id, ...half });

    expect(answer.status).to.equal(403);
    // 21/121 of 10,950 − 8,500 + 8 × the most.
    expect(refusals(answer)).to.deep.equal([
      [invalid('margin_vat', 138_842_975_207_035.39, '14 digits'), 'orderline', id],
    ]);
  });

  it('is refused as the cost of a car', async () => {
    const { id: vehicle_id } = await stockCar(client, { purchase_price: MOST, bpm_paid: 1 });
    const order = await saleOf(client, (await stockCar(client)).id);
    const [{ id }] = (await read(client, order.id)).orderline;
    const text = (field: string) => invalid(field, MOST + 1, '14 digits');

    const line = await client.post('/orderline', { order_id: order.id, vehicle_id, ...car });
    const { order_type, order_date, contact_id } = await read(client, order.id);
    const body = { order_type, order_date, contact_id, vehicle_id, orderline: [car] };

    expect(line).to.be.refused(403, text('purchase_price'));
    expect(await client.post('/order', body)).to.be.refused(403, text('orderline[0].purchase_price'));
    expect(refusals(await client.put(`/order/${order.id}`, { vehicle_id }))).to.deep.equal([
      [text('purchase_price'), 'orderline', id],
    ]);
  });

  it('is refused as the amount of a line at the rate of another day', async () => {
    const order = await build(client, 'order', { supply_date: '2018-05-01' });
    const { id } = await addLine(client, order.id, { price: 94_000_000_000_000, vat_code: LOW });
    // The total is small enough.
    await addLine(client, order.id, { price: -50_000_000_000_000, vat_code: LOW });

    const answer = await client.put(`/order/${order.id}`, { supply_date: '2019-05-01' });

    expect(answer.status).to.equal(403);
    expect(refusals(answer)).to.deep.equal([
      [invalid('line_gross', 102_460_000_000_000, '14 digits'), 'orderline', id],
    ]);
  });
});
