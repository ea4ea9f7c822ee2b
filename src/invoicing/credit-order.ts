// Makes the credit note of an invoice: of the whole rest, or of some lines.
import { inside, problem, type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import { claimRecord, lockRecord } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { addRecord, insertRecord } from '../model/store.ts';
import { Order, type OrderRow } from '../resources/order.ts';
import { OrderLine, type OrderLineChange, type OrderLineRow } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseNow, formatTimestamp } from '../trade/timestamp.ts';
import { decimalOf, PLACES, wholeOf } from '../trade/whole.ts';
import { EXCEEDS, isCredit } from './credit.ts';
import { readRestOfLines } from './credit-rest.ts';
import { isWholeOnly, wholeOnly } from './credit-whole.ts';
import { isDeducted } from './deposit.ts';
import { keepTotalsOf } from './order-totals.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;

/** A line of the invoice, and the quantity to credit as a decimal text. */
interface LineToCredit {
  readonly id: number;
  readonly quantity: string;
}

/** A line of the invoice, and its quantity on the credit note: below 0 if the quantity of the line is above 0. */
interface Taken {
  readonly line: OrderLineRow;
  readonly quantity: bigint;
}

/**
 * Adds a credit note that is not invoiced yet, and returns its ID. Without `wanted` it takes the whole rest. Throws
 * Problem.
 */
export async function addCredit(
  garage: Garage,
  invoiceId: number,
  wanted: readonly LineToCredit[] | undefined,
): Promise<number> {
  const invoice = await lockRecord(garage, Order.resource, invoiceId);
  const field = { field: 'order_id', value: invoiceId };
  if (!invoice) throw problem('reference_unknown', field);
  if (invoice.is_invoiced !== 1) throw problem('value_invalid', { ...field, validation: 'invoiced order' });
  if (isCredit(invoice)) throw problem('value_invalid', { ...field, validation: 'no credit note' });
  // Two credit notes at once wait for each other, on two nodes too.
  await claimRecord(garage, Order.resource, invoiceId);
  if (await isDeducted(garage, invoice)) throw problem('value_invalid', { ...field, validation: EXCEEDS });
  const taken = await takenLines(garage, invoice, wanted);
  const { contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference } = invoice;
  const credit = await addRecord(garage, Order.resource, {
    order_type: INTERNAL_REVERSAL,
    order_date: formatTimestamp(databaseNow()),
    ...{ contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference },
    credited_order_id: invoiceId,
  });
  const changes: OrderLineChange[] = [];
  for (const { line, quantity } of taken) {
    const next = creditLine(line, credit.id, quantity);
    const change = { next, given: () => undefined, garage, parent: credit };
    await insertRecord(OrderLine.resource, change);
    changes.push(change);
  }
  await keepTotalsOf(changes);
  return credit.id;
}

/** A copy of the line, with the quantity of the credit. */
const creditLine = (line: OrderLineRow, order_id: number, quantity: bigint): OrderLineRow => ({
  ...line,
  order_id,
  quantity: decimalOf(quantity, PLACES),
  credited_line_id: line.id,
  external_id: null,
  created_at: databaseNow(),
  modified_at: databaseNow(),
});

async function takenLines(
  garage: Garage,
  invoice: OrderRow,
  wanted: readonly LineToCredit[] | undefined,
): Promise<Taken[]> {
  const rest = await readRestOfLines(garage, invoice.id);
  const lines = await OrderLine.of(garage)
    .where('order_id', invoice.id)
    .modify('sorted')
    .castTo<OrderLineRow[]>();
  const leftOf = (id: number) => rest.get(id)?.quantity ?? 0n;
  const all = lines.flatMap((line) => (leftOf(line.id) === 0n ? [] : { line, quantity: -leftOf(line.id) }));
  const nothing = violation('value_invalid', { field: 'order_id', value: invoice.id, validation: EXCEEDS });
  if (!wanted) {
    refuse(all.length === 0 ? [nothing] : []);
    return all;
  }
  const found: Violation[] = [];
  const taken = wanted.flatMap(({ id, quantity }, index) => {
    const line = lines.find((one) => one.id === id);
    const refused = (one: Violation) => {
      found.push(inside(one, `orderline[${index}]`));
      return [];
    };
    if (wholeOf(quantity, PLACES) <= 0n)
      return refused(
        violation('value_invalid', { field: 'quantity', value: Number(quantity), validation: '>0' }),
      );
    if (!line) return refused(violation('reference_unknown', { field: 'id', value: id }));
    const left = leftOf(id);
    const pieces = wholeOf(quantity, PLACES);
    if (pieces > (left < 0n ? -left : left) || wanted.findIndex((one) => one.id === id) < index)
      return refused(
        violation('value_invalid', { field: 'quantity', value: Number(quantity), validation: EXCEEDS }),
      );
    return { line, quantity: left < 0n ? pieces : -pieces };
  });
  refuse(found);
  if (isWholeOnly(invoice, lines) && !isAll(taken, all)) refuse([wholeOnly('orderline', wanted.length)]);
  return taken;
}

const isAll = (taken: readonly Taken[], all: readonly Taken[]): boolean =>
  all.every(({ line, quantity }) =>
    taken.some((one) => one.line.id === line.id && one.quantity === quantity),
  );
