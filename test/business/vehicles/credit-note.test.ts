// A credit note undoes what its own invoice did to the stock, and no more.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt, purchaseOf, saleOf, stockCar } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { invalid } from '../../support/client/message.ts';
import { atOnce } from '../../support/database/at-once.ts';

const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;
const { VEHICLE, TRADE_IN } = LISTS.linekinds;
const { HIGH, MARGIN } = LISTS.vatcodes;
const { OWNER } = LISTS.vehicleroles;

describe('the credit note of an invoice that moved a car', () => {
  let client: Client;
  let car: number;
  let x: number;
  let y: number;
  beforeEach(async () => {
    client = await newClient();
    car = (await build(client, 'vehicle', { stock_status: CUSTOMER })).id;
    [x, y] = [(await buildBuyer(client)).id, (await buildBuyer(client)).id];
  });

  const invoiced = async ({ id }: { id: number }) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  const buy = async (price: number, contact_id = x, supply_date?: string) =>
    invoiced(await purchaseOf(client, car, { contact_id, supply_date }, { price }));
  const sell = async (contact_id = x, vehicle_id = car) =>
    invoiced(await saleOf(client, vehicle_id, { contact_id }));
  /** A sale of another car to X, who trades this car in. */
  const tradeIn = async (price: number) => {
    const order = await saleOf(client, (await stockCar(client)).id, { contact_id: x });
    const line = { line_kind: TRADE_IN, quantity: -1, price, vat_code: MARGIN, vehicle_id: car };
    await addLine(client, order.id, line);
    return invoiced(order);
  };
  const credit = async ({ id }: { id: number }) => {
    const answer = await client.post('/order/credit', { order_id: id, is_invoiced: 1 });
    expect(answer.status, answer.text).to.equal(201);
    return answer.data;
  };
  /** Status, price and the contact who owns the car. */
  const state = async (id = car) => {
    const { data } = await client.get(`/vehicle/${id}`);
    const roles = await client.get(`/vehicleroleline?filter=vehicle_id:${id},role_kind:${OWNER}&sort=id`);
    const owners = roles.data.filter(({ end_date }: Json) => end_date === null);
    return [data.stock_status, data.purchase_price, ...owners.map(({ contact_id }: Json) => contact_id)];
  };

  it('leaves a car that was bought again, so that it can be sold', async () => {
    const first = await buy(5000);
    await sell();
    await buy(5500);

    await credit(first);

    expect(await state()).to.deep.equal([STOCK, 5500]);
    await sell(y);
    expect(await state()).to.deep.equal([SOLD, 5500, y]);
  });

  it('of an old sale leaves the car of its trade-in, too', async () => {
    const first = await tradeIn(2500);
    await sell(y);
    await buy(3000, y);

    await credit(first);

    expect(await state()).to.deep.equal([STOCK, 3000]);
  });

  it('leaves a car that was sold to the same buyer again, so that nobody else can buy it', async () => {
    await buy(5000);
    const first = await sell();
    await buy(5500);
    await sell();

    await credit(first);

    expect(await state()).to.deep.equal([SOLD, 5500, x]);
    const { id } = await saleOf(client, car, { contact_id: y });
    expect(await invoiceIt(client, id)).to.be.refused(403, invalid('stock_status', SOLD, 'in stock'));
  });

  it('leaves a car that was bought twice, if the first purchase is credited', async () => {
    const first = await buy(5000);
    await buy(5500);

    await credit(first);

    expect(await state()).to.deep.equal([STOCK, 5500]);
  });

  it('returns a car that was bought twice to its first purchase, if the second one is credited', async () => {
    await buy(5000, x, '2026-01-10');
    const second = await buy(5500, y, '2026-02-10');

    await credit(second);

    expect(await state()).to.deep.equal([STOCK, 5000]);
    const { data } = await client.get(`/vehicle/${car}`);
    expect(data.purchase_date).to.equal('2026-01-10T00:00:00.000Z');
  });

  it('of a second purchase returns the car to the buyer of the sale before', async () => {
    await buy(5000);
    await sell(y);
    const second = await buy(5500, y);

    await credit(second);

    expect(await state()).to.deep.equal([SOLD, 5000, y]);
  });

  it('returns a car to nobody’s stock if all invoices before are credited', async () => {
    const purchase = await buy(5000);
    const sale = await sell(y);

    await credit(purchase);
    expect(await state()).to.deep.equal([SOLD, 5000, y]);
    await credit(sale);

    expect(await state()).to.deep.equal([CUSTOMER, null, x]);
  });

  it('keeps a price that was changed by hand when the sale is credited', async () => {
    await buy(5000);
    await client.put(`/vehicle/${car}`, { purchase_price: 5400 });
    const sale = await sell(y);

    await credit(sale);

    expect(await state()).to.deep.equal([STOCK, 5400]);
  });

  it('returns a car that was in stock by hand to the price on the line of its sale', async () => {
    const other = (await stockCar(client, { bpm_paid: 500 })).id;
    await sell(x, other);
    car = other;
    const second = await buy(9000);

    await credit(second);

    expect(await state(other)).to.deep.equal([SOLD, 8500, x]);
  });

  it('of a purchase gives the car the BPM of its sale again, which the purchase had taken off', async () => {
    car = (await stockCar(client, { bpm_paid: 500 })).id;
    const bpm = async () => (await client.get(`/vehicle/${car}`)).data.bpm_paid;
    await sell();
    expect(await bpm()).to.equal(500);
    const second = await buy(9000);
    expect(await bpm()).to.equal(null);
    await client.put(`/vehicle/${car}`, { bpm_paid: 200 });

    await credit(second);

    expect(await bpm()).to.equal(500);
  });

  it('leaves the car to a customer if all invoices are credited at once', async () => {
    const invoices = [await buy(5000), await sell(y), await buy(5500, y), await sell(x)];

    const notes: Json[] = [];
    for (const { id } of invoices) notes.push((await client.post('/order/credit', { order_id: id })).data);

    const answers = await atOnce(client, ['vehicle', car], (index) =>
      invoiceIt(client, Number(notes[index]?.id)),
    );

    expect(answers.map(({ status }) => status)).to.deep.equal(invoices.map(() => 200));
    const [status, price, ...owners] = await state();
    expect([status, price]).to.deep.equal([CUSTOMER, null]);
    expect(owners).to.have.length(1);
  });

  it('needs no movable car if the car stays', async () => {
    const first = await buy(5000);
    await sell();
    await client.put(`/vehicle/${car}`, { is_blocked: 1 });

    await credit(first);

    expect(await state()).to.deep.equal([SOLD, 5000, x]);
  });

  it('counts credit notes line by line, and lines of several cars', async () => {
    await buy(5000);
    const sale = await saleOf(client, car, { contact_id: y });
    const other = (await stockCar(client)).id;
    await addLine(client, sale.id, { line_kind: VEHICLE, vehicle_id: other, price: 100, vat_code: HIGH });
    await invoiced(sale);
    await client.put(`/vehicle/${other}`, { stock_status: STOCK });
    const again = await sell(x, other);
    const [first] = (await client.get(`/order/${sale.id}?expand=orderline`)).data.orderline;
    const part = { order_id: sale.id, is_invoiced: 1, orderline: [{ id: first.id, quantity: 1 }] };
    expect((await client.post('/order/credit', part)).status).to.equal(201);
    expect(await state()).to.deep.equal([SOLD, 5000, y]);

    await credit(sale);

    expect(await state()).to.deep.equal([STOCK, 5000]);
    expect(await state(other)).to.deep.equal([SOLD, 8500, x]);
    await credit(again);
    expect(await state(other)).to.deep.equal([STOCK, 8500]);
  });
});
