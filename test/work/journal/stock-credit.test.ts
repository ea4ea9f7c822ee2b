// The stock in the journal when sales and purchases of cars are taken back: the account has the price of each car in
// stock, and nothing of other cars.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { journalOf, sumsBy } from '../../support/books/journal.ts';
import { build } from '../../support/build/build.ts';
import { addLine, invoiceIt, purchaseOf, read, saleOf } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { MARGIN } = LISTS.vatcodes;
const { TEXT, TRADE_IN, VEHICLE } = LISTS.linekinds;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];
/** The stock of cars, and the cost of cars that were sold. */
const [STOCK, COST] = ['3000', '7200'];

describe('the stock in the journal after a credit note', () => {
  let client: Client;
  let turnover_group_id: number;
  let car: number;
  beforeEach(async () => {
    client = await newClient();
    turnover_group_id = (
      await build(client, 'turnovergroup', {
        ...{ ledger_account: '8200', cost_ledger_account: COST, stock_ledger_account: STOCK },
      })
    ).id;
    car = (await build(client, 'vehicle')).id;
  });

  const invoiced = async ({ id }: { id: number }) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
    return id;
  };
  const bought = async (price: number) =>
    invoiced(await purchaseOf(client, car, {}, { price, turnover_group_id }));
  const orderOf = (vehicle: number, price: number) =>
    saleOf(client, vehicle, {}, { price, turnover_group_id });
  const sold = async (vehicle: number, price: number) => invoiced(await orderOf(vehicle, price));
  const credited = async (order_id: number, more: Json = {}) => {
    const answer = await client.post('/order/credit', { order_id, is_invoiced: 1, ...more });
    expect(answer.status, answer.text).to.equal(201);
  };
  const balances = async () => {
    const { lines } = await journalOf(client, FROM, TO);
    const { [STOCK]: stock = 0, [COST]: cost = 0 } = sumsBy(lines, ({ account }) => account);
    return { stock: stock / 100, cost: cost / 100 };
  };

  it('of a purchase whose car was sold stays: the credit lowers the cost', async () => {
    const purchase = await bought(10_000);
    const sale = await sold(car, 12_000);

    await credited(purchase);

    expect(await balances()).to.deep.equal({ stock: 0, cost: 0 });
    // The car goes back to its first seller.
    await credited(sale);
    expect(await balances()).to.deep.equal({ stock: 0, cost: 0 });
  });

  it('of a sale gets its car back, but not the car that was taken in trade and sold', async () => {
    await bought(10_000);
    const traded = (await build(client, 'vehicle')).id;
    const sale = await orderOf(car, 12_000);
    await addLine(client, sale.id, {
      ...{ line_kind: TRADE_IN, vehicle_id: traded, vat_code: MARGIN, turnover_group_id },
      ...{ price: 3_000, quantity: -1 },
    });
    await invoiced(sale);
    expect(await balances()).to.deep.equal({ stock: 3_000, cost: 10_000 });
    await sold(traded, 4_000);
    expect(await balances()).to.deep.equal({ stock: 0, cost: 13_000 });

    await credited(sale.id);

    expect(await balances()).to.deep.equal({ stock: 10_000, cost: 0 });
  });

  it('of a sale whose car was bought back has the price of the second purchase', async () => {
    await bought(10_000);
    const sale = await sold(car, 12_000);
    const again = await bought(11_000);
    expect(await balances()).to.deep.equal({ stock: 11_000, cost: 10_000 });

    await credited(sale);

    expect(await balances()).to.deep.equal({ stock: 11_000, cost: 10_000 });
    // Without the second purchase the garage has the car by the first one.
    await credited(again);
    expect(await balances()).to.deep.equal({ stock: 10_000, cost: 0 });
  });

  it('of a part of a sale stays until the rest is credited', async () => {
    await bought(10_000);
    const sale = await orderOf(car, 12_000);
    await addLine(client, sale.id, { price: 100, turnover_group_id });
    await invoiced(sale);
    const { orderline } = await read(client, sale.id);
    const { id } = orderline.find((line: Json) => line.line_kind === VEHICLE);

    await credited(sale.id, { orderline: [{ id, quantity: 1 }] });

    expect((await client.get(`/vehicle/${car}`)).data.stock_status).to.equal(LISTS.stockstatuses.SOLD);
    expect(await balances()).to.deep.equal({ stock: 0, cost: 10_000 });
    await credited(sale.id);
    expect((await client.get(`/vehicle/${car}`)).data.stock_status).to.equal(LISTS.stockstatuses.STOCK);
    expect(await balances()).to.deep.equal({ stock: 10_000, cost: 0 });
  });

  it('has the price of the purchase that was sold, however old the order is', async () => {
    await bought(10_000);
    const [old, typed] = [await orderOf(car, 15_000), await orderOf(car, 16_000)];
    await sold(car, 12_000);
    await bought(11_000);
    const { orderline } = await read(client, typed.id);
    await client.put(`/orderline/${orderline[0].id}`, { purchase_price: 11_500 });
    // The margin of the car is computed anew, and its line is younger than the purchase then.
    await addLine(client, old.id, { price: 100, quantity: -1, vat_code: MARGIN, turnover_group_id });

    await invoiced(old);

    expect((await read(client, old.id)).orderline[0]).to.include({
      purchase_price: 11_000,
      margin_vat: 676.86,
    });
    expect(await balances()).to.deep.equal({ stock: 0, cost: 21_000 });
    // Who knows the last purchase may type another cost.
    await credited(old.id);
    await invoiced(typed);
    expect((await read(client, typed.id)).orderline[0].purchase_price).to.equal(11_500);
  });

  it('has the price of a purchase that is booked after the order', async () => {
    await client.put(`/vehicle/${car}`, {
      stock_status: LISTS.stockstatuses.EXPECTED,
      purchase_price: 9_000,
    });
    const order = await orderOf(car, 12_000);
    await bought(10_000);

    await invoiced(order);

    expect((await read(client, order.id)).orderline[0]).to.include({
      purchase_price: 10_000,
      margin_vat: 347.11,
    });
    expect(await balances()).to.deep.equal({ stock: 0, cost: 10_000 });
  });

  it('needs the account of the cost if the car was sold from another group', async () => {
    const plain = (await build(client, 'turnovergroup', { stock_ledger_account: STOCK })).id;
    const { id } = await purchaseOf(client, car, {}, { price: 10_000, turnover_group_id: plain });
    await invoiced({ id });
    const sale = await sold(car, 12_000);
    const ask = { resource: 'journal', from: FROM, to: TO, format: 'csv' };

    await credited(id);

    const refused = await client.post('/export', ask);
    expect(refused.status, refused.text).to.equal(403);
    expect(refused.body.errors).to.containSubset([
      { field: 'cost_ledger_account', resource: 'turnovergroup', id: plain },
    ]);
    expect(sale).to.be.above(id);
    await client.put(`/turnovergroup/${plain}`, { cost_ledger_account: COST });
    expect(await balances()).to.deep.equal({ stock: 0, cost: 0 });
  });

  it('needs no account of a text that the car was bought with', async () => {
    const purchases = await build(client, 'turnovergroup', {
      ...{ cost_ledger_account: COST, stock_ledger_account: STOCK },
    });
    const { id } = await purchaseOf(client, car, {}, { price: 10_000, turnover_group_id: purchases.id });
    await addLine(client, id, { line_kind: TEXT, description: 'APK nieuw', price: 0, vat_code: MARGIN });
    await invoiced({ id });
    await sold(car, 12_000);

    await credited(id);

    expect(await balances()).to.deep.equal({ stock: 0, cost: 0 });
  });
});
