// Refuses payments in cash beyond the legal limit. An order, its deposits and all their credit notes are one sale. Each
// payment first writes the order at the root of its sale. So two payments at once count each other, also on two nodes.
import { type Violation, violation } from '../errors.ts';
import type { Row } from '../model/field.ts';
import { claimRecord } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Owner } from '../resources/owner.ts';
import { Payment, type PaymentChange, type PaymentRow } from '../resources/payment.ts';
import { cashLimitOn, cashOf, exceedsCashLimit } from '../trade/cash-limit.ts';
import { dayOf, startOf } from '../trade/day.ts';
import { LISTS } from '../trade/lists.ts';
import { isCredit } from '../trade/order-case/line.ts';
import { isPurchase } from '../trade/posting.ts';
import { DEFAULT_TIMEZONE } from './invoice.ts';

const { CASH } = LISTS.paymentmethods;
const { LABOUR, DEPOSIT, TEXT } = LISTS.linekinds;

/** The orders of one sale. */
interface Family {
  readonly root: Pick<Order, 'id' | 'order_type'>;
  readonly ids: readonly number[];
}

/** Refuses the amount if the sale would get too much cash. The limit of the day of the payment counts. */
export async function keepsCashLimit(change: PaymentChange): Promise<Violation | undefined> {
  const { next, previous, parent, given, garage } = change;
  if (!parent || next.method !== CASH || isSameCash(next, previous)) return undefined;
  const company = await Owner.of(garage).select('timezone').first();
  const timezone = company?.timezone ?? DEFAULT_TIMEZONE;
  const limit = cashLimitOn(dayOf(next.paid_at, timezone));
  if (!limit) return undefined;
  const { root, ids } = await familyOf(garage, parent);
  await claimRecord(garage, Order.resource, root.id);
  if (!(await hasGoods(garage, ids))) return undefined;
  const bought = isPurchase(root.order_type);
  const others = await Payment.of(garage)
    .select('amount')
    .whereIn('order_id', [...ids])
    .where('method', CASH)
    .where('paid_at', '>=', startOf(limit.from, timezone))
    .whereNot('id', next.id ?? 0);
  const cash = cashOf(next.amount, bought);
  const sofar = others.map(({ amount }) => cashOf(amount, bought));
  if (!exceedsCashLimit(cash, sofar, limit)) return undefined;
  return tooMuchCash(given('amount') ?? Number(next.amount));
}

export const tooMuchCash = (value: unknown): Violation =>
  violation('value_invalid', { field: 'amount', value, validation: 'cash limit' });

const isSameCash = (next: PaymentRow, previous: PaymentRow | undefined): boolean =>
  previous?.method === CASH && previous.amount === next.amount && previous.paid_at === next.paid_at;

type Root = Pick<Order, 'id' | 'order_type' | 'deposit_of_order_id'>;

/**
 * The orders of a sale. A credit note leads to its credited invoice, and a deposit to its target: the order at the
 * root.
 */
async function familyOf(garage: Garage, order: Row): Promise<Family> {
  const above = async (below: Root, id: number | null): Promise<Root> => {
    if (id === null) return below;
    const found = await Order.of(garage).select('id', 'order_type', 'deposit_of_order_id').findOne({ id });
    return found ?? below;
  };
  const paid = order as Row & Root & Pick<Order, 'credited_order_id'>;
  const sold = await above(paid, isCredit(paid) ? paid.credited_order_id : null);
  const root = await above(sold, sold.deposit_of_order_id);
  const deposits = await Order.of(garage).select('id').where('deposit_of_order_id', root.id);
  const sales = [root.id, ...deposits.map(({ id }) => id)];
  const credits = await Order.of(garage)
    .select('id')
    .where('order_type', LISTS.ordertypes.INTERNAL_REVERSAL)
    .whereIn('credited_order_id', sales);
  return { root, ids: [...sales, ...credits.map(({ id }) => id)] };
}

/** Work alone has no limit. A line for a deposit is not goods: its target has them. Nor is a text without an amount. */
async function hasGoods(garage: Garage, orders: readonly number[]): Promise<boolean> {
  const line = await OrderLine.of(garage)
    .select('id')
    .whereIn('order_id', [...orders])
    .whereNotIn('line_kind', [LABOUR, DEPOSIT])
    .where((some) => some.whereNot('line_kind', TEXT).orWhereNot('line_net', 0))
    .first();
  return line !== undefined;
}
