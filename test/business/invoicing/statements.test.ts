// How many statements a request waits for. On a database that is a millisecond away each one is a millisecond of the
// receptionist's, so the paths that read much have a ceiling.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt, purchaseOf, saleOf, stockCar } from '../../support/build/order.ts';
import { type Answer, type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { transactionOf } from '../../support/database/transaction-log.ts';
import { database } from '../../support/service/service.ts';

const { TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;
const { CUSTOMER } = LISTS.stockstatuses;
const { CASH } = LISTS.paymentmethods;

describe('the statements of a request', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
    // The first invoice of a series costs four statements more: the series looks for the time of the invoice before.
    await invoiced(await work());
  });

  async function demand(answer: Answer): Promise<Json & { id: number }> {
    expect(answer.status, answer.text).to.be.within(200, 201);
    return answer.data;
  }

  /** A workshop order of three lines. */
  async function work() {
    const { id } = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
    for (const price of [100, 50, 20]) await addLine(client, id, { price });
    return id;
  }

  /** A sale of a car, with a trade-in and an invoiced deposit. */
  async function sale() {
    const order = await saleOf(client, (await stockCar(client)).id);
    const vehicle = await build(client, 'vehicle', { stock_status: CUSTOMER });
    const trade = { line_kind: TRADE_IN, vehicle_id: vehicle.id, price: -500, vat_code: MARGIN };
    await addLine(client, order.id, trade);
    const body = { order_id: order.id, amount: 1_000 };
    const deposit = await demand(await client.post('/order/deposit', body));
    await demand(await invoiceIt(client, deposit.id));
    return order.id;
  }

  /** A second sale of a car that was bought twice. */
  async function resale() {
    const { id } = await build(client, 'vehicle');
    for (const order of [purchaseOf, saleOf, purchaseOf]) await invoiced((await order(client, id)).id);
    return invoiced((await saleOf(client, id)).id);
  }

  const invoiced = async (id: number) => (await demand(await invoiceIt(client, id))).id;
  const credit = (order_id: number) => client.post('/order/credit', { order_id, is_invoiced: 1 });
  const pay = (order_id: number) =>
    client.post('/payment', { order_id, amount: 10, method: CASH, paid_at: '2026-05-01' });

  /** A workshop order with a deposit. */
  async function workWithDeposit() {
    const order_id = await work();
    await demand(await client.post('/order/deposit', { order_id, amount: 20 }));
    return order_id;
  }

  const PATHS: [string, () => Promise<number>, (id: number) => Promise<Answer>, number][] = [
    ['an order of three lines becomes an invoice', work, (id) => invoiceIt(client, id), 9],
    ['a sale with a trade-in and a deposit becomes an invoice', sale, (id) => invoiceIt(client, id), 18],
    ['an invoice of three lines is credited', async () => invoiced(await work()), credit, 20],
    ['a sale with a trade-in and a deposit is credited', async () => invoiced(await sale()), credit, 28],
    ['a sale of a car with a history is credited', resale, credit, 29],
    [
      'a second deposit is made',
      workWithDeposit,
      (order_id) => client.post('/order/deposit', { order_id, amount: 100 }),
      10,
    ],
    ['a payment in cash is made', async () => invoiced(await work()), pay, 9],
  ];
  for (const [title, prepare, request, most] of PATHS)
    it(`are at most ${most} where ${title}`, async () => {
      const id = await prepare();

      const sent = await transactionOf(database(), async () => demand(await request(id)));

      expect(sent.length, sent.join('\n')).to.be.within(1, most);
    });
});
