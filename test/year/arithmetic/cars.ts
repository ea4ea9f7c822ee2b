// Where each car is, by the papers that moved it: the last invoice that is not credited decides.
import type { Json } from '../../support/client/client.ts';
import { type Books, CREDIT, creditsOf, invoicesOf, LINE, linesOf, named, PURCHASE, SALE } from './books.ts';
import { cents, sum } from './exact.ts';

const STATUS = { CUSTOMER: 1, STOCK: 2, SOLD: 5 } as const;

/** A car that comes or goes by an invoice. */
export interface Move {
  readonly order: Json;
  readonly kind: 'bought' | 'sold';
  /** In cents; of a car that came in. */
  readonly price: number;
  /** The VAT code of the car. Undefined: no line names the car. */
  readonly code: unknown;
}

const isSale = (order: Json): boolean => order.order_type === SALE && order.deposit_of_order_id === null;

/** The oldest first. */
export function movesOf(books: Books, vehicle: Json): Move[] {
  return invoicesOf(books).flatMap((order): Move[] => {
    if (order.order_type === CREDIT) return [];
    const lines = linesOf(books, order).filter(({ line_kind }) => line_kind !== LINE.DEPOSIT);
    const cars = lines.filter(({ line_kind }) => line_kind === LINE.VEHICLE);
    const isOrders = order.vehicle_id === vehicle.id;
    const isOwn = (line: Json) => (line.vehicle_id ?? order.vehicle_id) === vehicle.id;
    const price = (some: readonly Json[]) => Math.abs(sum(some, ({ line_net }) => cents(line_net)));
    const moves: Move[] = [];
    if (order.order_type === PURCHASE && (cars.length > 0 ? cars.some(isOwn) : isOrders)) {
      const code = cars.find(isOwn)?.vat_code;
      moves.push({
        order,
        kind: 'bought',
        code,
        price: price(
          lines.filter((line) => isOwn(line) && line.line_kind !== LINE.TRADE_IN && line.vat_code === code),
        ),
      });
    }
    const traded = lines.filter(
      ({ line_kind, vehicle_id }) => line_kind === LINE.TRADE_IN && vehicle_id === vehicle.id,
    );
    if (traded.length > 0)
      moves.push({ order, kind: 'bought', price: price(traded), code: traded[0]?.vat_code });
    if (isSale(order) && (isOrders || cars.some(({ vehicle_id }) => vehicle_id === vehicle.id)))
      moves.push({ order, kind: 'sold', price: 0, code: cars.find(isOwn)?.vat_code });
    return moves;
  });
}

/** Whether the credit notes of an order, those until then, leave nothing of it. */
export const isCredited = (books: Books, order: Json, until?: unknown): boolean => {
  const credits = creditsOf(books, order).filter(
    ({ invoice_date }) => until === undefined || String(invoice_date) <= String(until),
  );
  return (
    credits.length > 0 &&
    sum([order, ...credits], ({ total_gross }) => cents(total_gross)) === 0 &&
    isWhole(books, order, credits)
  );
};

const isWhole = (books: Books, order: Json, credits: readonly Json[]): boolean => {
  const left = sum(linesOf(books, order), ({ quantity }) => Math.abs(Number(quantity)));
  const taken = sum(
    credits.flatMap((one) => linesOf(books, one)),
    ({ quantity }) => Math.abs(Number(quantity)),
  );
  return Math.abs(left - taken) < 0.00001;
};

/** The last move that no credit note has taken back. */
export const lastMove = (books: Books, moves: readonly Move[]): Move | undefined =>
  moves.filter(({ order }) => !isCredited(books, order)).at(-1);

/** The last move before another one that no credit note had taken back by then. */
const moveBefore = (books: Books, moves: readonly Move[], index: number): Move | undefined =>
  moves
    .slice(0, index)
    .filter(({ order }) => !isCredited(books, order, moves[index]?.order.invoice_date))
    .at(-1);

/** Sales of a car that the garage did not have then: no car of a story comes into stock without a paper. */
const saleFaults = (books: Books, vehicle: Json, moves: readonly Move[]): string[] =>
  moves.flatMap(({ order, kind }, index) => {
    const before = moveBefore(books, moves, index);
    if (kind === 'bought' || before?.kind === 'bought') return [];
    const why = before ? `it was sold by ${named(before.order)}` : 'it was never bought';
    return [`${named(order)} sells vehicle ${vehicle.id} that is not in stock: ${why}`];
  });

export function carFaults(books: Books): string[] {
  return books.vehicles.flatMap((vehicle) => {
    const moves = movesOf(books, vehicle);
    const last = lastMove(books, moves);
    if (moves.length === 0) return [];
    const faults = saleFaults(books, vehicle, moves);
    const expected = !last ? STATUS.CUSTOMER : last.kind === 'bought' ? STATUS.STOCK : STATUS.SOLD;
    const why = last ? `${last.kind} by ${named(last.order)}` : 'no invoice that is not credited';
    if (vehicle.stock_status !== expected)
      faults.push(`vehicle ${vehicle.id} has stock_status ${vehicle.stock_status}: ${why}`);
    if (last?.kind === 'bought' && cents(vehicle.purchase_price) !== last.price)
      faults.push(
        `vehicle ${vehicle.id} has purchase_price ${vehicle.purchase_price}, bought for ${last.price / 100} by ${named(last.order)}`,
      );
    return faults;
  });
}

/** Whether the garage bought the car while it had it already: the account has both prices then. */
const isDouble = (books: Books, moves: readonly Move[]): boolean =>
  moves.some(({ kind }, index) => kind === 'bought' && moveBefore(books, moves, index)?.kind === 'bought');

/** Whether a sale hands the car over without a line of it: the journal then takes no cost off the account. */
const isUnpriced = (books: Books, vehicle: Json, moves: readonly Move[]): boolean =>
  moves.some(({ order, kind }) => kind === 'sold' && carLinesOf(books, order, vehicle).length === 0);

/** The lines of an order that sell or buy a vehicle. */
export const carLinesOf = (books: Books, order: Json, vehicle: Json): Json[] =>
  linesOf(books, order).filter(
    (line) => line.line_kind === LINE.VEHICLE && (line.vehicle_id ?? order.vehicle_id) === vehicle.id,
  );

/**
 * What the stock account has, in cents, if it has the price of each car in stock and nothing of other cars. Undefined:
 * the papers do not tell.
 */
export function stockValue(books: Books): number | undefined {
  const bought = books.vehicles.flatMap((vehicle) => {
    const moves = movesOf(books, vehicle);
    return moves.length > 0 ? { vehicle, moves } : [];
  });
  if (bought.some(({ vehicle, moves }) => isDouble(books, moves) || isUnpriced(books, vehicle, moves)))
    return undefined;
  return sum(bought, ({ vehicle }) =>
    vehicle.stock_status === STATUS.STOCK ? cents(vehicle.purchase_price) : 0,
  );
}
