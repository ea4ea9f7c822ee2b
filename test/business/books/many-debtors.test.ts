// GET /debtor of garages with many payers: the rows, and their order, that a plain sum of the invoices gives.
import type { Row } from '../../../src/core/model/fields/field.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { writeRows } from '../../support/database/many-rows.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

/** So that their answer has more than one chunk. */
const PAYERS = 3_000;
const AT = '2026-03-31';
/** Due dates, and their ages on that day. */
const DUE = [
  ['2026-03-31', 'not_due'],
  ['2026-03-30', 'days_30'],
  ['2026-02-15', 'days_60'],
  ['2026-01-02', 'days_90'],
  ['2025-06-30', 'older'],
] as const;
const NAMES = ['de Boer', 'Álease', 'Aleman', 'Zé', 'van der Berg', 'A-7', 'a 7', 'Ærø'];

interface Invoice {
  readonly payer: number;
  readonly cents: number;
  readonly due: (typeof DUE)[number];
}

const dueAt = (index: number) => DUE[index % DUE.length] ?? DUE[0];
const nameOf = (payer: number) => `${NAMES[payer % NAMES.length]} ${payer % 70}`;

/** Each payer has an invoice, and each third one another one of the next age, or a credit note. */
const invoicesFrom = (cents: number): Invoice[] =>
  Array.from({ length: PAYERS }, (_, payer) => [
    { payer, cents: cents + payer, due: dueAt(payer) },
    ...(payer % 3 === 0 ? [{ payer, cents: payer % 2 === 0 ? 7 : -7, due: dueAt(payer + 1) }] : []),
  ]).flat();

/** Adds the payers and their invoices, and answers the IDs of the payers. */
async function addInvoices({ garage: { owner } }: Client, invoices: readonly Invoice[]): Promise<number[]> {
  await writeRows(database(), owner, { table: 'contacts', count: PAYERS }, (payer) => ({
    contact_kind: LISTS.contactkinds.PERSON,
    country_id: 1,
    last_name: nameOf(payer),
    contact_number: 1_000 + payer,
  }));
  const added = await select(
    database(),
    'SELECT id FROM contacts WHERE owner_id = ? AND contact_number >= 1000 ORDER BY contact_number',
    [owner],
  );
  const ids = added.map(({ id }) => Number(id));
  await writeRows(database(), owner, { table: 'orders', count: invoices.length }, (index): Row => {
    const { payer = 0, cents = 0, due = DUE[0] } = invoices[index] ?? {};
    const day = '2025-01-01 12:00:00.000';
    return {
      ...{ order_type: LISTS.ordertypes.WORKSHOP, order_status: LISTS.orderstatuses.INVOICE, is_invoiced: 1 },
      ...{ order_date: day, invoice_date: day, book_date: day, due_date: `${due[0]} 12:00:00.000` },
      ...{ order_number: 1_000 + index, invoice_number: `N-${index}`, contact_id: ids[payer] ?? null },
      amount_open: (cents / 100).toFixed(2),
    };
  });
  return ids;
}

/** The answer, from the invoices of each payer. */
function expected(invoices: readonly Invoice[], ids: readonly number[]) {
  const byName = new Intl.Collator('nl');
  const rows = ids.map((contact_id, payer) => {
    const own = invoices.filter((invoice) => invoice.payer === payer);
    const sum = (some: readonly Invoice[]) => some.reduce((total, { cents }) => total + cents, 0) / 100;
    const days = own.filter(({ cents }) => cents > 0).map(({ due: [day] }) => day);
    return {
      ...{ contact_id, name: nameOf(payer) },
      ...Object.fromEntries(DUE.map(([, age]) => [age, sum(own.filter(({ due }) => due[1] === age))])),
      ...{ total: sum(own), oldest_due_date: `${days.sort()[0]}T12:00:00.000Z` },
    };
  });
  return rows.sort((one, other) => byName.compare(one.name, other.name) || one.contact_id - other.contact_id);
}

describe('the debtors of garages with many payers', function () {
  this.timeout(60_000);

  it('are those of the garage, with exact sums, by name', async () => {
    const clients = [await newClient(), await newClient()];
    const invoices = [invoicesFrom(10_001), invoicesFrom(7_000_007)];
    const ids: number[][] = [];
    for (const [index, client] of clients.entries())
      ids.push(await addInvoices(client, invoices[index] ?? []));

    for (const [index, client] of clients.entries()) {
      const { status, text, data } = await client.get(`/debtor?at=${AT}`);

      expect(status, text).to.equal(200);
      expect(data).to.have.length(PAYERS);
      expect(data).to.deep.equal(expected(invoices[index] ?? [], ids[index] ?? []));
    }
  });
});
