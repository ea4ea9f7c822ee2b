// Credit notes. A credit note is an order that credits an invoice of the same contact: made by hand, or by the service
// for the whole rest or some lines. Once it is an invoice, it is settled with the invoice that it takes back.

import { problem, type Violation, violation } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import { bySortOrder } from '../../../core/model/lists/expand.ts';
import { claimRecord, lockRecord } from '../../../core/model/lists/find.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { changeAlong, insertRecord } from '../../../core/model/writes/store.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import { Payment, type PaymentRow } from '../../../core/resources/payment.ts';
import { deducts } from '../../../core/trade/deposit.ts';
import { printedNumber } from '../../../core/trade/invoice-number.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { EXCEEDS, type LineToCredit, takenLines } from '../../../core/trade/order-case/credit.ts';
import { addedBack } from '../../../core/trade/order-case/deposit.ts';
import { isCredit } from '../../../core/trade/order-case/line.ts';
import { openAfter } from '../../../core/trade/order-case/payment.ts';
import { restOf, restsOf } from '../../../core/trade/order-case/rest.ts';
import { databaseNow, formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { euros } from '../../../core/trade/totals.ts';
import { type CreditedCase, type Line, readOrder, readTaken, rowOf } from '../case.ts';
import { isTakenOff } from '../deposit/deposit.ts';
import type { Invoicing } from '../invoice/invoice.ts';
import { addWithLines, type NewOrder } from '../new-order.ts';
import { keepAmountOpen } from '../payment/amount-open.ts';
import { rateDayOf } from '../totals/rate-day.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { INVOICE } = LISTS.orderstatuses;

type Changed = Pick<Invoicing, 'next' | 'garage'> & { readonly previous?: OrderRow };

/** A credit note must refer to the credited invoice. The invoice must have the same contact. */
export async function checkCredit({ next, previous, garage }: Changed): Promise<Violation | undefined> {
  if (!isCredit(next)) return undefined;
  const field = 'credited_order_id';
  const value = next.credited_order_id;
  if (value === null) return violation('field_required', { field });
  const same = previous && previous.credited_order_id === value && previous.contact_id === next.contact_id;
  if (same) return undefined;
  const credited = await readOrder(garage, value);
  // The check of references reports an unknown order.
  if (!credited) return undefined;
  if (credited.is_invoiced !== 1 || credited.contact_id !== next.contact_id)
    return violation('value_invalid', { field, value, validation: 'invoiced order of the same contact' });
  // A credit note can't be credited: make an ordinary invoice instead.
  if (!isCredit(credited)) return undefined;
  return violation('value_invalid', { field, value, validation: 'no credit note' });
}

/**
 * Adds a credit note and returns it with its lines. Without `wanted` it takes the whole rest. If `isInvoiced`, it
 * becomes an invoice at once. Throws Problem.
 */
export async function addCredit(
  garage: Garage,
  invoiceId: number,
  {
    wanted,
    isInvoiced,
  }: { readonly wanted: readonly LineToCredit[] | undefined; readonly isInvoiced: boolean },
): Promise<NewOrder> {
  const invoice = await lockRecord(garage, Order.resource, invoiceId);
  const field = { field: 'order_id', value: invoiceId };
  if (!invoice) throw problem('reference_unknown', field);
  if (invoice.is_invoiced !== 1) throw problem('value_invalid', { ...field, validation: 'invoiced order' });
  if (isCredit(invoice)) throw problem('value_invalid', { ...field, validation: 'no credit note' });
  // Two credit notes at once wait for each other, on two nodes too.
  await claimRecord(garage, Order.resource, invoiceId);
  const credited: CreditedCase = { invoice, ...(await readTaken(garage, invoiceId, {})) };
  if (await isTakenOff(garage, credited)) throw problem('value_invalid', { ...field, validation: EXCEEDS });
  const shown = credited.lines.filter(({ order_id }) => order_id === invoiceId).sort(bySortOrder);
  const { taken, unfit } = takenLines(invoice, shown, restsOf(credited.lines, invoiceId), wanted);
  refuse(unfit);
  const { contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference } = invoice;
  const added = await addWithLines(
    garage,
    {
      order_type: INTERNAL_REVERSAL,
      order_date: formatTimestamp(databaseNow()),
      ...{ contact_id, invoice_contact_id, vehicle_id, reference, buyer_reference },
      credited_order_id: invoiceId,
      is_vat_included: invoice.is_vat_included,
    },
    taken.map(({ line, quantity }) => creditLine(line, quantity, invoice)),
    restOf(credited, await rateDayOf(garage, invoice)),
  );
  return isInvoiced ? invoiceAtOnce(garage, added, credited) : added;
}

/** A copy of the line, with the quantity of the credit. */
const creditLine = (line: Line, quantity: string, invoice: OrderRow) => ({
  ...rowOf(line),
  description: deducts(line, invoice) ? addedBack(line.description) : line.description,
  quantity,
  credited_line_id: line.id,
  external_id: null,
  created_at: databaseNow(),
  modified_at: databaseNow(),
});

/** Makes the new credit note an invoice. Only credit notes that are invoices count against it. */
async function invoiceAtOnce(garage: Garage, added: NewOrder, credited: CreditedCase): Promise<NewOrder> {
  const { order: previous, lines } = added;
  const credits = credited.credits.filter(({ is_invoiced }) => is_invoiced === 1);
  const counted = new Set([credited.invoice.id, ...credits.map(({ id }) => id)]);
  const known = {
    lines,
    credited: { ...credited, credits, lines: credited.lines.filter(({ order_id }) => counted.has(order_id)) },
  };
  const next = { ...previous, order_status: INVOICE };
  await changeAlong(Order.resource, { next, previous, given: () => undefined, garage, prepared: known });
  return { order: next, lines: known.lines };
}

/** Called after an order was written: a credit note that just became an invoice is settled with its invoice. */
export async function offsetCredit({
  next,
  previous,
  garage,
  prepared: known,
}: Changed & Pick<Invoicing, 'prepared'>): Promise<void> {
  const isNew = previous?.is_invoiced === 0 && next.is_invoiced === 1;
  if (!isNew || !isCredit(next) || next.credited_order_id === null) return;
  const invoice =
    known?.credited.invoice ?? (await lockRecord(garage, Order.resource, next.credited_order_id));
  if (!invoice) return;
  const [open, given] = [openAfter(invoice), openAfter(next)];
  // An invoice below 0 has credit notes above 0.
  if (open * given >= 0n) return;
  const amount = lower(open, -given);
  const paid_at = String(next.invoice_date);
  await pay(garage, invoice, { amount: euros(amount), paid_at, reference: printedNumber(next) });
  const own = { amount: euros(-amount), paid_at, reference: printedNumber(invoice) };
  Object.assign(next, await pay(garage, next, own));
}

/** Returns the amount that is nearer to 0. Both amounts have the same sign. */
const lower = (one: bigint, other: bigint): bigint => (one < 0n === one > other ? one : other);

/** Adds a payment of method OFFSET. Returns the order with its new open amount. */
async function pay(
  garage: Garage,
  order: OrderRow,
  payment: Pick<PaymentRow, 'amount' | 'paid_at' | 'reference'>,
): Promise<OrderRow> {
  const next = { order_id: order.id, method: LISTS.paymentmethods.OFFSET, ...payment };
  await insertRecord(Payment.resource, { next, given: () => undefined, garage, parent: order });
  return (await keepAmountOpen({ next, garage, parent: order })) ?? order;
}
