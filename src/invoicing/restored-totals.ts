// The sums of orders by VAT rate. A backup does not contain them, so they are computed after a restore has written the
// orders.
import { ref } from 'objection';
import { percentOf, sumOfBoth, sumWhere } from '../model/fragment.ts';
import type { RowIn } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS, VAT_PERCENTAGES } from '../trade/lists.ts';
import { euros } from '../trade/totals.ts';
import { type Rest, readRestOf } from './credit-rest.ts';
import { type Settled, sumsOf } from './settled-line.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { DEPOSIT } = LISTS.linekinds;

type OrderRow = RowIn<typeof Order>;

/** Recomputes the sums by VAT rate of all orders of an owner. A backup contains only the totals. */
export async function sumUpOrders(session: Session, owner: number): Promise<void> {
  const sums = OrderLine.query()
    .select(
      'order_id',
      sumWhere('line_net', 'vat_code', HIGH, 'high_net'),
      sumWhere('line_net', 'vat_code', LOW, 'low_net'),
      sumWhere('line_vat', 'vat_code', HIGH, 'high_vat'),
      sumWhere('line_vat', 'vat_code', LOW, 'low_vat'),
    )
    .modify('owned', owner)
    .groupBy('order_id')
    .as('sums');
  const orders = (is_vat_included: number) =>
    Order.of(session, owner)
      .join(sums.clone(), 'sums.order_id', 'orders.id')
      .where('orders.is_vat_included', is_vat_included);
  const nets = { net_high: ref('sums.high_net'), net_low: ref('sums.low_net') };
  await orders(1).patch({ ...nets, vat_high: ref('sums.high_vat'), vat_low: ref('sums.low_vat') });
  await orders(0).patch({
    ...nets,
    vat_high: percentOf('sums.high_net', VAT_PERCENTAGES[HIGH]),
    vat_low: percentOf('sums.low_net', VAT_PERCENTAGES[LOW]),
  });
  // First the invoices, because their credit notes take the rest.
  await sumUpDeductions(session, owner);
  await sumUpTold(session, owner, '<>');
  await sumUpLastCredits(session, owner);
  await sumUpTold(session, owner, '=');
}

/**
 * The VAT of old invoices: their lines have the amounts that the buyer was told. `credits`: `=` for credit notes, `<>`
 * for others.
 */
async function sumUpTold(session: Session, owner: number, credits: '=' | '<>'): Promise<void> {
  const orders = await Order.of(session, owner)
    .where({ is_invoiced: 1, is_vat_included: 0 })
    .where('order_type', credits, INTERNAL_REVERSAL)
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const order of orders) await sumUpLines(session, owner, { ...order, is_vat_included: 1 });
}

/** If a credit note took the rest of a VAT code, its VAT does not follow from its net. */
async function sumUpLastCredits(session: Session, owner: number): Promise<void> {
  const credits = await Order.of(session, owner)
    .where({ order_type: INTERNAL_REVERSAL, is_vat_included: 0 })
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const credit of credits) {
    const rest = await readRestOf(session, owner, credit, true);
    if (rest) await sumUpLines(session, owner, credit, rest);
  }
}

/** A deduction of a deposit has the VAT of the deposit. */
async function sumUpDeductions(session: Session, owner: number): Promise<void> {
  const deducted = OrderLine.of(session, owner)
    .select('order_id')
    .where('line_kind', DEPOSIT)
    .whereNotNull('credited_line_id');
  const invoices = await Order.of(session, owner)
    .whereIn('id', deducted)
    .where('is_vat_included', 0)
    .whereNot('order_type', INTERNAL_REVERSAL)
    .orderBy('id')
    .castTo<OrderRow[]>();
  for (const invoice of invoices) await sumUpLines(session, owner, invoice);
}

async function sumUpLines(session: Session, owner: number, order: OrderRow, rest?: Rest): Promise<void> {
  const lines = await OrderLine.of(session, owner).where('order_id', order.id).castTo<Settled[]>();
  const { vat_high, vat_low } = sumsOf(lines, order, rest);
  await Order.of(session, owner)
    .patch({ vat_high: euros(vat_high), vat_low: euros(vat_low) })
    .where('id', order.id);
}
