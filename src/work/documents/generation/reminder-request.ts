// Which invoices a reminder may name. They are past due and have one payer, who takes reminders and whose name can be
// printed. The request checks this, and the job checks it again, because somebody may pay in between.

import { NAMES, unprintableNamesOf } from '../../../business/invoicing/invoice/printable-name.ts';
import { readTimezone } from '../../../business/invoicing/timezone.ts';
import { type Violation, violation } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import { instant, payerOfOrder } from '../../../core/model/statements/fragment.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import {
  columns,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../../../core/model/statements/selected.ts';
import { Contact } from '../../../core/resources/contact.ts';
import { Order } from '../../../core/resources/order.ts';
import { isPurchase } from '../../../core/trade/kinds/purchase.ts';
import { startOf, todayIn } from '../../../core/trade/time/day.ts';
import { cents } from '../../../core/trade/totals.ts';

const ASKED = {
  ...columns(Order, 'o', 'id', 'order_number', 'is_invoiced', 'order_type', 'invoice_number', 'total_gross'),
  ...columns(Order, 'o', 'amount_open'),
  credited_type: orNull(whole('c.order_type')),
  invoice_date: orNull(text(instant('o.invoice_date'))),
  due_date: orNull(text(instant('o.due_date'))),
  payer: whole(payerOfOrder('o')),
};
type Asked = Selected<typeof ASKED>;

export type OrderInDefault = Pick<Asked, 'id' | 'order_number' | 'payer'> & {
  readonly [K in 'invoice_number' | 'invoice_date' | 'due_date' | 'total_gross' | 'amount_open']: NonNullable<
    Asked[K]
  >;
};

/** The invoices, in the order of the request. Throws Problem: 404 for unknown orders, then 403. */
export async function readOrdersInDefault(garage: Garage, ids: readonly number[]): Promise<OrderInDefault[]> {
  const orders = await readAsked(garage, ids);
  const byId = new Map(orders.map((order) => [order.id, order]));
  refuse(ids.flatMap((value) => (byId.has(value) ? [] : [violation('reference_unknown', { field, value })])));
  const asked = ids.flatMap((id) => byId.get(id) ?? []);
  const payer = asked[0]?.payer ?? 0;
  const today = await startOfToday(garage);
  const contact = await Contact.of(garage)
    .select('id', 'is_without_reminders', 'print_name', ...NAMES)
    .findOne({ id: payer });
  const isRefusing = contact?.is_without_reminders === 1;
  refuse(
    asked.flatMap((order) => {
      if (order.is_invoiced !== 1) return [wrongOrder(order.id, 'invoiced order')];
      if (order.payer !== payer) return [wrongOrder(order.id, 'one payer')];
      if (isRefusing) return [wrongOrder(order.id, 'no reminders')];
      return isInDefault(order, today) ? [] : [wrongOrder(order.id, 'in default')];
    }),
  );
  refuse(contact ? unprintableNamesOf(contact) : []);
  return asked as OrderInDefault[];
}

const field = 'order_ids';

export const wrongOrder = (value: number, validation: string): Violation =>
  violation('value_invalid', { field, value, validation });

const readAsked = async (garage: Garage, ids: readonly number[]): Promise<Asked[]> =>
  selected(
    Order.of(garage, 'o')
      .leftJoin('orders as c', 'c.id', 'o.credited_order_id')
      .whereIn('o.id', [...ids]),
    ASKED,
  );

async function startOfToday(garage: Garage): Promise<string> {
  const timezone = await readTimezone(garage);
  return startOf(todayIn(timezone), timezone);
}

/** The customer owes something, and should have paid by yesterday. */
const isInDefault = ({ order_type, credited_type, due_date, amount_open }: Asked, today: string): boolean =>
  !isPurchase(order_type, credited_type) &&
  due_date !== null &&
  due_date < today &&
  cents(amount_open ?? '0') > 0n;
