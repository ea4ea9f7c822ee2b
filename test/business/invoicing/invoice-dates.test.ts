// Invoices of one kind are dated in the order of their numbers, whatever the clock says. A clock that went back is a
// counter whose last time lies ahead.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { buildBuyer } from '../../support/build/build.ts';
import { dayOf, daysAfter, THIS_YEAR } from '../../support/build/day.ts';
import { invoiceIt, orderIn, purchaseOf, saleOf, stockCar } from '../../support/build/order.ts';
import { type Answer, type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const { INVOICE, ORDER } = LISTS.orderstatuses;
const { SELF_BILLED } = LISTS.purchaseproofs;
const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MANY = 30;
const EACH = 8;
const THE_COUNT = 5;
const SELLER = { vat_number: 'NL004495445B01', self_billing_agreed_at: '2026-01-01' };

interface Invoice {
  readonly invoice_number: string;
  readonly invoice_date: string;
  readonly supply_date: string;
  readonly due_date: string;
}

/** Sorts invoices of one kind by number. No invoice may be dated before the one with the number before. */
function expectRising(invoices: readonly Invoice[]): Invoice[] {
  const byNumber = [...invoices].sort((one, other) => (one.invoice_number < other.invoice_number ? -1 : 1));
  const dates = byNumber.map(({ invoice_date }) => invoice_date);
  expect(dates).to.deep.equal([...dates].sort());
  return byNumber;
}

describe('the date of an invoice', () => {
  let client: Client;
  let contact_id: number;
  beforeEach(async () => {
    client = await newClient();
    contact_id = (await buildBuyer(client, { payment_days: 14 })).id;
  });

  const sale = (): Promise<Invoice & { readonly id: number }> => orderIn(client, INVOICE, { contact_id });
  const owner = () => client.garage.owner;
  /** Lets the clock seem to have gone back by that many days since the last invoice of a kind. */
  const clockWentBack = (counter: string, days: number) =>
    execute(
      database(),
      'UPDATE counters SET last_at = last_at + INTERVAL ? DAY WHERE owner_id = ? AND name = ?',
      [days, owner(), counter],
    );
  const lastAt = async (counter: string) => {
    const [row] = await select(
      database(),
      "SELECT DATE_FORMAT(last_at, '%Y-%m-%dT%H:%i:%s.%f') AS at FROM counters WHERE owner_id = ? AND name = ?",
      [owner(), counter],
    );
    return `${String(row?.at).slice(0, 23)}Z`;
  };

  /** The number of the second invoice of this year, or of the first one of the next, if it is dated then. */
  const numberAfterOneAt = (at: string) => {
    const year = Number(dayOf(at).slice(0, 4));
    return `F${year}0000${year === THIS_YEAR ? 2 : 1}`;
  };

  it('is the one of the invoice before where the clock is behind, and so are its other dates', async () => {
    const before = await sale();
    await clockWentBack(`invoice:${THIS_YEAR}`, 1);
    const at = await lastAt(`invoice:${THIS_YEAR}`);

    const after = await sale();

    expect(after.invoice_number).to.equal(numberAfterOneAt(at));
    expect(Date.parse(at) - Date.parse(before.invoice_date)).to.be.at.least(DAY_MS);
    expect(after).to.include({ invoice_date: at, supply_date: at });
    expect(dayOf(after.due_date)).to.equal(daysAfter(at, 14));
  });

  it('goes on in the later year where the clock is a year behind', async () => {
    const year = THIS_YEAR + 1;
    const at = `${year}-01-05T10:00:00.000Z`;
    await sale();
    await execute(
      database(),
      'INSERT INTO counters (owner_id, name, value, last_at, dated_value) VALUES (?, ?, 3, ?, 3)',
      [owner(), `invoice:${year}`, `${year}-01-05 10:00:00`],
    );
    // As the first invoice of the later year left it.
    await execute(database(), 'UPDATE counters SET last_at = ? WHERE owner_id = ? AND name = ?', [
      `${year}-01-02 09:00:00`,
      owner(),
      `invoice:${THIS_YEAR}`,
    ]);

    const after = await sale();

    expect(after).to.include({ invoice_number: `F${year}00004`, invoice_date: at });
    const [counter] = await select(database(), 'SELECT value FROM counters WHERE owner_id = ? AND name = ?', [
      owner(),
      `invoice:${THIS_YEAR}`,
    ]);
    expect(counter?.value).to.equal(1);
  });

  it('goes on in the later year where no counter of this year is there', async () => {
    const year = THIS_YEAR + 1;
    const at = `${year}-01-05T10:00:00.000Z`;
    await execute(
      database(),
      'INSERT INTO counters (owner_id, name, value, last_at, dated_value) VALUES (?, ?, 3, ?, 3)',
      [owner(), `invoice:${year}`, `${year}-01-05 10:00:00`],
    );

    const [first, second] = [await sale(), await sale()];

    expect(first).to.include({ invoice_number: `F${year}00004`, invoice_date: at });
    expect(second).to.include({ invoice_number: `F${year}00005`, invoice_date: at });
  });

  it('begins a year behind the year before', async () => {
    const year = THIS_YEAR - 1;
    await execute(
      database(),
      'INSERT INTO counters (owner_id, name, value, last_at, dated_value) VALUES (?, ?, 7, ?, 7)',
      [owner(), `invoice:${year}`, `${year}-12-31 10:00:00`],
    );

    const first = await sale();

    expect(first.invoice_number).to.equal(`F${THIS_YEAR}00001`);
    // A clock that is a year behind finds the new year from now on.
    expect(await lastAt(`invoice:${year}`)).to.equal(first.invoice_date);
  });

  it(`rises with the numbers of ${MANY} invoices at once`, async () => {
    const ids: number[] = [];
    for (let count = 0; count < MANY; count += 1) ids.push((await orderIn(client, ORDER, { contact_id })).id);

    const answers = await Promise.all(ids.map((id) => invoiceIt(client, id)));

    const byNumber = expectRising(answers.map(({ data }) => data));
    expect(byNumber.at(-1)?.invoice_number).to.equal(`F${THIS_YEAR}000${MANY}`);
  });

  it('rises with the numbers of each kind if invoices of all kinds are made at once', async () => {
    const seller = await buildBuyer(client, SELLER);
    const ways: (() => Promise<Answer>)[] = [];
    const add = ({ id }: { readonly id: number }) => ways.push(() => invoiceIt(client, id));
    for (let count = 0; count < EACH; count += 1) {
      add(await orderIn(client, ORDER, { contact_id }));
      add(await saleOf(client, (await stockCar(client)).id, { contact_id }));
      add(await purchaseOf(client, (await stockCar(client)).id, { contact_id }));
      const selfBilled = { contact_id: seller.id, purchase_proof: SELF_BILLED };
      add(await purchaseOf(client, (await stockCar(client)).id, selfBilled));
      const { id: order_id } = await sale();
      ways.push(() => client.post('/order/credit', { order_id, is_invoiced: 1 }));
    }

    const answers = await Promise.all(ways.map((way) => way()));

    const kinds = new Map<string, Invoice[]>();
    for (const { status, data, text } of answers) {
      expect(status, text).to.be.below(300);
      const kind = String(data.invoice_number).slice(0, -THE_COUNT);
      kinds.set(kind, [...(kinds.get(kind) ?? []), data]);
    }
    expect([...kinds.values()].map(({ length }) => length)).to.have.members([EACH, EACH, 3 * EACH]);
    for (const invoices of kinds.values()) expectRising(invoices);
  });

  it('is kept apart for statements and for each seller', async () => {
    await sale();
    await clockWentBack(`invoice:${THIS_YEAR}`, 1);
    const seller = await buildBuyer(client, SELLER);
    const bought = async (purchase_proof: number, of: number) => {
      const { id } = await purchaseOf(client, (await stockCar(client)).id, {
        purchase_proof,
        contact_id: of,
      });
      return (await invoiceIt(client, id)).data as Invoice;
    };

    const statements = [await bought(LISTS.purchaseproofs.STATEMENT, contact_id)];
    await clockWentBack(`purchase-statement:${THIS_YEAR}`, 2);
    const selfBilled = await bought(SELF_BILLED, seller.id);
    statements.push(await bought(LISTS.purchaseproofs.STATEMENT, contact_id));

    expect([statements[0], selfBilled].map((one) => dayOf(one?.invoice_date))).to.deep.equal([
      dayOf(),
      dayOf(),
    ]);
    expect(statements[1]?.invoice_date).to.equal(await lastAt(`purchase-statement:${THIS_YEAR}`));
    expect(Date.parse(String(statements[1]?.invoice_date))).to.be.above(Date.now() + DAY_MS);
  });

  it('follows an invoice that an older version has numbered', async () => {
    const { id } = await sale();
    const { knex } = database();
    const ahead = new Date(Date.now() + 3 * DAY_MS).toISOString().slice(0, 23).replace('T', ' ');
    await knex('orders').where({ id }).update({ invoice_date: ahead });
    await knex('invoiceparties').where({ order_id: id }).update({ created_at: ahead });
    // An older version leaves these columns alone.
    await knex('counters')
      .where({ owner_id: owner(), name: `invoice:${THIS_YEAR}` })
      .update({ last_at: null, dated_value: null });

    const [next, last] = [await sale(), await sale()];

    const at = `${ahead.replace(' ', 'T')}Z`;
    expect(next.invoice_number).to.equal(numberAfterOneAt(at));
    for (const one of [next, last]) expect(one.invoice_date).to.equal(at);
  });

  it('does not follow invoices of an earlier system', async () => {
    const ahead = new Date(Date.now() + 10 * HOUR_MS).toISOString();
    const old = (external_id: string, number: number): Json => ({
      external_id,
      order_number: number,
      order_type: 1,
      order_date: ahead,
      invoice_number: `${THIS_YEAR}00${number}`,
      invoice_date: ahead,
      contact_external_id: 'K',
      orderline: [{ line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 }],
    });
    await client.put(`/contact/${contact_id}`, { external_id: 'K' });
    const bring = (...rows: Json[]) => importJson(client, 'resource=order&mode=upsert&history=1', rows);
    await bring(old('O-1', 817));

    const first = await sale();
    await bring(old('O-2', 900));
    const second = await sale();

    expect([first, second].map(({ invoice_number }) => invoice_number)).to.deep.equal([
      `F${THIS_YEAR}00818`,
      `F${THIS_YEAR}00901`,
    ]);
    for (const { invoice_date } of [first, second])
      expect(Date.parse(invoice_date)).to.be.below(Date.parse(ahead));
  });

  it('is also the date of the payments that settle a credit note, and of a sold car', async () => {
    const car = await stockCar(client);
    const { id } = await saleOf(client, car.id, { contact_id });
    await sale();
    await clockWentBack(`invoice:${THIS_YEAR}`, 1);

    const sold = (await invoiceIt(client, id)).data as Invoice;
    const credit = (await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).data as Invoice;

    const { data: payments } = await client.get('/payment');
    const { data: lines } = await client.get(`/vehicleroleline?filter=vehicle_id:${car.id}`);
    expect(credit.invoice_date).to.equal(sold.invoice_date);
    expect(payments.map(({ paid_at }: Json) => paid_at)).to.deep.equal([
      sold.invoice_date,
      sold.invoice_date,
    ]);
    // The buyer's line began and ended at one instant.
    expect(lines).to.deep.equal([]);
  });
});
