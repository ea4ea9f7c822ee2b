// The series that number invoices: sales, statements of private sellers, and self-billed purchases of each seller. Each
// year counts from 1. The counter stays locked until the transaction ends, so a series has no gap and no number twice.

import { nextNumber, raiseCounter } from '../../model/counter.ts';
import { onIndex } from '../../model/fragment.ts';
import type { Garage } from '../../model/garage.ts';
import { Order } from '../../resources/order.ts';
import {
  invoiceCounter,
  invoiceNumber,
  readInvoiceNumber,
  STATEMENT_PREFIX,
  selfBilledCounter,
  selfBilledPrefix,
  statementCounter,
} from '../../trade/invoice-number.ts';
import { LISTS } from '../../trade/lists.ts';
import { payerOf } from '../../trade/payer.ts';
import { purchaseOf, type Traded } from '../../trade/purchase-proof.ts';
import { formatTimestamp } from '../../trade/timestamp.ts';
import type { Parties } from './invoice-parties.ts';

const { SELF_BILLED, STATEMENT } = LISTS.purchaseproofs;
const ROWS_AT_A_TIME = 5_000;

/** The counter of an invoice, and the parts of its number. */
interface Series {
  readonly counter: string;
  readonly prefix: string;
  readonly year: number;
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
  year: number,
): Series | undefined {
  const counter = counterOf(purchase, buyer.id, year);
  const prefix = seller.invoice_prefix ?? '';
  if (counter === undefined) return undefined;
  if (!purchase) return { counter, prefix, year };
  if (purchase.purchase_proof === STATEMENT) return { counter, prefix: STATEMENT_PREFIX, year };
  return { counter, prefix: selfBilledPrefix(prefix, Number(buyer.contact_number)), year };
}

/** `party`: the ID of the other party of the invoice. */
function counterOf(purchase: Purchase, party: number, year: number): string | undefined {
  if (!purchase) return invoiceCounter(year);
  if (purchase.purchase_proof === STATEMENT) return statementCounter(year);
  return purchase.purchase_proof === SELF_BILLED ? selfBilledCounter(party, year) : undefined;
}

/**
 * Takes the next number. After a garage changed its prefix, two series may give the same text. A number that an invoice
 * of another series has is then skipped; its own series misses no number by that.
 */
export async function nextInvoiceNumber(garage: Garage, series: Series): Promise<string> {
  for (;;) {
    const count = await nextNumber(garage, series.counter);
    const invoice_number = invoiceNumber(series.prefix, series.year, count);
    const taken = await Order.of(garage).select('id').findOne({ invoice_number });
    if (!taken) return invoice_number;
  }
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
type Numbered = Pick<Order, (typeof NUMBERED)[number]>;

/** Raises the counter of an old invoice at least to its number. `credited`: the invoice that it credits. */
export async function raiseSeries(
  garage: Garage,
  order: Numbered,
  credited: Traded | undefined,
): Promise<void> {
  const last = lastOf(order, credited);
  if (last) await raiseCounter(garage, last.counter, last.count);
}

function lastOf(order: Numbered, credited: Traded | undefined) {
  const date = new Date(formatTimestamp(String(order.invoice_date)));
  const { year, count } = readInvoiceNumber(order.invoice_number ?? '', date) ?? {};
  if (year === undefined || count === undefined) return undefined;
  const counter = counterOf(purchaseOf<Traded>(order, credited), payerOf(order), year);
  return counter === undefined ? undefined : { counter, count };
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
