// A contact has each number of its own invoices only once. A purchase that is cancelled or credited frees its number,
// so that the invoice can be entered again. A key of the database can't judge this, because the credit note is another
// order.
import { about, type Violation, violation } from '../../../core/errors.ts';
import { claimRecord } from '../../../core/model/lists/find.ts';
import { Contact } from '../../../core/resources/contact.ts';
import { Order, type OrderChange, type OrderRow } from '../../../core/resources/order.ts';
import { isPurchase } from '../../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { isOldInvoice } from './old-invoice.ts';

const { CANCELLED } = LISTS.orderstatuses;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const FIELD = 'supplier_invoice_number';

/** Writes the row of the seller, before the order is written: two requests with one number wait for each other. */
export async function claimSeller(change: OrderChange): Promise<void> {
  const { next, garage } = change;
  if (isJudged(change)) await claimRecord(garage, Contact.resource, next.contact_id);
}

/** Refuses a number that another order of the contact holds. */
export async function supplierNumberOnce(change: OrderChange): Promise<Violation[]> {
  const { next, previous, given } = change;
  const holder = isJudged(change) ? await findHolder(change) : undefined;
  if (!holder) return [];
  const code = previous ? 'value_duplicate_on_put' : 'value_duplicate';
  return about('order', holder.id, [violation(code, { field: FIELD, value: given(FIELD) ?? next[FIELD] })]);
}

/** Old invoices of another system are not judged. A cancelled purchase asks for its number anew when it is reopened. */
function isJudged({ next, previous }: OrderChange): boolean {
  if (!next[FIELD] || next.order_status === CANCELLED || (!previous && isOldInvoice(next))) return false;
  return (
    !previous ||
    previous.order_status === CANCELLED ||
    previous[FIELD] !== next[FIELD] ||
    previous.contact_id !== next.contact_id
  );
}

async function findHolder({ next, garage }: OrderChange): Promise<Pick<OrderRow, 'id'> | undefined> {
  const others = await Order.of(garage)
    .select('id', 'order_type')
    .where({ contact_id: next.contact_id, [FIELD]: next[FIELD] })
    .whereNot('order_status', CANCELLED)
    .whereNot('id', next.id);
  if (others.length === 0) return undefined;
  const ids = others.map(({ id }) => id);
  const credits = await Order.of(garage)
    .select('credited_order_id')
    .where({ order_type: INTERNAL_REVERSAL, is_invoiced: 1 })
    .whereIn('credited_order_id', ids);
  // A purchase is credited as a whole only.
  const takenBack = new Set(credits.map(({ credited_order_id }) => credited_order_id));
  return others.find((order) => !isPurchase(order.order_type) || !takenBack.has(order.id));
}
