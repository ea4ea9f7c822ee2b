// The sums of orders by VAT rate. A backup does not contain them, so they are computed after a restore has written the
// orders.
import { type Raw, type ReferenceBuilder, ref } from 'objection';
import { keepsFolded } from '../../../core/model/records/search-text.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { type Rest, restOf, sumsOf } from '../../../core/trade/order-case/rest.ts';
import { cents, euros, type OrderVat } from '../../../core/trade/totals.ts';
import { SUMMED, type SummedCode } from '../../../core/trade/vat-code.ts';
import { readCredited, readLines, readOrder } from '../case.ts';
import { highestWhere, percentOf, sumOfColumns, sumWhere } from '../fragment.ts';
import { rateDayOf } from './rate-day.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { DEPOSIT } = LISTS.linekinds;

const VATS = SUMMED.map(({ vat }) => vat);

/** What the sums of the lines of a code, and its percentage, are called in a query: not as the columns of the order. */
const namesOf = ({ code, net, vat }: SummedCode) => ({
  net: `lines_${net}`,
  vat: `lines_${vat}`,
  rate: `rate_${code}`,
});

/** A value for the net or the VAT of each code. */
const ofEachCode = <C extends 'net' | 'vat', V extends Raw | ReferenceBuilder>(
  column: C,
  makeValue: (names: ReturnType<typeof namesOf>) => V,
) =>
  Object.fromEntries(SUMMED.map((summed) => [summed[column], makeValue(namesOf(summed))])) as Readonly<
    Record<SummedCode[C], V>
  >;

/** Recomputes the sums by VAT rate of all orders of an owner. A backup contains only the totals. */
export async function sumUpOrders(garage: Garage): Promise<void> {
  const sums = OrderLine.of(garage)
    .select(
      'order_id',
      ...SUMMED.flatMap((summed) => {
        const { net, vat, rate } = namesOf(summed);
        return [
          sumWhere('line_net', 'vat_code', summed.code, net),
          sumWhere('line_vat', 'vat_code', summed.code, vat),
          // The lines of a code have one percentage. Those that take off a deposit are summed up below.
          highestWhere('vat_percentage', 'vat_code', summed.code, rate),
        ];
      }),
    )
    .groupBy('order_id')
    .as('sums');
  const orders = (is_vat_included: number) =>
    Order.of(garage)
      .join(sums.clone(), 'sums.order_id', 'orders.id')
      .where('orders.is_vat_included', is_vat_included);
  const nets = ofEachCode('net', ({ net }) => ref(`sums.${net}`));
  await orders(1).patch({
    ...nets,
    ...ofEachCode('vat', ({ vat }) => ref(`sums.${vat}`)),
    ...keepsFolded(Order.resource),
  });
  await orders(0).patch({
    ...nets,
    ...ofEachCode('vat', ({ net, rate }) => percentOf(`sums.${net}`, `sums.${rate}`)),
    ...keepsFolded(Order.resource),
  });
  // First the invoices, because their credit notes take the rest.
  await sumUpDeductions(garage);
  await sumUpTold(garage, '<>');
  await sumUpLastCredits(garage);
  await sumUpTold(garage, '=');
}

/**
 * The VAT of old orders and invoices: their lines have the amounts that the buyer was told. `credits`: `=` for credit
 * notes, `<>` for others.
 */
async function sumUpTold(garage: Garage, credits: '=' | '<>'): Promise<void> {
  const orders: OrderRow[] = await Order.of(garage)
    .where('is_vat_included', 0)
    .where('order_type', credits, INTERNAL_REVERSAL)
    .whereNot('total_vat', sumOfColumns(VATS))
    .orderBy('id');
  for (const order of orders) await sumUpLines(garage, { ...order, is_vat_included: 1 });
}

/**
 * If a credit note took the rest of a VAT code, its VAT does not follow from its net. If it has two codes, the cents of
 * one may hide those of the other in the total.
 */
async function sumUpLastCredits(garage: Garage): Promise<void> {
  const credits = await Order.of(garage)
    .select('id')
    .where({ order_type: INTERNAL_REVERSAL, is_vat_included: 0 })
    .where((some) =>
      some
        .whereNot('total_vat', sumOfColumns(VATS))
        .orWhere((both) => both.whereNot('net_high', 0).whereNot('net_low', 0)),
    )
    .orderBy('id');
  for (const { id } of credits) await sumUpLastCredit(garage, id);
}

async function sumUpLastCredit(garage: Garage, id: number): Promise<void> {
  const credit = await readOrder(garage, id);
  const credited = credit && (await readCredited(garage, credit));
  if (!credited) return;
  const credits = credited.credits.filter((other) => isBefore(other, credit));
  await sumUpLines(
    garage,
    credit,
    restOf({ ...credited, credits }, await rateDayOf(garage, credited.invoice)),
  );
}

type Turn = Pick<OrderRow, 'id' | 'invoice_date'>;

/** Whether a credit note took its part before another one: by the date of the invoice, and drafts last. */
const isBefore = (one: Turn, other: Turn): boolean =>
  one.invoice_date === other.invoice_date
    ? one.id < other.id
    : one.invoice_date !== null && (other.invoice_date === null || one.invoice_date < other.invoice_date);

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
  const sums = sumsOf(lines, { ...order, day }, rest);
  // If they do not add up to the total, the order had others.
  const total = VATS.reduce((all, column) => all + sums[column], 0n);
  if (total !== cents(String(order.total_vat))) return;
  const vats = Object.fromEntries(VATS.map((column) => [column, euros(sums[column])])) as OrderVat;
  await Order.of(garage)
    .patch({ ...vats, ...keepsFolded(Order.resource) })
    .where('id', order.id);
}
