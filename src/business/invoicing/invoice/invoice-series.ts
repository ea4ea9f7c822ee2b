// The series that number invoices: sales, statements of private sellers, and self-billed purchases of each seller. Each
// year counts from 1. The counter stays locked until the transaction ends, so a series has no gap and no number twice,
// and its numbers are in the order of their times.

import { Counter, nextDatedNumber, raiseCounter } from '../../../core/model/records/counter.ts';
import {
  instant,
  instantText,
  latestOf,
  onIndex,
  payerOfOrder,
} from '../../../core/model/statements/fragment.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import {
  columns,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../../../core/model/statements/selected.ts';
import { InvoiceParty } from '../../../core/resources/invoice-party.ts';
import { Order } from '../../../core/resources/order.ts';
import {
  invoiceNumber,
  invoiceYear,
  readInvoiceNumber,
  SALES,
  STATEMENT_PREFIX,
  STATEMENTS,
  selfBilledKind,
  selfBilledPrefix,
  seriesCounter,
} from '../../../core/trade/invoice-number.ts';
import { PURCHASE_TYPES } from '../../../core/trade/kinds/purchase.ts';
import { type Paper, paperOf, purchaseOf, type Traded } from '../../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { payerOf } from '../../../core/trade/payer.ts';
import { databaseNow, formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { claimBooks } from '../closed-period.ts';
import { within } from '../fragment.ts';
import type { Parties } from './invoice-parties.ts';

const { SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const ROWS_AT_A_TIME = 5_000;
/** Seller and buyer are kept in the transaction that numbers an invoice, and later than the date of an imported one. */
const SAME_MOMENT_SECONDS = 60;

/** The numbers of one kind of invoices: a counter for each year. */
interface Series {
  readonly kind: string;
  readonly prefix: string;
  /** The seller of self-billed purchases. */
  readonly seller?: number;
}

/** The fields that choose the series of a purchase. Undefined for a sale. */
type Purchase = Pick<Traded, 'purchase_proof'> | undefined;

/**
 * The series of a sale, or of a purchase and its credit note. Undefined if the seller's own invoice has the only
 * number.
 */
export function seriesOf(
  purchase: Purchase,
  {
    seller,
    buyer,
  }: {
    readonly seller: Pick<Parties['seller'], 'invoice_prefix'>;
    readonly buyer: Pick<Parties['buyer'], 'id' | 'contact_number'>;
  },
): Series | undefined {
  const kind = kindOf(purchase, buyer.id);
  const prefix = seller.invoice_prefix ?? '';
  if (kind === undefined) return undefined;
  if (!purchase) return { kind, prefix };
  if (paperOf(purchase.purchase_proof) === 'statement') return { kind, prefix: STATEMENT_PREFIX };
  return { kind, prefix: selfBilledPrefix(prefix, Number(buyer.contact_number)), seller: buyer.id };
}

/** `party`: the ID of the other party of the invoice. */
function kindOf(purchase: Purchase, party: number): string | undefined {
  return purchase ? KINDS[paperOf(purchase.purchase_proof)](party) : SALES;
}

const KINDS: Readonly<Record<Paper, (seller: number) => string | undefined>> = {
  nothing: () => undefined,
  invoice: selfBilledKind,
  statement: () => STATEMENTS,
};

interface Numbered {
  readonly invoice_number: string;
  /** Now, or the time of the invoice with the number before if that is later; in the form of the database. */
  readonly at: string;
}

/**
 * Takes the next number, of the year of its time. After a garage changed its prefix, two series may give the same text.
 * A number that an invoice of another series has is then skipped; its own series misses no number by that.
 */
export async function nextInvoiceNumber(garage: Garage, series: Series, timezone: string): Promise<Numbered> {
  let at = databaseNow();
  for (;;) {
    const year = invoiceYear(dateOf(at), timezone);
    const counter = seriesCounter(series.kind, year);
    const count = await nextDatedNumber(garage, counter, at);
    const invoice_number = invoiceNumber(series.prefix, year, count);
    const { last_at, dated_value, taken } = await readCounter(garage, counter, invoice_number);
    at = dated_value === count ? last_at : await findLast(garage, series, { counter, count, at });
    if (invoiceYear(dateOf(at), timezone) !== year) await giveBack(garage, counter, count);
    else if (taken === null) return { invoice_number, at };
  }
}

const dateOf = (at: string) => new Date(formatTimestamp(at));

const COUNTED = {
  ...columns(Counter, 'c', 'dated_value'),
  last_at: text(instant('c.last_at')),
  taken: orNull(whole('o.id')),
};

/** The locked counter, and the order that has the number already. */
async function readCounter(
  garage: Garage,
  name: string,
  invoice_number: string,
): Promise<Selected<typeof COUNTED>> {
  const counter = Counter.of(garage, 'c')
    .leftJoin(`${Order.tableName} as o`, (on) =>
      on.on('o.owner_id', 'c.owner_id').andOnVal('o.invoice_number', invoice_number),
    )
    .where('c.name', name);
  const [row] = await selected(counter, COUNTED);
  if (!row) throw new Error(`The counter ${name} is gone`);
  return row;
}

/** Puts the last number back: the invoice belongs to a later year. */
async function giveBack(garage: Garage, name: string, count: number): Promise<void> {
  await Counter.of(garage)
    .patch({ value: count - 1, dated_value: count - 1 })
    .where({ name });
}

/**
 * The latest time of a kind, `at` or later, where its counter does not tell: the counter is new, or an older version
 * has counted. Notes the time in the counters of all years, so that a clock that is a year behind finds it too.
 */
async function findLast(
  garage: Garage,
  series: Series,
  { counter, count, at }: { readonly counter: string; readonly count: number; readonly at: string },
): Promise<string> {
  const counters = () => Counter.of(garage).where('name', 'like', seriesCounter(series.kind, '%'));
  const known = await counters().select(instantText(Counter.tableName, 'last_at')).forUpdate();
  // A close notes its time in the counters that are there. This one may be new.
  const { opens } = await claimBooks(garage, garage.owner);
  const times = [at, opens, ...known.map(({ last_at }) => last_at), await newestDate(garage, series)];
  const last = times.reduce<string>((latest, time) => (time != null && time > latest ? time : latest), at);
  await counters().patch({ last_at: latestOf('last_at', last) });
  await Counter.of(garage).patch({ dated_value: count }).where('name', counter);
  return last;
}

/** The date of the newest invoice of the kind that the service has numbered; null: there is none. */
async function newestDate(garage: Garage, series: Series): Promise<string | null> {
  const { table } = Order.resource;
  const newest = await Order.of(garage, 'o')
    // From the newest on: sorted, the server would read all invoices.
    .from(onIndex(table, 'o', `${table}__invoice_date`))
    .select(instantText('o', 'invoice_date'))
    .join(`${InvoiceParty.tableName} as p`, (on) =>
      on.on('p.owner_id', 'o.owner_id').on('p.order_id', 'o.id'),
    )
    .leftJoin(`${Order.tableName} as credited`, (on) =>
      on.on('credited.owner_id', 'o.owner_id').on('credited.id', 'o.credited_order_id'),
    )
    .whereNotNull('o.invoice_date')
    .whereNotNull('o.invoice_number')
    .where(within('p.created_at', 'o.invoice_date', SAME_MOMENT_SECONDS))
    .where((numbered) => {
      if (series.kind === SALES)
        return numbered
          .whereNotIn('o.order_type', [...PURCHASE_TYPES])
          .where((sale) =>
            sale.whereNull('credited.id').orWhereNotIn('credited.order_type', [...PURCHASE_TYPES]),
          );
      const purchase_proof = series.kind === STATEMENTS ? STATEMENT : SELF_BILLED;
      for (const table of ['o', 'credited'])
        numbered.orWhere((purchase) =>
          purchase
            .whereIn(`${table}.order_type`, [...PURCHASE_TYPES])
            .where(`${table}.purchase_proof`, purchase_proof),
        );
      return numbered;
    })
    .modify((query) => {
      if (series.seller !== undefined) query.where(payerOfOrder('o'), series.seller);
    })
    .orderBy('o.invoice_date', 'desc')
    .first();
  return newest?.invoice_date ?? null;
}

const NUMBERED = [
  'id',
  'order_type',
  'purchase_proof',
  'credited_order_id',
  'contact_id',
  'invoice_contact_id',
  'invoice_number',
  'invoice_date',
] as const;
type OldInvoice = Pick<Order, (typeof NUMBERED)[number]>;

/** Raises the counter of an old invoice at least to its number. `credited`: the invoice that it credits. */
export async function raiseSeries(
  garage: Garage,
  order: OldInvoice,
  credited: Traded | undefined,
): Promise<void> {
  const last = lastOf(order, credited);
  if (last) await raiseCounter(garage, last.counter, last.count);
}

function lastOf(order: OldInvoice, credited: Traded | undefined) {
  const date = new Date(formatTimestamp(String(order.invoice_date)));
  const { year, count } = readInvoiceNumber(order.invoice_number ?? '', date) ?? {};
  if (year === undefined || count === undefined) return undefined;
  const kind = kindOf(purchaseOf<Traded>(order, credited), payerOf(order));
  return kind === undefined ? undefined : { counter: seriesCounter(kind, year), count };
}

/** Called after a restore: raises all counters of an owner at least to the numbers of its invoices. */
export async function continueInvoiceNumbers(garage: Garage): Promise<void> {
  const highest = new Map<string, number>();
  for await (const invoices of portions(garage)) {
    const credited = await Order.of(garage)
      .select('id', 'order_type', 'purchase_proof')
      .whereIn(
        'id',
        invoices.flatMap(({ credited_order_id }) => credited_order_id ?? []),
      );
    const byId = new Map(credited.map((order) => [order.id, order]));
    for (const invoice of invoices) {
      const { counter, count } = lastOf(invoice, byId.get(invoice.credited_order_id ?? 0)) ?? {};
      if (counter !== undefined && count !== undefined)
        highest.set(counter, Math.max(count, highest.get(counter) ?? 0));
    }
  }
  for (const [counter, count] of highest) await raiseCounter(garage, counter, count);
}

async function* portions(garage: Garage): AsyncGenerator<Order[]> {
  const { table } = Order.resource;
  let after = 0;
  for (;;) {
    const rows = await Order.of(garage)
      .from(onIndex(table, table, 'PRIMARY'))
      .select([...NUMBERED])
      .where('id', '>', after)
      .whereNotNull('invoice_number')
      .whereNotNull('invoice_date')
      .orderBy('id')
      .limit(ROWS_AT_A_TIME);
    yield rows;
    if (rows.length < ROWS_AT_A_TIME) return;
    after = rows.at(-1)?.id ?? after;
  }
}
