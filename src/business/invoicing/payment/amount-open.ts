// Keeps the open amount of an invoice in step with its payments. The change of one payment is added to the amount of
// the locked order, so no other payment is read. The rounding of a cash payment counts like its amount.

import type { Violation } from '../../../core/errors.ts';
import type { Change } from '../../../core/model/records/record.ts';
import { keepsFolded } from '../../../core/model/records/search-text.ts';
import { payerOfOrder, sumOfSums } from '../../../core/model/statements/fragment.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import type { Session } from '../../../core/model/statements/session.ts';
import { changeRow } from '../../../core/model/writes/write.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { Owner } from '../../../core/resources/owner.ts';
import { Payment, type PaymentChange } from '../../../core/resources/payment.ts';
import {
  type Amount,
  isSamePaid,
  openAfter,
  roundingOf,
  unfitAmount,
} from '../../../core/trade/order-case/payment.ts';
import { euros } from '../../../core/trade/totals.ts';
import { less } from '../fragment.ts';

/** A change of one payment of an invoice, the `parent`. A new payment has no `previous`, a deleted one no `next`. */
type AmountChange = Partial<Pick<Change<Amount, OrderRow>, 'next' | 'previous' | 'parent' | 'given'>>;

/** Sets the rounding of a cash payment. A payment keeps its rounding if its amount and its method stay. */
export async function roundCash({ next, previous, parent, garage }: PaymentChange): Promise<void> {
  if (!parent || (previous?.amount === next.amount && previous.method === next.method)) return;
  const rounding = roundingOf(parent, { next, previous });
  next.rounding = euros(rounding !== 0n && (await isRounded(garage)) ? rounding : 0n);
}

async function isRounded(garage: Garage): Promise<boolean> {
  const company = await Owner.of(garage).select('is_cash_rounded').first();
  return company?.is_cash_rounded === 1;
}

export const fitsAmountOpen = (change: AmountChange): Violation | undefined =>
  change.parent && unfitAmount(change.parent, change);

/**
 * Writes the open amount of the invoice, and returns the changed invoice. The order is locked and written: see "Locks"
 * in docs/architecture.md.
 */
export async function keepAmountOpen(
  change: AmountChange & Pick<Change, 'garage'>,
): Promise<OrderRow | undefined> {
  const { parent, garage } = change;
  if (!parent || isSamePaid(change)) return parent;
  const paid = { ...parent, amount_open: euros(openAfter(parent, change)) };
  await changeRow(garage, Order.resource, { previous: parent, next: paid });
  return paid;
}

/** Recomputes the open amounts of all invoices of an owner. A backup of an earlier version lacks these amounts. */
export async function sumUpPayments(garage: Garage): Promise<void> {
  await Order.of(garage)
    .leftJoin(paymentSums().as('sums'), 'sums.order_id', 'orders.id')
    .patch({ amount_open: less('orders.total_gross', 'sums.paid'), ...keepsFolded(Order.resource) })
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
  session: Session,
  most: number,
): Promise<{ owner: number; id: number }[]> {
  const rows = await Order.ofAllOwners('doctor', session)
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
  Payment.ofAllOwners('part')
    .select('order_id', sumOfSums('amount', 'rounding', 'paid'))
    .groupBy('order_id');
