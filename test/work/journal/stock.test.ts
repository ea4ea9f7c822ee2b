// The stock in the journal: what a purchase brings in, its sale takes out, under any VAT code.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { journalOf, type Line, sumsBy } from '../../support/books/journal.ts';
import { build } from '../../support/build/build.ts';
import { invoiceIt, purchaseOf, saleOf } from '../../support/build/order.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { HIGH, MARGIN } = LISTS.vatcodes;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];
/** The stock of cars, and the cost of cars that were sold. */
const [STOCK, COST] = ['3000', '7200'];

describe('a car in the stock of the journal', () => {
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
    return answer.data;
  };
  const bought = async (price: number, vat_code: number) => {
    const supplier = { purchase_proof: 1, supplier_invoice_number: 'S-1' };
    return invoiced(await purchaseOf(client, car, supplier, { price, vat_code, turnover_group_id }));
  };
  const sold = async (price: number, vat_code: number) =>
    invoiced(await saleOf(client, car, {}, { price, vat_code, turnover_group_id }));
  const balances = (lines: readonly Line[]) => {
    const { [STOCK]: stock = 0, [COST]: cost = 0 } = sumsBy(lines, ({ account }) => account);
    return { stock: stock / 100, cost: cost / 100 };
  };

  it('leaves it with a sale with VAT, at its purchase price', async () => {
    await bought(10_000, HIGH);
    const sale = await sold(12_000, HIGH);

    const { lines } = await journalOf(client, FROM, TO);

    const ofSale = lines
      .filter(({ order_id }) => order_id === String(sale.id))
      .map(({ account, debit, credit }) => `${account} ${debit} ${credit}`);
    expect(ofSale).to.include.members([`${COST} 10000.00 0.00`, `${STOCK} 0.00 10000.00`]);
    expect(balances(lines)).to.deep.equal({ stock: 0, cost: 10_000 });
  });

  it('bought under the scheme leaves it by either sale, and comes back with the credit note', async () => {
    await bought(10_000, MARGIN);
    for (const vat_code of [HIGH, MARGIN]) {
      const sale = await sold(12_000, vat_code);
      expect(balances((await journalOf(client, FROM, TO)).lines)).to.deep.equal({ stock: 0, cost: 10_000 });
      await client.post('/order/credit', { order_id: sale.id, is_invoiced: 1 });

      const { lines } = await journalOf(client, FROM, TO);

      expect(balances(lines)).to.deep.equal({ stock: 10_000, cost: 0 });
    }
  });
});
