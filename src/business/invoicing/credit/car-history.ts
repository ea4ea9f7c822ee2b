// Reads the invoices that moved cars, for the journal and for a credit note that may move the cars back. A credit note
// locks the cars, and each invoice that moves a car writes it: so their history does not grow meanwhile.
import { findRecords } from '../../../core/model/lists/find.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { grouped } from '../../../core/trade/grouped.ts';
import { isCreditNote } from '../../../core/trade/kinds/order-type.ts';
import { PURCHASE_TYPES } from '../../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import {
  type CarMove,
  type CarReturn,
  type Undo,
  undone,
} from '../../../core/trade/order-case/car-history.ts';
import { isTakenBack } from '../../../core/trade/order-case/credit.ts';
import { priceWithoutBpm, vehicleOf } from '../../../core/trade/order-case/margin.ts';
import { tradeOf } from '../../../core/trade/order-case/stock.ts';
import { payerOf } from '../../../core/trade/payer.ts';
import { type CreditedCase, type Line, readLines } from '../case.ts';

const { VEHICLE_SALES, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN } = LISTS.linekinds;

/** How each of the locked cars changes when the whole invoice is taken back, by ID. Cars that stay are left out. */
export async function readUndos(
  garage: Garage,
  credited: CreditedCase,
  cars: readonly number[],
): Promise<ReadonlyMap<number, Undo>> {
  if (cars.length === 0) return new Map();
  const { invoice } = credited;
  const others = await readMoving(garage, cars, invoice.id);
  const invoices = byTime([{ order: invoice, lines: ownLines(credited) }, ...others]);
  return new Map(
    cars.flatMap((car) => {
      const undo = undone(invoice.id, eventsOf(car, invoices));
      return undo ? [[car, undo] as const] : [];
    }),
  );
}

/** An invoice with its lines. */
export interface Moving {
  readonly order: OrderRow;
  readonly lines: readonly Line[];
}

const ownLines = ({ invoice, lines }: CreditedCase): Line[] =>
  lines.filter(({ order_id }) => order_id === invoice.id);

/**
 * All invoices that moved the cars, imported ones too, and their credit notes, sorted by time. The invoice `except` is
 * left out.
 */
export async function readMoving(garage: Garage, cars: readonly number[], except = 0): Promise<Moving[]> {
  const found = await Order.of(garage)
    .select('id')
    .whereIn('vehicle_id', [...cars])
    .whereIn('order_type', [VEHICLE_SALES, ...PURCHASE_TYPES])
    .where('is_invoiced', 1)
    .whereNull('deposit_of_order_id')
    .union(
      OrderLine.of(garage, 'l')
        .join('orders as o', (on) => on.on('o.owner_id', 'l.owner_id').on('o.id', 'l.order_id'))
        .select('o.id')
        .whereIn('l.vehicle_id', [...cars])
        .whereNot('o.order_type', INTERNAL_REVERSAL)
        .where((moving) =>
          moving.whereIn('l.line_kind', [VEHICLE, TRADE_IN]).orWhereIn('o.order_type', [...PURCHASE_TYPES]),
        )
        .where('o.is_invoiced', 1),
    );
  const invoices = found.map(({ id }) => id).filter((id) => id !== except);
  if (invoices.length === 0) return [];
  const credits = await Order.of(garage)
    .select('id')
    .whereIn('credited_order_id', invoices)
    .where({ order_type: INTERNAL_REVERSAL, is_invoiced: 1 });
  const ids = [...invoices, ...credits.map(({ id }) => id)];
  const orders = await findRecords(garage, Order.resource, ids);
  const lines = await readLines(garage, ids);
  const byOrder = grouped(lines, ({ order_id }) => order_id);
  return byTime(orders.map((order) => ({ order, lines: byOrder.get(order.id) ?? [] })));
}

const byTime = (invoices: readonly Moving[]): Moving[] =>
  [...invoices].sort(({ order: one }, { order: other }) =>
    one.invoice_date === other.invoice_date
      ? one.id - other.id
      : String(one.invoice_date) < String(other.invoice_date)
        ? -1
        : 1,
  );

/** What happened to one car. A credit note counts once it has taken all that its invoice has. */
export function eventsOf(car: number, invoices: readonly Moving[]): (CarMove | CarReturn)[] {
  const events: (CarMove | CarReturn)[] = [];
  const taken = new Map<number, Line[]>();
  for (const { order, lines } of invoices) {
    const { id, order_type, credited_order_id, supply_date } = order;
    if (isCreditNote(order_type)) {
      const credited = invoices.find((one) => one.order.id === credited_order_id);
      if (!credited) continue;
      const all = [...(taken.get(credited.order.id) ?? credited.lines), ...lines];
      taken.set(credited.order.id, all);
      if (isTakenBack(credited.order, all)) events.push({ by: id, takesBack: credited.order.id });
      continue;
    }
    const { sold, bought } = tradeOf(order, lines);
    if (!sold.has(car) && !bought.has(car)) continue;
    const line = lines.find((one) => one.line_kind === VEHICLE && vehicleOf(one, order) === car);
    events.push({
      order: id,
      at: String(supply_date),
      party: payerOf(order),
      bought: bought.get(car),
      cost: line ? priceWithoutBpm(line) : null,
      bpm: line?.bpm_paid ?? null,
    });
  }
  return events;
}
