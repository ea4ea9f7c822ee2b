// A car that is sold before the garage has bought it: its line has an estimate of the cost, and gets the price of the
// purchase, whatever else of the order changes meanwhile.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { journalOf, sumsBy } from '../../support/books/journal.ts';
import { build } from '../../support/build/build.ts';
import { addLine, change, invoiceIt, purchaseOf, read, saleOf } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { HIGH, MARGIN } = LISTS.vatcodes;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];
const [STOCK, COST] = ['3000', '7200'];

describe('an estimate of the cost of a car', () => {
  let client: Client;
  let turnover_group_id: number;
  /** The car is expected at 9,000. */
  let car: number;
  let order: Awaited<ReturnType<typeof read>>;
  beforeEach(async () => {
    client = await newClient();
    const accounts = { ledger_account: '8200', cost_ledger_account: COST, stock_ledger_account: STOCK };
    turnover_group_id = (await build(client, 'turnovergroup', accounts)).id;
    const expected = { stock_status: LISTS.stockstatuses.EXPECTED, purchase_price: 9_000 };
    car = (await build(client, 'vehicle', expected)).id;
    const { id } = await saleOf(client, car, {}, { price: 12_000, turnover_group_id });
    order = await read(client, id);
  });

  const invoiced = async ({ id }: { id: number }) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
  };
  const bought = async () =>
    invoiced(await purchaseOf(client, car, {}, { price: 10_000, turnover_group_id }));
  const put = async (body: Json) => {
    const answer = await client.put(`/orderline/${order.orderline[0].id}`, body);
    expect(answer.status, answer.text).to.equal(200);
    return answer.data;
  };
  /** The car's line and the balance of the stock, once the order is an invoice. */
  const sold = async () => {
    await invoiced(order);
    const [line] = (await read(client, order.id)).orderline;
    const { lines } = await journalOf(client, FROM, TO);
    return [
      line.purchase_price,
      line.margin_vat,
      (sumsBy(lines, ({ account }) => account)[STOCK] ?? 0) / 100,
    ];
  };

  it('gives way to the price of the purchase when the line changes', async () => {
    await bought();

    const line = await put({ price: 11_900 });

    expect(line).to.include({ purchase_price: 10_000, margin_vat: 329.75 });
    expect(await sold()).to.deep.equal([10_000, 329.75, 0]);
  });

  it('gives way when the line gets another VAT code', async () => {
    await bought();
    await client.put(`/vehicle/${car}`, { bpm_paid: 500 });
    await put({ vat_code: HIGH });

    const line = await put({ vat_code: MARGIN });

    expect(line).to.include({ purchase_price: 10_500 });
    expect((await sold())[0]).to.equal(10_500);
  });

  it('gives way when another line changes the margin of the car', async () => {
    await bought();

    await addLine(client, order.id, { price: 100, quantity: -1, vat_code: MARGIN, turnover_group_id });

    expect((await read(client, order.id)).orderline[0]).to.include({
      purchase_price: 10_000,
      margin_vat: 329.75,
    });
    expect(await sold()).to.deep.equal([10_000, 329.75, 0]);
  });

  it('stays until the garage buys the car, and so does a cost that was typed since', async () => {
    expect(await put({ description: 'Volvo' })).to.include({ purchase_price: 9_000 });
    await bought();

    const line = await put({ purchase_price: 9_500 });

    expect(line).to.include({ purchase_price: 9_500, margin_vat: 433.88 });
    await put({ description: 'Volvo V60' });
    await addLine(client, order.id, { price: 100, quantity: -1, vat_code: MARGIN, turnover_group_id });
    await change(client, order.id, { description: 'Spoed' });
    expect((await sold())[0]).to.equal(9_500);
  });
});
