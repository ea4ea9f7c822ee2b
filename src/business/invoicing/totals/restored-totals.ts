// The sums of orders by VAT rate. A backup does not contain them, so they are computed after a restore has written the
// orders.
import { ref } from 'objection';
import { keepsFolded } from '../../../core/model/records/search-text.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { type Rest, restOf, sumsOf } from '../../../core/trade/order-case/rest.ts';
import { euros } from '../../../core/trade/totals.ts';
import { readCredited, readLines } from '../case.ts';
import { highestWhere, percentOf, sumOfBoth, sumWhere } from '../fragment.ts';
import { rateDayOf } from './rate-day.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { DEPOSIT } = LISTS.linekinds;

/** Recomputes the sums by VAT rate of all orders of an owner. A backup contains only the totals. */
export async function sumUpOrders(garage: Garage): Promise<void> {
  const sums = OrderLine.of(garage)
    .select(
      'order_id',
      sumWhere('line_net', 'vat_code', HIGH, 'high_net'),
      sumWhere('line_net', 'vat_code', LOW, 'low_net'),
      sumWhere('line_vat', 'vat_code', HIGH, 'high_vat'),
      sumWhere('line_vat', 'vat_code', LOW, 'low_vat'),
      // The lines of a code have one percentage. Those that take off a deposit are summed up below.
      highestWhere('vat_percentage', 'vat_code', HIGH, 'high_rate'),
      highestWhere('vat_percentage', 'vat_code', LOW, 'low_rate'),
    )
    .groupBy('order_id')
    .as('sums');
  const orders = (is_vat_included: number) =>
    Order.of(garage)
      .join(sums.clone(), 'sums.order_id', 'orders.id')
      .where('orders.is_vat_included', is_vat_included);
  const nets = { net_high: ref('sums.high_net'), net_low: ref('sums.low_net') };
  await orders(1).patch({
    ...nets,
    vat_high: ref('sums.high_vat'),
    vat_low: ref('sums.low_vat'),
    ...keepsFolded(Order.resource),
  });
  await orders(0).patch({
    ...keepsFolded(Order.resource),
    ...nets,
    vat_high: percentOf('sums.high_net', 'sums.high_rate'),
    vat_low: percentOf('sums.low_net', 'sums.low_rate'),
  });
  // First the invoices, because their credit notes take the rest.
  await sumUpDeductions(garage);
  await sumUpTold(garage, '<>');
  await sumUpLastCredits(garage);
  await sumUpTold(garage, '=');
}

/**
 * The VAT of old invoices: their lines have the amounts that the buyer was told. `credits`: `=` for credit notes, `<>`
 * for others.
 */
async function sumUpTold(garage: Garage, credits: '=' | '<>'): Promise<void> {
  const orders: OrderRow[] = await Order.of(garage)
    .where({ is_invoiced: 1, is_vat_included: 0 })
    .where('order_type', credits, INTERNAL_REVERSAL)
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id');
  for (const order of orders) await sumUpLines(garage, { ...order, is_vat_included: 1 });
}

/** If a credit note took the rest of a VAT code, its VAT does not follow from its net. */
async function sumUpLastCredits(garage: Garage): Promise<void> {
  const credits: OrderRow[] = await Order.of(garage)
    .where({ order_type: INTERNAL_REVERSAL, is_vat_included: 0 })
    .whereNot('total_vat', sumOfBoth('vat_high', 'vat_low'))
    .orderBy('id');
  for (const credit of credits) {
    const credited = await readCredited(garage, credit, true);
    if (credited)
      await sumUpLines(garage, credit, restOf(credited, await rateDayOf(garage, credited.invoice)));
  }
}

/** A deduction of a deposit has the VAT of the deposit. */
async function sumUpDeductions(garage: Garage): Promise<void> {
  const deducted = OrderLine.of(garage)
    .select('order_id')
    .where('line_kind', DEPOSIT)
    .whereNotNull('credited_line_id');
  const invoices: OrderRow[] = await Order.of(garage)
    .whereIn('id', deducted)
    .where('is_vat_included', 0)
    .whereNot('order_type', INTERNAL_REVERSAL)
    .orderBy('id');
  for (const invoice of invoices) await sumUpLines(garage, invoice);
}

async function sumUpLines(garage: Garage, order: OrderRow, rest?: Rest): Promise<void> {
  const lines = await readLines(garage, [order.id]);
  const day = rest?.day ?? (await rateDayOf(garage, order));
  const { vat_high, vat_low } = sumsOf(lines, { ...order, day }, rest);
  await Order.of(garage)
    .patch({ vat_high: euros(vat_high), vat_low: euros(vat_low), ...keepsFolded(Order.resource) })
    .where('id', order.id);
}
