// The history of a car: the invoices that moved it, and what each of them left. A credit note undoes only the last one
// that is not taken back, and the car returns to what the one before it left.
import { LISTS } from '../lists.ts';
import type { Cost } from './stock.ts';

const { CUSTOMER, STOCK, SOLD } = LISTS.stockstatuses;

/** What the garage paid for a car. Without `tax_kind` nobody knows how its sale is taxed. */
interface Paid {
  readonly purchase_date: string | null;
  readonly purchase_price: string | null;
  readonly tax_kind?: number;
}

/** An invoice that moved a car. */
export interface CarMove {
  /** The ID of the order. */
  readonly order: number;
  /** The date of supply. */
  readonly at: string;
  /** The contact on the other side. */
  readonly party: number;
  /** Undefined: the invoice sold the car. */
  readonly bought: Cost | undefined;
  /** The cost of the car on the line that sells it, without the BPM. */
  readonly cost: string | null;
  /** The BPM within the cost of that line; null: none. */
  readonly bpm: string | null;
}

/** A credit note that took a whole invoice back. */
export interface CarReturn {
  /** The ID of the credit note. */
  readonly by: number;
  /** The ID of the invoice. */
  readonly takesBack: number;
}

/** What an invoice left of a car. `by`: the order. 0: the car came into stock without an invoice. */
interface Standing {
  readonly by: number;
  readonly stock_status: number;
  /** The contact who owns the car; null: the garage. */
  readonly owner: number | null;
  readonly paid: Paid;
  /** The sale that has taken the cost of this purchase out of the stock, also while another purchase stands. */
  readonly soldBy?: number;
  /** The BPM that the car bore when it was sold; null: none. */
  readonly bpm?: string | null;
}

/** How a car changes when the last invoice that moved it is taken back. */
export interface Undo {
  readonly stock_status: number;
  /** The contact who owns the car then; null: the garage. */
  readonly owner: number | null;
  /** Undefined: the price and the date stay. */
  readonly paid: Paid | undefined;
  /** The BPM of the sale that stands again. Undefined: the BPM stays. */
  readonly bpm?: string;
  /** Whether the invoice sold the car. */
  readonly isOfSale: boolean;
}

const UNPAID: Paid = { purchase_date: null, purchase_price: null };

/**
 * How the car changes when this invoice is taken back. Undefined: it stays as it is, because another invoice has moved
 * it since, or because the invoice did not move it. `events`: the oldest first, without the credit note of now.
 */
export function undone(order: number, events: readonly (CarMove | CarReturn)[]): Undo | undefined {
  const standing = standingOf(events);
  const last = standing.at(-1);
  if (last?.by !== order) return undefined;
  const isOfSale = last.stock_status === SOLD;
  const before: Omit<Standing, 'by'> = standing.at(-2) ?? {
    stock_status: CUSTOMER,
    owner: sellerBefore(order, events),
    paid: UNPAID,
  };
  const { stock_status, owner, paid, bpm } = before;
  // A sale leaves the price as it is, and somebody may have changed the price by hand.
  const undo = { stock_status, owner, paid: paid === last.paid ? undefined : paid, isOfSale };
  return bpm == null ? undo : { ...undo, bpm };
}

/** How the cost of a car changes when a credit note takes its whole invoice back. */
interface CostReturn {
  /** Whether a sale took the cost of this purchase out of the stock, so that it can't leave the stock once more. */
  readonly isSpent: boolean;
  /** The sale whose cost comes back into stock, because the car does. */
  readonly sale: number | undefined;
}

/**
 * `events`: those before the credit note, the oldest first. A car that is bought twice, without a sale between, is in
 * stock with both prices. One of the purchases is a mistake, and its credit note takes its price off again.
 */
export function returnedCost(order: number, events: readonly (CarMove | CarReturn)[]): CostReturn {
  const standing = standingOf(events);
  const own = standing.find(({ by }) => by === order);
  const left = standing.filter(({ by }) => by !== order);
  return { isSpent: own?.soldBy !== undefined, sale: left.at(-1)?.soldBy };
}

/** The purchases of a car in stock. */
interface Purchases {
  /** The one by which the garage has the car. Undefined: it has the car without an invoice, or does not have it. */
  readonly last: number | undefined;
  /** The prices of all others, credited ones too. */
  readonly earlier: readonly string[];
  /** The BPM of all sales: a purchase after a sale empties the BPM of the car. */
  readonly bpms: readonly string[];
}

export function purchasesOf(events: readonly (CarMove | CarReturn)[]): Purchases {
  const last = standingOf(events).at(-1);
  const has = last?.stock_status === STOCK && last.by !== 0 ? last.by : undefined;
  const earlier = events.flatMap((event) =>
    'bought' in event && event.bought && event.order !== has ? event.bought.purchase_price : [],
  );
  const bpms = events.flatMap((event) => ('bpm' in event ? (event.bpm ?? []) : []));
  return { last: has, earlier, bpms };
}

/** What the invoices that are not taken back left, the oldest first. */
function standingOf(events: readonly (CarMove | CarReturn)[]): Standing[] {
  let standing: Standing[] = [];
  for (const event of events) {
    if ('takesBack' in event) {
      standing = inStockAgain(standing.filter(({ by }) => by !== event.takesBack));
      continue;
    }
    const { order: by, at, party, bought, cost, bpm } = event;
    if (bought) {
      const paid = { purchase_date: at, ...bought };
      standing.push({ by, stock_status: STOCK, owner: null, paid });
      continue;
    }
    const last = standing.at(-1);
    const sold = last?.stock_status === STOCK ? last : byHand(cost);
    if (sold === last) standing.pop();
    // A sale without a cost leaves the cost in the stock.
    standing.push(cost === null ? sold : { ...sold, soldBy: by });
    standing.push({ by, stock_status: SOLD, owner: party, paid: sold.paid, bpm });
  }
  return standing;
}

/** The last purchase stands in stock, whatever sold it before. */
function inStockAgain(standing: readonly Standing[]): Standing[] {
  const last = standing.at(-1);
  if (last?.soldBy === undefined) return [...standing];
  const { soldBy, ...again } = last;
  return [...standing.slice(0, -1), again];
}

/**
 * A car that came into stock without an invoice counts as bought by hand: the credit note of its sale puts it back into
 * stock, not to CUSTOMER. Only the sale tells what the car cost.
 */
const byHand = (cost: string | null): Standing => ({
  by: 0,
  stock_status: STOCK,
  owner: null,
  paid: { purchase_date: null, purchase_price: cost },
});

/** Who gets a car back that the garage no longer has by any invoice: the seller of the last purchase. */
function sellerBefore(order: number, events: readonly (CarMove | CarReturn)[]): number | null {
  const index = events.findIndex((event) => 'order' in event && event.order === order);
  const purchase = events.slice(0, index + 1).findLast((event) => 'bought' in event && event.bought);
  return purchase && 'party' in purchase ? purchase.party : null;
}
