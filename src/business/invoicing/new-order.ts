// Adds an order with its lines that a request makes of another order: a deposit, a credit note. The caller has judged
// the order, and has locked the other order, whose lines the new lines may name.
import { checkFields } from '../../core/model/bodies/check.ts';
import type { Row } from '../../core/model/fields/field.ts';
import { numberRecords } from '../../core/model/records/counter.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { insertRow, insertRows } from '../../core/model/writes/write.ts';
import { Order, type OrderRow } from '../../core/resources/order.ts';
import { OrderLine, type OrderLineRow } from '../../core/resources/order-line.ts';
import { decoded } from '../../core/trade/order-case/line.ts';
import type { Rest } from '../../core/trade/order-case/rest.ts';
import type { NetColumn, VatColumn } from '../../core/trade/vat-code.ts';
import type { Line } from './case.ts';
import { keepTotalsOf } from './totals/order-totals.ts';

export interface NewOrder {
  readonly order: OrderRow;
  /** Sorted by ID. */
  readonly lines: readonly Line[];
}

const ZERO = '0.00';
/** The hidden columns of an order without lines. */
export const NO_AMOUNTS: Readonly<Record<NetColumn | VatColumn, string>> = {
  net_high: ZERO,
  net_low: ZERO,
  vat_high: ZERO,
  vat_low: ZERO,
};

/** `rest`: what a credit note can take. Throws Problem if an amount is too large. */
export async function addWithLines(
  garage: Garage,
  body: Readonly<Record<string, unknown>>,
  lines: readonly Partial<OrderLineRow>[],
  rest?: Rest,
): Promise<NewOrder> {
  const order: Row = { ...checkFields(Order.resource, body, undefined), ...NO_AMOUNTS };
  await numberRecords(garage, Order.resource, [order]);
  await insertRow(garage, Order.resource, order, { references: 'known' });
  const parent = order as OrderRow;
  const changes = lines.map((line) => {
    const next = { ...line, order_id: parent.id } as OrderLineRow;
    return { next, given: () => undefined, garage, parent };
  });
  for (const change of changes) await OrderLine.resource.hooks.before?.(change);
  const rows = changes.map(({ next }) => next);
  await insertRows(garage, OrderLine.resource, rows, { references: 'known' });
  const written = await keepTotalsOf(changes, { lines: rows.map(decoded), rest });
  return { order: written ?? parent, lines: rows.map(decoded) };
}
