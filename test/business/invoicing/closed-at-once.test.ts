// A close and a change of its days at the same instant: what the bookkeeper gets after the close stays, whoever was
// first. The change has judged its day, and then waits for a row that the test holds.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { setGarage } from '../../support/books/books.ts';
import { askToClose, closedBooks, closedJournal, PERIOD_CLOSED } from '../../support/books/closed.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { addLine, invoiceIt, purchaseOf } from '../../support/build/order.ts';
import { type Answer, type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const { CASH, BANK } = LISTS.paymentmethods;
const { WORKSHOP } = LISTS.ordertypes;
const { SUPPLIER_INVOICE } = LISTS.purchaseproofs;
const { HIGH } = LISTS.vatcodes;
const [FROM, TO] = ['2026-01-01', '2026-03-31'];
const SHUT = '2026-03-30T12:00:00.000Z';
const MANY = 20;

/** All that a bookkeeper gets of the closed days. */
const filedBooks = async (client: Client) => [
  await closedBooks(client, FROM, TO),
  await closedJournal(client, FROM, TO),
];

describe('a close at the same instant', () => {
  let client: Client;
  let group: number;
  beforeEach(async () => {
    client = await newClient();
    group = (await build(client, 'turnovergroup', { ledger_account: '8000', cost_ledger_account: '7000' }))
      .id;
    await setGarage(client, { margin_method: LISTS.marginmethods.INDIVIDUAL });
  });

  const order = async () => {
    const { id } = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
    await addLine(client, id, { turnover_group_id: group });
    return id;
  };
  const invoice = async (id: number) => {
    expect((await invoiceIt(client, id)).status).to.equal(200);
    return id;
  };
  const pay = (order_id: number, method: number, amount = 1): Promise<Answer> =>
    client.post('/payment', { order_id, amount, method, paid_at: SHUT });

  /** Closes while the change waits for a held row. Answers what became of the change, once the books have stayed. */
  async function closeAmid<T>(
    [table, name, value]: readonly [table: string, column: string, value: number | string],
    change: () => Promise<T>,
  ): Promise<T> {
    const begun = await database().transaction(async (session) => {
      const { owner } = client.garage;
      await select(session, `SELECT 1 FROM ${table} WHERE owner_id = ? AND ${name} = ? FOR UPDATE`, [
        owner,
        value,
      ]);
      const changing = change();
      await until(async () => (await waitingFor(table)) > 0);
      let isClosed = false;
      const closing = askToClose(client, TO).finally(() => {
        isClosed = true;
      });
      const waits = table === 'counters' ? 2 : 1;
      // At a gate, or at the garage's own row, which a new gate refers to.
      const waiting = async () => (await waitingFor('counters')) + (await waitingFor('owners'));
      await until(async () => isClosed || (await waiting()) >= waits);
      // A close that did not wait: the books are filed before the change goes on.
      const early = isClosed ? await filedBooks(client) : undefined;
      // Not awaited here: they end when this transaction has.
      return { changing, closing, early };
    });
    const closed = await begun.closing;
    expect(closed.status, closed.text).to.equal(200);
    const filed = begun.early ?? (await filedBooks(client));
    const made = await begun.changing;
    expect(await filedBooks(client)).to.deep.equal(filed);
    return made;
  }

  it('leaves a new payment in the books or refused', async () => {
    const target = await order();
    const { data: deposit } = await client.post('/order/deposit', { order_id: target, amount: 50 });
    await invoice(deposit.id);

    const answer = await closeAmid(['orders', 'id', target], () => pay(deposit.id, CASH));

    if (answer.status !== 201) expect(answer).to.be.refused(409, PERIOD_CLOSED);
  });

  it('leaves a changed payment as it was, or changed', async () => {
    const target = await order();
    const { data: deposit } = await client.post('/order/deposit', { order_id: target, amount: 50 });
    const { id } = (await pay(await invoice(deposit.id), CASH)).data;

    const answer = await closeAmid(['orders', 'id', target], () =>
      client.put(`/payment/${id}`, { amount: 2 }),
    );

    if (answer.status !== 200) expect(answer).to.be.refused(409, PERIOD_CLOSED);
  });

  it('leaves each old invoice of an import in the books or refused', async () => {
    await buildBuyer(client, { external_id: 'K' });
    await order();
    const line = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: HIGH };
    const rows = Array.from(
      { length: MANY },
      (_, index): Json => ({
        order_type: WORKSHOP,
        order_date: '2026-03-01',
        invoice_number: `OUD-${index}`,
        invoice_date: SHUT,
        contact_external_id: 'K',
        orderline: [{ ...line, turnover_group_id: group }],
      }),
    );

    const report = await closeAmid(['counters', 'name', 'order'], () =>
      importJson(client, 'resource=order&history=1', rows),
    );

    for (const { status, errors } of report.rows)
      if (status !== 'created') expect(errors[0].message).to.equal(PERIOD_CLOSED);
    expect(report.rows).to.have.length(MANY);
  });

  it('lets a late purchase count on its date or today', async () => {
    const { id: contact_id } = await buildBuyer(client);
    const { id: vehicle } = await build(client, 'vehicle');
    const held = { vehicle_id: vehicle, contact_id, role_kind: 1, start_date: '2020-01-01' };
    const { id: holder } = await build(client, 'vehicleroleline', held);
    const bought = { contact_id, purchase_proof: SUPPLIER_INVOICE, supplier_invoice_number: '1' };
    const { id } = await purchaseOf(
      client,
      vehicle,
      { ...bought, supplier_invoice_date: SHUT },
      { vat_code: HIGH, turnover_group_id: group },
    );

    const { status, data } = await closeAmid(['vehiclerolelines', 'id', holder], () => invoiceIt(client, id));

    expect(status).to.equal(200);
    expect(data.book_date).to.be.oneOf([SHUT, data.invoice_date]);
  });

  it('leaves the settings of the VAT return as they were, or changed', async () => {
    const [first] = (await client.get('/vatregime')).data;

    const answer = await closeAmid(['counters', 'name', 'vatregimes'], () =>
      client.put(`/vatregime/${first.id}`, {
        ...{ margin_method: LISTS.marginmethods.GLOBAL, vat_period: LISTS.vatperiods.MONTH },
      }),
    );

    if (answer.status !== 200) expect(answer).to.be.refused(409, PERIOD_CLOSED);
  });

  it(`lets ${MANY} payments of its days at once end in the books or refused`, async () => {
    const orders: number[] = [];
    for (let count = 0; count < 5; count += 1) orders.push(await invoice(await order()));

    const paying = Array.from({ length: MANY }, (_, index) => pay(Number(orders[index % 5]), BANK));
    const closed = await askToClose(client, TO);
    const filed = await filedBooks(client);
    const answers = await Promise.all(paying);

    expect(closed.status, closed.text).to.equal(200);
    for (const answer of answers) if (answer.status !== 201) expect(answer).to.be.refused(409, PERIOD_CLOSED);
    expect(await filedBooks(client)).to.deep.equal(filed);
  });
});
