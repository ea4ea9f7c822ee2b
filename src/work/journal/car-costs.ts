// What credit notes do to the cost of the cars of their invoices: the stock account has the price of each car in stock.
// A purchase leaves the stock once, by a sale or by its credit note, and the cost of a sale comes back with its car.
import { readLines } from '../../business/invoicing/case.ts';
import { eventsOf, type Moving, readMoving } from '../../business/invoicing/credit/car-history.ts';
import { findRecords } from '../../core/model/lists/find.ts';
import { Order } from '../../core/resources/order.ts';
import { grouped } from '../../core/trade/grouped.ts';
import { type CarMove, type CarReturn, returnedCost } from '../../core/trade/order-case/car-history.ts';
import { isCredit } from '../../core/trade/order-case/line.ts';
import { takesCost, vehicleOf } from '../../core/trade/order-case/margin.ts';
import { boughtLines, movedIn, tradeOf } from '../../core/trade/order-case/stock.ts';
import type { CarCosts, LineToBook } from '../../core/trade/posting.ts';
import type { Scope } from './scope.ts';

interface InvoiceOfCars {
  readonly id: number;
  readonly order_type: number;
  readonly credited_order_id: number | null;
  readonly orderline: readonly LineToBook[];
}

type CostsOf = (invoice: InvoiceOfCars) => CarCosts | undefined;

/**
 * Undefined for an invoice that is no credit note, and for the credit note of an invoice that moved no car. Nothing
 * counts that is later than the credit note, so the journal of a period stays the same: the credit note keeps no mark,
 * and credit notes of older releases are right too.
 */
export async function readCarCosts(
  { garage, ledger }: Pick<Scope, 'garage' | 'ledger'>,
  invoices: readonly InvoiceOfCars[],
): Promise<CostsOf> {
  const none: CostsOf = () => undefined;
  if (!ledger.accounts.some(({ field }) => field === 'stock_ledger_account')) return none;
  const credited = invoices.flatMap((one) => (isCredit(one) ? (one.credited_order_id ?? []) : []));
  const ids = [...new Set(credited)];
  if (ids.length === 0) return none;
  const lines = grouped(await readLines(garage, ids), ({ order_id }) => order_id);
  const orders = await findRecords(garage, Order.resource, ids);
  const cars = new Set(orders.flatMap((order) => movedIn(tradeOf(order, lines.get(order.id) ?? []))));
  if (cars.size === 0) return none;
  const moving = await readMoving(garage, [...cars]);
  const byId = new Map(moving.map((one) => [one.order.id, one]));
  const events = new Map([...cars].map((car) => [car, eventsOf(car, moving)]));
  return (invoice) => {
    const taken = isCredit(invoice) ? byId.get(invoice.credited_order_id ?? 0) : undefined;
    return taken && costsOf(invoice, { taken, byId, events });
  };
}

interface Story {
  /** The invoice that the credit note takes back. */
  readonly taken: Moving;
  readonly byId: ReadonlyMap<number, Moving>;
  /** The moves and returns of each car, the oldest first. */
  readonly events: ReadonlyMap<number, readonly (CarMove | CarReturn)[]>;
}

function costsOf(
  { id, orderline }: InvoiceOfCars,
  { taken: { order, lines }, byId, events }: Story,
): CarCosts {
  const trade = tradeOf(order, lines);
  const spent = new Set<number>();
  const returned: LineToBook[] = [];
  for (const car of movedIn(trade)) {
    const own = events.get(car) ?? [];
    const index = own.findIndex((event) => 'by' in event && event.by === id);
    // A credit note of a part moves no car.
    if (index < 0) continue;
    const { isSpent, sale } = returnedCost(order.id, own.slice(0, index));
    if (isSpent) spent.add(car);
    const seller = byId.get(sale ?? 0);
    if (seller) returned.push(...costLines(seller.order, seller.lines, new Set([car])));
  }
  const bought = boughtLines(order, orderline).flatMap(([car, own]) => (spent.has(car) ? own : []));
  return { unstocked: new Set([...costLines(order, orderline, trade.sold), ...bought]), returned };
}

/** The lines by which an order sells these cars. */
const costLines = <L extends LineToBook>(
  order: Moving['order'],
  lines: readonly L[],
  cars: ReadonlySet<number>,
): L[] => lines.filter((line) => takesCost(line, order) && cars.has(vehicleOf(line, order) ?? 0));
