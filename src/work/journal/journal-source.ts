// The journal of a period as one file, in the format that was asked for.
import { type Days, regimesIn } from '../../business/books/period.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Order } from '../../core/resources/order.ts';
import { Payment } from '../../core/resources/payment.ts';
import { closedPeriodOf } from '../../core/trade/closed-period.ts';
import { CREDITORS, DEBTORS, MARGIN_TURNOVER, type MarginToBook } from '../../core/trade/posting.ts';
import { endOf, todayIn } from '../../core/trade/time/day.ts';
import { euros } from '../../core/trade/totals.ts';
import { failure } from '../../platform/job-failure.ts';
import { rising } from '../../platform/zip/percent.ts';
import { csvJournal } from './csv.ts';
import type { Entry } from './entries.ts';
import { exactJournal } from './exact.ts';
import { JOURNAL, type JournalForm, type JournalFormat, type WriteJournal } from './form.ts';
import { readMarginsToBook } from './margin-entries.ts';
import { hasMarginSale, missingForJournal } from './missing.ts';
import { readScope, type Scope } from './scope.ts';
import { snelstartJournal } from './snelstart.ts';
import { twinfieldJournal } from './twinfield.ts';
import { xafJournal } from './xaf.ts';

/**
 * The postings of an invoice with one turnover group and VAT, and of a payment. Only the progress depends on these
 * numbers.
 */
const POSTINGS = { order: 3, payment: 2 };
const CHUNK_CHARACTERS = 2 ** 17;

const WRITERS: Readonly<Record<JournalFormat, { readonly ending: string; readonly write: WriteJournal }>> = {
  csv: { ending: 'csv', write: csvJournal },
  snelstart: { ending: 'csv', write: snelstartJournal },
  exact: { ending: 'xml', write: exactJournal },
  twinfield: { ending: 'xml', write: twinfieldJournal },
  xaf: { ending: 'xaf', write: xafJournal },
};

/** `code` stays the same; the text is for people. */
interface Warning {
  readonly code: string;
  readonly message: string;
}

const NO_METHOD: Warning = {
  code: 'margin_method_empty',
  message:
    'owner.margin_method is empty: the VAT of each margin is posted with its sale. If the method becomes GLOBAL, the ' +
    'amounts of these entries change, not their names. Set the method first, then book the export',
};
const NOT_POSTED: Warning = {
  code: 'margin_not_posted',
  message:
    'owner.margin_turnover_account is empty: book the VAT of the margins yourself, from the VAT return',
};
const NOT_OVER: Warning = {
  code: 'margin_period_not_over',
  message:
    'The journal margin has an entry of a period or a year that is not over: its amount may change, its name does not',
};
const NOT_CLOSED: Warning = {
  code: 'margin_period_not_closed',
  message:
    'The journal margin has an entry of a period or a year that is not closed: a purchase with an older date may ' +
    'change its amount, not its name. Close the period first, then book the export',
};

/** `rows` and `summary` are complete only after the content has been read. */
interface JournalFile {
  readonly path: string;
  content(): AsyncGenerator<Buffer>;
  /** The number of postings. */
  rows(): number;
  summary(): Summary;
}

interface Summary extends Readonly<Record<string, unknown>> {
  readonly warnings: readonly Warning[];
}

/**
 * Opens the journal of an owner, to be read within a snapshot. Throws a JobFailure if a field is missing: the field was
 * filled in when the job was requested. `onProgress` gets whole percents.
 */
export async function openJournal(
  garage: Garage,
  days: Days,
  { form, onProgress }: { form: JournalForm; onProgress?: (percent: number) => void },
): Promise<JournalFile> {
  const asked = await readScope(garage, days, form.journals);
  const [lack] = await missingForJournal(asked);
  if (lack)
    throw failure('journal_incomplete', {
      message: lack.message,
      resource: String(lack.resource),
      id: Number(lack.id),
    });
  const margins = await readMarginsToBook(asked);
  const isPosted = asked.ledger.account(MARGIN_TURNOVER) !== undefined;
  const scope = { ...asked, margins: isPosted ? margins : [] };
  const { timezone } = scope.period;
  const today = todayIn(timezone);
  const closed = closedPeriodOf(scope.company);
  const isOpen = ({ to }: MarginToBook) => to < today && !closed.has(endOf(to, timezone));
  // No setting changes the amounts of a closed period.
  const unsaid = closed.has(scope.period.last)
    ? []
    : regimesIn(scope).filter(({ margin_method }) => margin_method === null);
  const warnings = [
    ...(unsaid.length > 0 && (await hasMarginSale(scope, unsaid)) ? [NO_METHOD] : []),
    ...(margins.length > 0 && !isPosted ? [NOT_POSTED] : []),
    ...(scope.margins.some(({ to }) => to >= today) ? [NOT_OVER] : []),
    ...(scope.margins.some(isOpen) ? [NOT_CLOSED] : []),
  ];
  const totals = new Totals();
  const { ending, write } = WRITERS[form.format];
  const [total, advance] = [await estimate(scope), rising(onProgress)];
  return {
    path: `${JOURNAL}.${ending}`,
    content: async function* () {
      for await (const chunk of chunks(write(scope, form, (entry) => totals.add(entry)))) {
        advance(totals.rows / Math.max(1, total));
        yield chunk;
      }
    },
    rows: () => totals.rows,
    summary: () => ({ timezone, ...totals.summary(), warnings }),
  };
}

/** Joins texts to larger chunks: a zip takes many times as long with small chunks. */
async function* chunks(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

/** Estimates the number of postings. */
async function estimate({ garage, period: { first, last } }: Scope): Promise<number> {
  const orders = await Order.of(garage).whereBetween('book_date', [first, last]).resultSize();
  const payments = await Payment.of(garage).whereBetween('paid_at', [first, last]).resultSize();
  return POSTINGS.order * orders + POSTINGS.payment * payments;
}

/** Adds up the written postings, for each journal and in all. */
class Totals {
  rows = 0;
  /** In cents, like `debtors` and `creditors`. */
  private readonly all = { entries: 0, debit: 0n, credit: 0n };
  private readonly journals = new Map<string, { entries: number; debtors: bigint; creditors: bigint }>();

  add({ journal, postings }: Entry): void {
    const own = this.journals.get(journal) ?? { entries: 0, debtors: 0n, creditors: 0n };
    this.journals.set(journal, own);
    own.entries += 1;
    this.all.entries += 1;
    this.rows += postings.length;
    for (const { account, amount } of postings) {
      if (amount > 0n) this.all.debit += amount;
      else this.all.credit -= amount;
      if (account.field === DEBTORS.field) own.debtors += amount;
      if (account.field === CREDITORS.field) own.creditors += amount;
    }
  }

  /** In euros. `debtors` and `creditors`: debit less credit on these accounts. */
  summary(): Readonly<Record<string, unknown>> {
    const { entries, debit, credit } = this.all;
    const journals = [...this.journals]
      .sort()
      .map(([name, own]) => [
        name,
        { entries: own.entries, debtors: amountOf(own.debtors), creditors: amountOf(own.creditors) },
      ]);
    return {
      entries,
      debit: amountOf(debit),
      credit: amountOf(credit),
      journals: Object.fromEntries(journals),
    };
  }
}

const amountOf = (cents: bigint): number => Number(euros(cents));
