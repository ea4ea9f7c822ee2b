// Which invoices a reminder may name. They are past due and have one payer, who takes reminders and whose name can be
// printed. The request checks this, and the job checks it again, because somebody may pay in between.
import { type Violation, violation } from '../../errors.ts';
import { NAMES, unprintableNamesOf } from '../../invoicing/invoice/printable-name.ts';
import { refuse } from '../../model/check.ts';
import { instantText, payerOfOrder } from '../../model/fragment.ts';
import type { Garage } from '../../model/garage.ts';
import { Contact } from '../../resources/contact.ts';
import { Order } from '../../resources/order.ts';
import { Owner } from '../../resources/owner.ts';
import { DEFAULT_TIMEZONE, dayOf, startOf } from '../../trade/day.ts';
import { isPurchase } from '../../trade/purchase.ts';
import { databaseNow } from '../../trade/timestamp.ts';
import { cents } from '../../trade/totals.ts';

export interface OrderInDefault {
  readonly id: number;
  readonly order_number: number | null;
  readonly payer: number;
  readonly invoice_number: string;
  readonly invoice_date: string;
  readonly due_date: string;
  readonly total_gross: string;
  readonly amount_open: string;
}

type Asked = Omit<OrderInDefault, 'due_date' | 'amount_open'> & {
  readonly is_invoiced: number;
  readonly order_type: number;
  readonly credited_type: number | null;
  readonly due_date: string | null;
  readonly amount_open: string | null;
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
  Order.of(garage, 'o')
    .leftJoin('orders as c', 'c.id', 'o.credited_order_id')
    .whereIn('o.id', [...ids])
    .select('o.id', 'o.order_number', 'o.is_invoiced', 'o.order_type', 'c.order_type as credited_type')
    .select('o.invoice_number', 'o.total_gross', 'o.amount_open')
    .select(instantText('o', 'invoice_date'), instantText('o', 'due_date'))
    .select(payerOfOrder('o').as('payer'))
    .castTo<Asked[]>();

async function startOfToday(garage: Garage): Promise<string> {
  const company = await Owner.of(garage).select('timezone').first();
  const timezone = company?.timezone ?? DEFAULT_TIMEZONE;
  return startOf(dayOf(databaseNow(), timezone), timezone);
}

/** The customer owes something, and should have paid by yesterday. */
const isInDefault = ({ order_type, credited_type, due_date, amount_open }: Asked, today: string): boolean =>
  !isPurchase(order_type, credited_type) &&
  due_date !== null &&
  due_date < today &&
  cents(amount_open ?? '0') > 0n;
