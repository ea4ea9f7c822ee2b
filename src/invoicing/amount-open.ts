// Keeps the open amount of an invoice in step with its payments. The change of one payment is added to the amount of the
// locked order, so no other payment is read.

import { type Violation, violation } from '../errors.ts';
import type { Row } from '../model/field.ts';
import { firstOf, less } from '../model/fragment.ts';
import type { Change } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { changeRow } from '../model/write.ts';
import { Order } from '../resources/order.ts';
import { Payment } from '../resources/payment.ts';
import { cents, euros } from '../trade/totals.ts';

/** A change of one payment of an invoice, the `parent`. A new payment has no `previous`, a deleted one no `next`. */
type PaymentChange = Partial<Pick<Change<Pick<Payment, 'amount'>>, 'next' | 'previous' | 'parent' | 'given'>>;

/** In cents. An invoice that a process of an earlier version made has no open amount: nothing is paid yet. */
const openAfter = ({ amount_open, total_gross }: Row, { next, previous }: PaymentChange): bigint =>
  cents(String(amount_open ?? total_gross)) + cents(previous?.amount ?? '0') - cents(next?.amount ?? '0');

/** Refuses payments whose sum would not be between 0 and the total of the invoice. */
export function fitsAmountOpen(change: PaymentChange): Violation | undefined {
  const { parent, next, previous, given } = change;
  if (!parent || next?.amount === previous?.amount) return undefined;
  const [open, total] = [openAfter(parent, change), cents(String(parent.total_gross))];
  // A credit note has a total below 0: `sign` turns both around.
  const sign = total < 0n ? -1n : 1n;
  if (sign * open >= 0n && sign * open <= sign * total) return undefined;
  const value = given?.('amount') ?? Number(next?.amount ?? previous?.amount);
  return violation('value_invalid', { field: 'amount', value, validation: 'amount open' });
}

/**
 * Writes the open amount of the invoice, and answers the invoice as it is then. The order is locked, and written: see "Locks"
 * in docs/architecture.md.
 */
export async function keepAmountOpen(
  change: PaymentChange & Pick<Change, 'owner' | 'session'>,
): Promise<Row> {
  const { next, previous, parent, owner, session } = change;
  if (!parent || next?.amount === previous?.amount) return parent ?? {};
  const paid: Row = { ...parent, amount_open: euros(openAfter(parent, change)) };
  await changeRow(session, Order.resource, owner, { previous: parent, next: paid });
  return paid;
}

/** Recomputes the open amounts of all invoices of an owner. A backup of an earlier version has none. */
export async function sumUpPayments({ knex }: Session, owner: number): Promise<void> {
  await Order.of({ knex }, owner)
    .leftJoin(paymentSums().as('sums'), 'sums.order_id', 'orders.id')
    .patch({ amount_open: less('orders.total_gross', 'sums.paid') })
    .modify('owned', owner)
    .where('orders.is_invoiced', 1);
}

/** Sets the payers of all payments of an owner: they got the invoices. A backup does not contain them. */
export async function namePayers({ knex }: Session, owner: number): Promise<void> {
  await Payment.of({ knex }, owner)
    .join('orders', 'orders.id', 'payments.order_id')
    .patch({ payer_id: firstOf('orders.invoice_contact_id', 'orders.contact_id') });
}

/** Invoices whose open amount is not their total less their payments, for doctor. */
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

/** What was paid of each invoice that has payments. */
const paymentSums = () => Payment.query().select('order_id').sum('amount as paid').groupBy('order_id');
