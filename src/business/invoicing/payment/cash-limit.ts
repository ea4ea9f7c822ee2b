// Refuses payments in cash beyond the legal limit. An order, its deposits and all their credit notes are one sale. Each
// payment first writes the order at the root of its sale. So two payments at once count each other, also on two nodes.
import type { Violation } from '../../../core/errors.ts';
import { claimRecord } from '../../../core/model/lists/find.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { type Marker, marks, padded, prepared } from '../../../core/model/statements/prepared.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { Owner } from '../../../core/resources/owner.ts';
import { Payment, type PaymentChange } from '../../../core/resources/payment.ts';
import { cashLimitOn } from '../../../core/trade/cash-limit.ts';
import { GOODS_BY_AMOUNT, NO_GOODS } from '../../../core/trade/kinds/line-kind.ts';
import { CASH_METHODS } from '../../../core/trade/kinds/payment-method.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { isCredit } from '../../../core/trade/order-case/line.ts';
import { exceedsCash, isSameCash, tooMuchCash } from '../../../core/trade/order-case/payment.ts';
import { dayOf, startOf, timezoneOf } from '../../../core/trade/time/day.ts';
import { readOrder } from '../case.ts';
import { nothing } from '../fragment.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
/** Each day begins here first. */
const FIRST_ZONE = 'Pacific/Kiritimati';

/**
 * Refuses the amount if the sale would get too much cash. The limit of the day of the payment counts. The caller has
 * locked the invoice, and writes it if the payment is accepted.
 */
export async function keepsCashLimit(change: PaymentChange): Promise<Violation | undefined> {
  const { next, previous, parent, given, garage } = change;
  if (!parent || isSameCash(next, previous) || !cashLimitOn(dayOf(next.paid_at, FIRST_ZONE)))
    return undefined;
  const root = await rootOf(garage, parent);
  // The root is written before the sale is read.
  if (root.id !== parent.id || next.amount === previous?.amount)
    await claimRecord(garage, Order.resource, root.id);
  const { timezone, ids } = await readSale(garage, root.id);
  const limit = cashLimitOn(dayOf(next.paid_at, timezone));
  if (!limit) return undefined;
  const { hasGoods, others } = await readCash(garage, ids, {
    except: next.id ?? 0,
    from: startOf(limit.from, timezone),
  });
  if (!exceedsCash({ order_type: root.order_type, hasGoods, others }, next.amount, limit)) return undefined;
  return tooMuchCash(given('amount') ?? Number(next.amount));
}

type Root = Pick<OrderRow, 'id' | 'order_type' | 'deposit_of_order_id'>;

/** A credit note leads to its credited invoice, and a deposit to its target: the order at the root of the sale. */
async function rootOf(garage: Garage, paid: OrderRow): Promise<Root> {
  const above = async (below: Root, id: number | null): Promise<Root> =>
    id === null ? below : ((await readOrder(garage, id)) ?? below);
  const sold = await above(paid, isCredit(paid) ? paid.credited_order_id : null);
  return above(sold, sold.deposit_of_order_id);
}

/** The IDs of the orders of a sale, and the time zone of the garage. */
async function readSale(garage: Garage, root: number): Promise<{ timezone: string; ids: number[] }> {
  const deposits = (mark: Marker) => Order.ofMarked(mark, 'd').where('d.deposit_of_order_id', mark('root'));
  const isCreditOf = { 'c.order_type': INTERNAL_REVERSAL };
  const rows = await prepared('the orders of a sale', (mark) =>
    Owner.ofMarked(mark, 's')
      .select('s.timezone', 'family.id')
      .leftJoin(
        deposits(mark)
          .select('d.id')
          .unionAll([
            Order.ofMarked(mark, 'c')
              .select('c.id')
              .where('c.credited_order_id', mark('root'))
              .where(isCreditOf),
            deposits(mark)
              .join('orders as c', (join) =>
                join.on('c.owner_id', 'd.owner_id').on('c.credited_order_id', 'd.id'),
              )
              .select('c.id')
              .where(isCreditOf),
          ])
          .as('family'),
        (join) => join.onNotNull('family.id'),
      ),
  ).rows<{ timezone: string | null; id: number | null }>(garage, { root });
  return {
    timezone: timezoneOf(rows[0]),
    ids: [root, ...rows.flatMap(({ id }) => id ?? [])],
  };
}

/** Whether these orders have goods, and what else of them was paid in cash from an instant on. */
async function readCash(
  garage: Garage,
  orders: readonly number[],
  { except, from }: { readonly except: number; readonly from: string },
): Promise<{ hasGoods: boolean; others: string[] }> {
  const ids = padded(orders);
  const rows = await prepared(`the cash of ${ids.length} orders`, (mark) =>
    Payment.ofMarked(mark)
      .select('amount')
      .whereIn('order_id', marks(mark, 'ids', ids.length))
      .whereIn('method', [...CASH_METHODS])
      .where('paid_at', '>=', mark('from'))
      .whereNot('id', mark('except'))
      .unionAll(
        OrderLine.ofMarked(mark)
          .distinct(nothing('amount'))
          .whereIn('order_id', marks(mark, 'ids', ids.length))
          .whereNotIn('line_kind', [...NO_GOODS])
          .where((some) => some.whereNotIn('line_kind', [...GOODS_BY_AMOUNT]).orWhereNot('line_net', 0)),
      ),
  ).rows<{ amount: string | null }>(garage, { ids, from, except });
  return {
    hasGoods: rows.some(({ amount }) => amount === null),
    others: rows.flatMap(({ amount }) => amount ?? []),
  };
}
