// The VAT within the margin of a car is judged over all lines of the car, and stands on its line.
import { LISTS } from '../../src/trade/lists.ts';
import { build } from '../support/build.ts';
import { type Client, type Json, newClient } from '../support/client.ts';
import { expect } from '../support/expect.ts';
import { addLine, read } from '../support/order.ts';

const { VEHICLE, ARTICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

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

  it('is lower with a discount on a line of its own, and higher again without', async () => {
    const { id } = await add({ line_kind: ARTICLE, description: 'Korting', price: -500 });
    expect(await margins()).to.deep.equal([338.43, 0]);

    expect((await client.del(`/orderline/${id}`)).status).to.equal(200);
    expect(await margins()).to.deep.equal([425.21]);
  });

  it('does not count the car that is traded in', async () => {
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
    // The discount is now one on the other car.
    expect(await margins()).to.deep.equal([338.43, 0]);
  });

  it('shows in no answer of the totals', async () => {
    const { total_net, total_vat, total_gross } = await read(client, order.id);

    expect([total_net, total_vat, total_gross]).to.deep.equal([10_950, 0, 10_950]);
  });
});
