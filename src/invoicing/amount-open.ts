// Keeps the open amount of an invoice in step with its payments. The change of one payment is added to the amount of
// the locked order, so no other payment is read. The rounding of a cash payment counts like its amount.

import { type Violation, violation } from '../errors.ts';
import { less, payerOfOrder, sumOfSums } from '../model/fragment.ts';
import type { Garage } from '../model/garage.ts';
import type { Change } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { changeRow } from '../model/write.ts';
import { Order, type OrderRow } from '../resources/order.ts';
import { Owner } from '../resources/owner.ts';
import { Payment, type PaymentChange } from '../resources/payment.ts';
import { cashRounding } from '../trade/cash-rounding.ts';
import { LISTS } from '../trade/lists.ts';
import { cents, euros } from '../trade/totals.ts';

const { CASH } = LISTS.paymentmethods;

/** A payment without `rounding` is not rounded. */
type Amount = Pick<Payment, 'amount'> & Partial<Pick<Payment, 'rounding'>>;

/** A change of one payment of an invoice, the `parent`. A new payment has no `previous`, a deleted one no `next`. */
type AmountChange = Partial<Pick<Change<Amount, OrderRow>, 'next' | 'previous' | 'parent' | 'given'>>;

/** The amount by which a payment lowers the open amount of its invoice, in cents. */
const takenOff = (payment: Amount | undefined): bigint =>
  cents(payment?.amount ?? '0') + cents(payment?.rounding ?? '0');

/** In cents. A process of an earlier version may have made the invoice without an open amount: nothing is paid yet. */
const openAfter = ({ amount_open, total_gross }: OrderRow, { next, previous }: AmountChange): bigint =>
  cents(amount_open ?? total_gross ?? '0') + takenOff(previous) - takenOff(next);

const isSame = ({ next, previous }: AmountChange): boolean =>
  next?.amount === previous?.amount && takenOff(next) === takenOff(previous);

/** Sets the rounding of a cash payment. A payment keeps its rounding if its amount and its method stay. */
export async function roundCash({ next, previous, parent, garage }: PaymentChange): Promise<void> {
  if (!parent || (previous?.amount === next.amount && previous.method === next.method)) return;
  const open = openAfter(parent, { previous });
  const rounding = next.method === CASH ? cashRounding(open, cents(next.amount)) : 0n;
  next.rounding = euros(rounding !== 0n && (await isRounded(garage)) ? rounding : 0n);
}

async function isRounded(garage: Garage): Promise<boolean> {
  const company = await Owner.of(garage).select('is_cash_rounded').first();
  return company?.is_cash_rounded === 1;
}

/** Refuses a payment if the sum of all payments would not be between 0 and the total of the invoice. */
export function fitsAmountOpen(change: AmountChange): Violation | undefined {
  const { parent, next, previous, given } = change;
  if (!parent || isSame(change)) return undefined;
  const [open, total] = [openAfter(parent, change), cents(parent.total_gross ?? '0')];
  // A credit note has a total below 0: `sign` turns both around.
  const sign = total < 0n ? -1n : 1n;
  if (sign * open >= 0n && sign * open <= sign * total) return undefined;
  const value = given?.('amount') ?? Number(next?.amount ?? previous?.amount);
  return violation('value_invalid', { field: 'amount', value, validation: 'amount open' });
}

/**
 * Writes the open amount of the invoice, and returns the changed invoice. The order is locked and written: see "Locks"
 * in docs/architecture.md.
 */
export async function keepAmountOpen(
  change: AmountChange & Pick<Change, 'garage'>,
): Promise<OrderRow | undefined> {
  const { parent, garage } = change;
  if (!parent || isSame(change)) return parent;
  const paid = { ...parent, amount_open: euros(openAfter(parent, change)) };
  await changeRow(garage, Order.resource, { previous: parent, next: paid });
  return paid;
}

/** Recomputes the open amounts of all invoices of an owner. A backup of an earlier version lacks these amounts. */
export async function sumUpPayments(garage: Garage): Promise<void> {
  await Order.of(garage)
    .leftJoin(paymentSums().as('sums'), 'sums.order_id', 'orders.id')
    .patch({ amount_open: less('orders.total_gross', 'sums.paid') })
    .where('orders.is_invoiced', 1);
}

/**
 * Sets the payers of all payments of an owner: the contacts who got the invoices. A backup does not contain these
 * payers.
 */
export async function namePayers(garage: Garage): Promise<void> {
  await Payment.of(garage)
    .join('orders', 'orders.id', 'payments.order_id')
    .patch({ payer_id: payerOfOrder('orders') });
}

/** For doctor: finds invoices with an open amount that is not the total less the payments. */
export async function findWrongAmounts(
  { knex }: Session,
  most: number,
): Promise<{ owner: number; id: number }[]> {
  const rows = await Order.ofAllOwners({ knex })
    .select('orders.owner_id', 'orders.id')
    .leftJoin(paymentSums().as('sums'), 'sums.order_id', 'orders.id')
    .where('orders.is_invoiced', 1)
    .where((either) => {
      either.whereNull('orders.amount_open');
      either.orWhereNot('orders.amount_open', less('orders.total_gross', 'sums.paid'));
    })
    .orderBy('orders.id')
    .limit(most);
  return rows.map(({ owner_id, id }) => ({ owner: owner_id, id }));
}

/** The sum of the payments of each invoice that has some. */
const paymentSums = () =>
  Payment.query()
    .select('order_id', sumOfSums('amount', 'rounding', 'paid'))
    .groupBy('order_id');
