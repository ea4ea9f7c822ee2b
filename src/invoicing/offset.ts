// Settles a credit note with its invoice: a payment of method OFFSET takes the lower open amount off both.
import type { Row } from '../model/field.ts';
import { lockRecord } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import type { Change, RowIn } from '../model/record.ts';
import { insertRecord } from '../model/store.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { LISTS } from '../trade/lists.ts';
import { cents, euros } from '../trade/totals.ts';
import { keepAmountOpen } from './amount-open.ts';
import { isCredit } from './credit.ts';

type OrderRow = RowIn<typeof Order>;

/** Called after an order was written: a credit note that just became an invoice is settled. */
export async function offsetCredit({ next, previous, garage }: Change<OrderRow>): Promise<void> {
  const isNew = previous?.is_invoiced === 0 && next.is_invoiced === 1;
  if (!isNew || !isCredit(next) || next.credited_order_id === null) return;
  const invoice = await lockRecord(garage, Order.resource, next.credited_order_id);
  if (!invoice) return;
  const [open, given] = [openOf(invoice), openOf(next)];
  // An invoice below 0 has credit notes above 0.
  if (open * given >= 0n) return;
  const amount = lower(open, -given);
  const paid_at = String(next.invoice_date);
  await pay(garage, invoice, { amount: euros(amount), paid_at, reference: numberOf(next) });
  const own = { amount: euros(-amount), paid_at, reference: numberOf(invoice) };
  Object.assign(next, await pay(garage, next, own));
}

/** A purchase by the invoice of the seller has only the seller's number. */
const numberOf = ({ invoice_number, supplier_invoice_number }: OrderRow): string | null =>
  invoice_number ?? supplier_invoice_number;

const openOf = ({ amount_open, total_gross }: OrderRow): bigint => cents(amount_open ?? total_gross ?? '0');

/** Returns the amount that is nearer to 0. Both amounts have the same sign. */
const lower = (one: bigint, other: bigint): bigint => (one < 0n === one > other ? one : other);

/** Adds the payment. Returns the order with its new open amount. */
async function pay(
  garage: Garage,
  order: OrderRow,
  payment: Pick<RowIn<typeof Payment>, 'amount' | 'paid_at' | 'reference'>,
): Promise<Row> {
  const next = { order_id: order.id, method: LISTS.paymentmethods.OFFSET, ...payment };
  await insertRecord(Payment.resource, { next, given: () => undefined, garage, parent: order });
  return keepAmountOpen({ next, garage, parent: order });
}
