// A credit note of a deposit that is made by hand gives the deposit back, whatever kinds its lines have.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dateInvoice, setGarage } from '../../support/books/books.ts';
import { journalOf, sumsBy } from '../../support/books/journal.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt } from '../../support/build/order.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { ordertypes, linekinds } = LISTS;
const [FROM, TO] = ['2020-01-01', '2099-12-31'];

describe('the journal of a deposit that is credited by hand', () => {
  let client: Client;
  let deposit: { id: number };
  let note: { id: number };
  beforeEach(async () => {
    client = await newClient();
    const accounts = { ledger_account: '8000', cost_ledger_account: '7000', stock_ledger_account: '3000' };
    const { id: turnover_group_id } = await build(client, 'turnovergroup', accounts);
    const contact_id = (await buildBuyer(client)).id;
    const order = await build(client, 'order', { order_type: ordertypes.WORKSHOP, contact_id });
    await addLine(client, order.id, { price: 1_000, turnover_group_id });
    deposit = (await client.post('/order/deposit', { order_id: order.id, amount: 605 })).data;
    await invoiced(deposit.id);
    note = await build(client, 'order', {
      ...{ order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id: deposit.id },
    });
    // The prices of a deposit include VAT, and so do those of its credit note: 363 and 242 are 605.
    const line = { line_kind: linekinds.ARTICLE, quantity: -1 };
    await addLine(client, note.id, { ...line, price: 363 });
    await addLine(client, note.id, { ...line, price: 242, purchase_price: 150, turnover_group_id });
    await invoiced(note.id);
  });

  const invoiced = async (id: number) => {
    const answer = await invoiceIt(client, id);
    expect(answer.status, answer.text).to.equal(200);
  };

  it('has nothing left on its account, and neither turnover nor cost', async () => {
    const { lines } = await journalOf(client, FROM, TO);

    const own = lines.filter(({ entry }) => entry === `order/${note.id}`);
    // 605 are 500 and 21 % of it.
    expect(own.map(({ account, debit, credit }) => `${account} ${debit} ${credit}`)).to.deep.equal([
      ...['1300 0.00 605.00', '1700 500.00 0.00', '1510 105.00 0.00'],
    ]);
    expect(sumsBy(lines, ({ account }) => account)).to.deep.equal({ 1300: 0, 1700: 0, 1510: 0 });
  });

  it('needs the account of deposits, and no turnover group', async () => {
    await dateInvoice(client, deposit.id, '2025-02-01');
    await dateInvoice(client, note.id, '2025-05-01');
    await setGarage(client, { deposit_account: null });

    const asked = { resource: 'journal', from: '2025-05-01', to: '2025-05-31' };
    const { status, body } = await client.post('/export', asked);

    expect(status).to.equal(403);
    expect(body.errors.map(({ field }: Json) => field)).to.deep.equal(['deposit_account']);
  });
});
