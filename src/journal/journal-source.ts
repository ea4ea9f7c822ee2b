// The journal of a period as rows of an export: one row for each posting.
import { Readable } from 'node:stream';
import type { Source } from '../export/list-source.ts';
import { failure } from '../job-failure.ts';
import type { Stored } from '../model/field.ts';
import type { ShownColumn } from '../model/serialize.ts';
import type { Session } from '../model/session.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { DEBTORS, type Posting } from '../trade/posting.ts';
import { euros } from '../trade/totals.ts';
import type { Packer } from '../zip/rows.ts';
import { type Entry, readEntries } from './entries.ts';
import { missingForJournal } from './missing.ts';
import { type Days, type Ledger, readScope, type Scope } from './scope.ts';

export const JOURNAL = 'journal';

/** Amounts are text, so that each has two decimals. */
const COLUMNS: readonly ShownColumn[] = [
  ...['date', 'journal', 'entry', 'account', 'description', 'debit', 'credit'].map(
    (name): ShownColumn => ({ name, kind: 'text' }),
  ),
  { name: 'order_id', kind: 'integer' },
  { name: 'invoice_number', kind: 'text' },
];

/** An invoice of one turnover group with VAT, and a payment; only the progress depends on it. */
const POSTINGS = { order: 3, payment: 2 };

/**
 * The journal of an owner, to be read within a snapshot. Throws a JobFailure where something is missing: it was there
 * when the job was asked for.
 */
export async function openJournal(session: Session, owner: number, days: Days): Promise<Source> {
  const scope = await readScope(session, owner, days);
  const [lack] = await missingForJournal(scope);
  if (lack)
    throw failure('journal_incomplete', {
      message: lack.message,
      resource: String(lack.resource),
      id: Number(lack.id),
    });
  const sums = new Sums();
  return {
    name: JOURNAL,
    columns: COLUMNS,
    total: await estimate(scope),
    // Read when all rows are written.
    get summary() {
      return { timezone: scope.period.timezone, ...sums.summary() };
    },
    rows: (packer) => Readable.from(chunks(scope, sums, packer)),
  };
}

async function* chunks(scope: Scope, sums: Sums, packer: Packer<Buffer>): AsyncGenerator<Buffer> {
  for await (const entry of readEntries(scope)) {
    sums.add(entry);
    for (const posting of entry.postings) {
      const chunk = packer.add(rowOf(entry, posting, scope.ledger));
      if (chunk) yield chunk;
    }
  }
  const rest = packer.rest();
  if (rest) yield rest;
}

function rowOf(entry: Entry, { account, description, amount }: Posting, ledger: Ledger): Stored[] {
  const { date, journal, entry: name, order_id, invoice_number } = entry;
  const number = ledger.account(account);
  if (number === undefined) throw new Error(`${account.field} of a posting is empty`);
  const [debit, credit] = amount > 0n ? [amount, 0n] : [0n, -amount];
  return [date, journal, name, number, description, euros(debit), euros(credit), order_id, invoice_number];
}

/** How many postings there are, about. */
async function estimate({ session, owner, period: { first, last } }: Scope): Promise<number> {
  const orders = await Order.of(session, owner).whereBetween('invoice_date', [first, last]).resultSize();
  const payments = await Payment.of(session, owner).whereBetween('paid_at', [first, last]).resultSize();
  return POSTINGS.order * orders + POSTINGS.payment * payments;
}

/** Adds up what is written, for each journal and for all. */
class Sums {
  /** In cents, as `debtors`. */
  private readonly all = { entries: 0, debit: 0n, credit: 0n };
  private readonly journals = new Map<string, { entries: number; debtors: bigint }>();

  add({ journal, postings }: Entry): void {
    const own = this.journals.get(journal) ?? { entries: 0, debtors: 0n };
    this.journals.set(journal, own);
    own.entries += 1;
    this.all.entries += 1;
    for (const { account, amount } of postings) {
      if (amount > 0n) this.all.debit += amount;
      else this.all.credit -= amount;
      if (account === DEBTORS) own.debtors += amount;
    }
  }

  /** In euros. `debtors`: debit less credit on that account. */
  summary(): Readonly<Record<string, unknown>> {
    const { entries, debit, credit } = this.all;
    const journals = [...this.journals]
      .sort()
      .map(([name, { entries, debtors }]) => [name, { entries, debtors: Number(euros(debtors)) }]);
    return {
      entries,
      debit: Number(euros(debit)),
      credit: Number(euros(credit)),
      journals: Object.fromEntries(journals),
    };
  }
}
