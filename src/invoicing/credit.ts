// Checks credit notes. A credit note is an order that credits an invoice of the same contact. All credit notes of an
// invoice together never exceed the invoice.

import { type Violation, violation } from '../errors.ts';
import { claimRecord } from '../model/find.ts';
import type { Change, RowIn } from '../model/record.ts';
import { Order } from '../resources/order.ts';
import { Decimal } from '../trade/decimal.ts';
import { LISTS } from '../trade/lists.ts';

type OrderChange = Change<RowIn<typeof Order>>;

const isCredit = ({ order_type }: Pick<Order, 'order_type'>) =>
  order_type === LISTS.ordertypes.INTERNAL_REVERSAL;

/** A credit note must refer to the credited invoice. The invoice must have the same contact. */
export async function checkCredit({
  next,
  previous,
  owner,
  session,
}: OrderChange): Promise<Violation | undefined> {
  if (!isCredit(next)) return undefined;
  const field = 'credited_order_id';
  const value = next.credited_order_id;
  if (value === null) return violation(previous ? 'field_empty' : 'field_required', { field });
  const same = previous && previous.credited_order_id === value && previous.contact_id === next.contact_id;
  if (same) return undefined;
  const credited = await Order.of(session, owner).findOne('id', value);
  // The check of references reports an unknown order.
  if (!credited) return undefined;
  if (credited.is_invoiced !== 1 || credited.contact_id !== next.contact_id)
    return violation('value_invalid', { field, value, validation: 'invoiced order of the same contact' });
  // A credit note can't be credited: an ordinary invoice does that.
  if (credited.order_type !== next.order_type) return undefined;
  return violation('value_invalid', { field, value, validation: 'no credit note' });
}

/** Called at invoicing: refuses a credit note that, with the earlier ones, exceeds the invoice or adds to it. */
export async function creditExceeds({ next, owner, session }: OrderChange): Promise<Violation | undefined> {
  if (!isCredit(next)) return undefined;
  const { credited_order_id, order_type } = next;
  if (credited_order_id === null) return undefined;
  // Two credit notes of one invoice wait for each other.
  await claimRecord(session, Order.resource, owner, credited_order_id);
  const credited = await Order.of(session, owner).findOne('id', credited_order_id);
  if (!credited) return undefined;
  const others = await Order.of(session, owner)
    .where({ credited_order_id, order_type, is_invoiced: 1 })
    .whereNot('id', next.id);
  const gross = ({ total_gross }: Pick<Order, 'total_gross'>) => new Decimal(total_gross ?? 0);
  const given = gross(next);
  const left = others.reduce((sum, row) => sum.plus(gross(row)), gross(credited).plus(given));
  // A negative invoice has positive credit notes: `sign` turns both around.
  const sign = gross(credited).lt(0) ? -1 : 1;
  if (given.times(sign).lte(0) && left.times(sign).gte(0)) return undefined;
  return violation('value_invalid', {
    field: 'total_gross',
    value: Number(next.total_gross),
    validation: 'credit exceeds the invoice',
  });
}
