// Keeps the totals of an order in step with its lines. The change of one line is added to the sums of the locked
// order, so no other line is read.

import { refuse } from '../model/check.ts';
import type { Row } from '../model/field.ts';
import { claimRecord } from '../model/find.ts';
import { sumWhere } from '../model/fragment.ts';
import type { Change } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { largeAmount } from '../model/value.ts';
import { changeRow } from '../model/write.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { cents, euros, vatOf } from '../trade/totals.ts';

const { HIGH, LOW } = LISTS.vatcodes;

type Amount = Pick<OrderLine, 'vat_code' | 'line_net'>;

/** A change of one line of an order, the `parent`. A new line has no `previous`, a deleted one no `next`. */
type LineChange = Partial<Pick<Change<Amount>, 'next' | 'previous'>> &
  Pick<Change, 'parent' | 'owner' | 'session'>;

/** Applies the change of a line to its order. */
export const keepOrderTotals = (change: LineChange): Promise<void> => keepTotalsOf([change]);

/** Applies changes of lines of one order to it, in one go. */
export async function keepTotalsOf(changes: readonly LineChange[]): Promise<void> {
  const { parent, owner, session } = changes[0] ?? {};
  if (!parent || owner === undefined || !session) return;
  if (changes.every(({ next, previous }) => isSameAmount(next, previous))) {
    // The order may become an invoice at this moment, and must not miss the line.
    await claimRecord(session, Order.resource, owner, Number(parent.id));
    return;
  }
  const change = (code?: number) =>
    changes.reduce((sum, { next, previous }) => sum + netOf(next, code) - netOf(previous, code), 0n);
  const high = cents(String(parent.net_high)) + change(HIGH);
  const low = cents(String(parent.net_low)) + change(LOW);
  const net = cents(String(parent.total_net)) + change();
  // The other codes have no VAT.
  const vat = vatOf(high, HIGH) + vatOf(low, LOW);
  const amounts = {
    net_high: euros(high),
    net_low: euros(low),
    total_net: euros(net),
    total_vat: euros(vat),
    total_gross: euros(net + vat),
    ...openOf(parent, net + vat),
  };
  const tooLarge = Object.values(amounts).flatMap((amount) => largeAmount('total_gross', amount) ?? []);
  refuse(tooLarge.slice(0, 1));
  await changeRow(session, Order.resource, owner, { previous: parent, next: { ...parent, ...amounts } });
}

/** An invoice gets no more lines, except an old one while it is imported: what is open of it grows with its total. */
const openOf = ({ is_invoiced, amount_open, total_gross }: Row, gross: bigint): Row =>
  is_invoiced === 1
    ? { amount_open: euros(cents(String(amount_open ?? total_gross)) + gross - cents(String(total_gross))) }
    : {};

const isSameAmount = (next?: Amount, previous?: Amount) =>
  next?.line_net === previous?.line_net && next?.vat_code === previous?.vat_code;

/** Recomputes the net sums by VAT rate of all orders of an owner. A backup contains only the totals. */
export async function sumUpOrders(session: Session, owner: number): Promise<void> {
  const sums = OrderLine.query()
    .select(
      'order_id',
      sumWhere('line_net', 'vat_code', HIGH, 'high'),
      sumWhere('line_net', 'vat_code', LOW, 'low'),
    )
    .modify('owned', owner)
    .groupBy('order_id')
    .as('sums')
    .toKnexQuery();
  await session
    .knex('orders')
    .join(sums, 'sums.order_id', 'orders.id')
    .where('orders.owner_id', owner)
    .update({ net_high: session.knex.ref('sums.high'), net_low: session.knex.ref('sums.low') });
}

/** The net in cents; 0 if there is no line or the line has another VAT code. */
const netOf = (line: Amount | undefined, code = line?.vat_code): bigint =>
  line?.vat_code === code ? cents(line?.line_net ?? '0') : 0n;
