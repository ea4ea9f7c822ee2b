// Invoices of an earlier system, from an import with `history=1`. They keep their numbers and dates, and new invoices
// are numbered after them. Lines, address, vehicle and credit are not judged again: they were right on the day of the
// invoice.
import { type Violation, violation } from '../../../core/errors.ts';
import type { OrderChange } from '../../../core/resources/order.ts';
import { isPurchase } from '../../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { lockVehicles, readCreditedInvoice, readLines } from '../case.ts';
import { onClosedDay } from '../closed-period.ts';
import { dueOf, printedVehicles } from './invoice.ts';
import { keepParties, readParties } from './invoice-parties.ts';
import { raiseSeries } from './invoice-series.ts';

/** An int4 then has 147 million numbers left for later orders. */
const LAST_OLD_NUMBER = 2_000_000_000;

/** Refuses the number of an old order if it leaves no numbers for new orders. Only an import gives a number. */
export function leavesNumbers({ next, previous }: OrderChange): Violation | undefined {
  const { order_number: value } = next;
  if (previous || value == null || (value >= 1 && value <= LAST_OLD_NUMBER)) return undefined;
  return violation('value_invalid', {
    field: 'order_number',
    value,
    validation: `1..${LAST_OLD_NUMBER}`,
  });
}

/** Whether a new order is an old invoice: only an import gives a number or a date. */
export const isOldInvoice = ({ invoice_number, invoice_date }: OrderChange['next']): boolean =>
  invoice_number !== null || invoice_date !== null;

/**
 * An old invoice needs a date, which may be any date of the old system, even one that lies ahead. It also needs a
 * number, unless it is a purchase by the seller's invoice, or its credit note.
 */
export async function oldInvoiceIsWhole({
  next,
  previous,
  garage,
}: OrderChange): Promise<Violation | undefined> {
  if (previous || !isOldInvoice(next)) return undefined;
  if (next.invoice_date === null) return violation('field_required', { field: 'invoice_date' });
  if (
    next.invoice_number !== null ||
    isPurchase(next.order_type, (await readCreditedInvoice(garage, next))?.order_type)
  )
    return undefined;
  return violation('field_required', { field: 'invoice_number' });
}

/** An old invoice is booked on its date, which may not be a closed day. */
export async function oldInvoiceIsOpen({
  next,
  previous,
  garage,
}: OrderChange): Promise<Violation | undefined> {
  if (previous || !isOldInvoice(next)) return undefined;
  return onClosedDay(garage, next.contact_id, [next.invoice_date]);
}

/** Makes a new order an invoice with the number that it brings along. */
export async function becomeOldInvoice({ next, garage }: OrderChange): Promise<void> {
  const parties = await readParties(garage, next);
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.order_status = LISTS.orderstatuses.INVOICE;
  next.due_date = dueOf(next, parties);
  next.supply_date ??= next.invoice_date;
  next.book_date = next.invoice_date;
  await raiseSeries(garage, next, await readCreditedInvoice(garage, next));
}

/** Keeps seller and buyer with an old invoice. */
export async function keepOldInvoice({ next, previous, garage }: OrderChange): Promise<void> {
  if (previous || !isOldInvoice(next)) return;
  const parties = await readParties(garage, next);
  const cars = await lockVehicles(garage, [], printedVehicles(next, await readLines(garage, [next.id])));
  await keepParties(garage, next, parties, {
    credited: await readCreditedInvoice(garage, next),
    vehicles: [...cars.values()],
  });
}
