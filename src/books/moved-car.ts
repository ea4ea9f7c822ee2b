// Vehicles that leave the margin scheme: the garage bought them under the scheme and sold them with VAT. From the sale
// on, their purchase no longer counts. Credit notes that take the whole vehicle back make the purchase count again; a
// credit note of a part only lowers the price.

import { instant } from '../model/statements/fragment.ts';
import {
  columns,
  filled,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../model/statements/selected.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { grouped } from '../trade/grouped.ts';
import { isPurchase } from '../trade/kinds/purchase.ts';
import { LISTS } from '../trade/lists.ts';
import { cents } from '../trade/totals.ts';
import { NORMAL } from '../trade/vat-code.ts';
import { firstUnless } from './fragment.ts';
import { linesByCode, linesOf, ofSales, TYPES, whereBought } from './invoice-lines.ts';
import type { Books } from './period.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

const VEHICLES_A_STATEMENT = 1_000;

/** `price` is taken off the purchases, in cents. A price below 0 is added to them again. */
interface MovedCar {
  readonly instant: string;
  readonly price: bigint;
}

/** `ofScheme`: vehicles that were bought under the scheme. Reads all periods up to the end of the books' period. */
export async function readMovedCars(books: Books, ofScheme: ReadonlySet<number>): Promise<MovedCar[]> {
  if (ofScheme.size === 0) return [];
  const sales = linesByCode(books, NORMAL, true).where('l.line_kind', VEHICLE).modify(ofSales);
  const sold = await selected(sales.distinct(), { vehicle: orNull(whole(vehicleOf())) });
  const moved = sold.flatMap(({ vehicle }) => (vehicle !== null && ofScheme.has(vehicle) ? vehicle : []));
  const cars = grouped(await readEvents(books, moved), ({ vehicle }) => vehicle);
  return [...cars.values()].flatMap(movesOf);
}

/**
 * A line belongs to its own vehicle, or else to the vehicle of its order, or of the invoice that its order credits. A
 * trade-in belongs to its own vehicle only.
 */
const vehicleOf = () =>
  firstUnless('l.vehicle_id', ['o.vehicle_id', 'c.vehicle_id'], 'l.line_kind', TRADE_IN);

/** The vehicle of a line if the garage buys it by this line; null for a line of a sale. */
export const boughtVehicle = () => whereBought(vehicleOf());

/** The purchases and sales of the vehicles, the oldest first. */
async function readEvents(books: Books, vehicles: readonly number[]): Promise<CarEvent[]> {
  const events: CarEvent[] = [];
  for (let from = 0; from < vehicles.length; from += VEHICLES_A_STATEMENT) {
    const some = vehicles.slice(from, from + VEHICLES_A_STATEMENT);
    events.push(...(await eventsOf(books).whereIn('l.vehicle_id', some)));
    const ofOrder = eventsOf(books).whereNull('l.vehicle_id').whereNot('l.line_kind', TRADE_IN);
    events.push(...(await ofOrder.whereIn('l.order_id', await readOrders(books, some))));
  }
  return events.sort((one, other) =>
    one.instant === other.instant ? one.id - other.id : one.instant < other.instant ? -1 : 1,
  );
}

/** The IDs of the orders of these vehicles, and of their credit notes that name no vehicle. */
async function readOrders({ garage }: Books, vehicles: readonly number[]): Promise<number[]> {
  const orders = await Order.of(garage)
    .select('id')
    .whereIn('vehicle_id', [...vehicles]);
  const ids = orders.map(({ id }) => id);
  const credits = await Order.of(garage)
    .select('id')
    .where('order_type', INTERNAL_REVERSAL)
    .whereNull('vehicle_id')
    .whereIn('credited_order_id', ids);
  return [...ids, ...credits.map(({ id }) => id)];
}

const CAR_EVENT = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'line_kind', 'vat_code'),
  ...filled(OrderLine, 'l', 'line_net', 'line_gross'),
  ...TYPES,
  ...columns(Order, 'o', 'credited_order_id'),
  vehicle: whole(vehicleOf()),
  instant: text(instant('o.book_date')),
};
type CarEvent = Selected<typeof CAR_EVENT>;

const eventsOf = (books: Books) =>
  selected(
    linesOf(books, true).where((any) =>
      any.whereIn('l.line_kind', [VEHICLE, TRADE_IN]).orWhere('l.vat_code', MARGIN),
    ),
    CAR_EVENT,
  );

/** The latest sale of a vehicle, in cents. `cost`: its purchase price. `left`: its sale price less its credits. */
interface LatestSale {
  readonly order: number;
  readonly cost: bigint;
  left: bigint;
}

/** The events are of one vehicle. `held`: the purchase price of the vehicle while the garage has it. */
function movesOf(events: readonly CarEvent[]): MovedCar[] {
  const moves: MovedCar[] = [];
  let held = 0n;
  let sale: LatestSale | undefined;
  const move = (price: bigint, { instant, vat_code }: CarEvent) => {
    if (price !== 0n && NORMAL.includes(vat_code)) moves.push({ instant, price });
  };
  for (const event of events) {
    const { order_type, credited_type, credited_order_id, order_id, line_kind, vat_code } = event;
    const isOfPurchase = isPurchase(order_type, credited_type);
    const [net, gross] = [cents(event.line_net), cents(event.line_gross)];
    if (isOfPurchase || line_kind === TRADE_IN) {
      if (vat_code === MARGIN) held += isOfPurchase ? net : -net;
      continue;
    }
    if (line_kind !== VEHICLE) continue;
    if (order_type === INTERNAL_REVERSAL) {
      if (!sale || sale.order !== credited_order_id) continue;
      sale.left += gross;
      if (sale.left !== 0n) continue;
      move(-sale.cost, event);
      held += sale.cost;
      sale = undefined;
    } else if (sale?.order === order_id) {
      // Another line about the same vehicle, such as a discount.
      sale.left += gross;
    } else {
      move(held, event);
      sale = { order: order_id, cost: held, left: gross };
      held = 0n;
    }
  }
  return moves;
}
