// What the moves of an order read, once and under its locks. The caller has locked the order: each change of a line
// locks and writes its order, so nobody changes the lines meanwhile. "The case of an order" in docs/architecture.md
// says what is read before and after which lock.
import { about, type Violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { largeAmount } from '../../core/model/fields/value.ts';
import { findRecords, type Identified, lockRecords, selection } from '../../core/model/lists/find.ts';
import { wholeColumns } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { marks, padded, prepared } from '../../core/model/statements/prepared.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Order, type OrderRow } from '../../core/resources/order.ts';
import { OrderLine, type OrderLineRow } from '../../core/resources/order-line.ts';
import { Vehicle, type VehicleRow } from '../../core/resources/vehicle.ts';
import { isCreditNote } from '../../core/trade/kinds/order-type.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type CaseLine, decoded } from '../../core/trade/order-case/line.ts';
import type { Credited } from '../../core/trade/order-case/rest.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { CANCELLED } = LISTS.orderstatuses;

export type Line = CaseLine<OrderLineRow>;
export type CreditedCase = Credited<OrderRow, Line>;

/** All columns of orders and lines, hidden ones included. */
const ORDER = wholeColumns(Order.resource);
const LINE = wholeColumns(OrderLine.resource);

/** The lines of these orders, sorted by ID. */
export async function readLines(garage: Garage, orders: readonly number[]): Promise<Line[]> {
  const ids = padded(orders);
  const rows = await prepared(`lines of ${ids.length} orders`, (mark) =>
    OrderLine.ofMarked(mark, 't')
      .select(...selection(OrderLine.resource, LINE))
      .whereIn('t.order_id', marks(mark, 'ids', ids.length))
      .orderBy('t.id'),
  ).rows<OrderLineRow>(garage, { ids });
  return rows.map(decoded);
}

/** The whole order as it is, without a lock. */
export async function readOrder(garage: Garage, id: number): Promise<(OrderRow & Identified) | undefined> {
  const [row] = await findRecords(garage, Order.resource, [id], ORDER);
  return row;
}

/** Which credit notes count: all but the one with the ID `except`. With `invoicedOnly` only those that are invoices. */
interface Counting {
  readonly except?: number;
  readonly invoicedOnly?: boolean;
}

/** The credit notes of an invoice, without cancelled ones. */
const readCredits = (
  garage: Garage,
  invoice: number,
  { except = 0, invoicedOnly = false }: Counting,
): Promise<OrderRow[]> =>
  prepared(`credit notes ${invoicedOnly}`, (mark) =>
    Order.ofMarked(mark, 't')
      .select(...selection(Order.resource, ORDER))
      .where({ 't.credited_order_id': mark('invoice'), 't.order_type': INTERNAL_REVERSAL })
      .whereNot('t.order_status', CANCELLED)
      .whereNot('t.id', mark('except'))
      .modify((query) => invoicedOnly && query.where('t.is_invoiced', 1))
      .orderBy('t.id'),
  ).rows<OrderRow>(garage, { invoice, except });

/** The credit notes of an invoice, and the lines of the invoice, of its credit notes and of `own`. */
export async function readTaken(
  garage: Garage,
  invoice: number,
  counting: Counting,
  own: readonly number[] = [],
): Promise<{ credits: OrderRow[]; lines: Line[]; ownLines: Line[] }> {
  const credits = await readCredits(garage, invoice, counting);
  const all = await readLines(garage, [invoice, ...credits.map(({ id }) => id), ...own]);
  return {
    credits,
    lines: all.filter(({ order_id }) => !own.includes(order_id)),
    ownLines: all.filter(({ order_id }) => own.includes(order_id)),
  };
}

type Crediting = Pick<OrderRow, 'order_type' | 'credited_order_id'>;

/** The invoice that a credit note takes back. Undefined for any other order. */
export async function readCreditedInvoice(
  garage: Garage,
  { order_type, credited_order_id }: Crediting,
): Promise<OrderRow | undefined> {
  if (!isCreditNote(order_type) || credited_order_id === null) return undefined;
  return readOrder(garage, credited_order_id);
}

/** The same with the other credit notes of that invoice. */
export async function readCredited(
  garage: Garage,
  order: Crediting & Pick<OrderRow, 'id'>,
  invoicedOnly = false,
): Promise<CreditedCase | undefined> {
  const invoice = await readCreditedInvoice(garage, order);
  if (!invoice) return undefined;
  const { credits, lines } = await readTaken(garage, invoice.id, { except: order.id, invoicedOnly });
  return { invoice, credits, lines };
}

/**
 * Locks the vehicles that move, the lowest ID first, and reads the `others`. By ID. The caller writes each locked
 * vehicle: see "Locks" in docs/architecture.md.
 */
export async function lockVehicles(
  garage: Garage,
  moved: readonly number[],
  others: readonly (number | null)[] = [],
): Promise<ReadonlyMap<number, VehicleRow>> {
  const locked =
    moved.length === 0
      ? []
      : await lockRecords(
          garage,
          Vehicle.resource,
          'id',
          [...moved].sort((one, other) => one - other),
        );
  const more = [...new Set(others)].filter((id) => id !== null && !moved.includes(id));
  const read = more.length === 0 ? [] : await findRecords(garage, Vehicle.resource, more);
  return new Map([...locked, ...read].sort((one, other) => one.id - other.id).map((row) => [row.id, row]));
}

/** The row of a line, as the database has it. */
export const rowOf = ({ pieces, net, vat, gross, margin, ...row }: Line): OrderLineRow => row;

/** Writes the lines that have other values, and returns all lines as they are then. */
export async function writeLines(
  garage: Garage,
  lines: readonly Line[],
  changes: ReadonlyMap<number, Partial<OrderLineRow>>,
): Promise<Line[]> {
  const written: Line[] = [];
  for (const line of lines) {
    const values = changes.get(line.id);
    const previous = rowOf(line);
    const next = { ...previous, ...values };
    if (values) await changeRow(garage, OrderLine.resource, { previous, next });
    written.push(values ? decoded(next) : line);
  }
  return written;
}

/** The same for the costs of lines, by the ID of the line. Throws Problem if a cost is too large for its column. */
export async function writeCosts(
  garage: Garage,
  lines: readonly Line[],
  costs: ReadonlyMap<number, string>,
): Promise<Line[]> {
  refuse([...costs].flatMap(([id, cost]) => about('orderline', id, largeCost(cost))));
  return writeLines(
    garage,
    lines,
    new Map([...costs].map(([id, purchase_price]) => [id, { purchase_price }] as const)),
  );
}

/** The refusal of a cost that is too large for its column, such as the price and the BPM of a car together. */
export const largeCost = (cost: string | null | undefined): Violation[] =>
  [largeAmount('purchase_price', cost ?? '0') ?? []].flat();
