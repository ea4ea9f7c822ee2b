// Invoices of an earlier system, which an import with `history=1` brings along. They keep their numbers and dates, and new
// invoices are numbered behind them. What was right then is not judged again: lines, address, vehicle and credit.
import { type Violation, violation } from '../errors.ts';
import { raiseCounter } from '../model/counter.ts';
import type { Change, RowIn } from '../model/record.ts';
import type { Order } from '../resources/order.ts';
import { invoiceCounter, readInvoiceNumber } from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';
import { formatTimestamp } from '../trade/timestamp.ts';
import { dueOf } from './invoice.ts';
import { keepParties, readParties } from './invoice-parties.ts';

type OrderChange = Change<RowIn<typeof Order>>;

/** An old invoice has a number and a date. */
export function oldInvoiceIsWhole({ next, previous }: OrderChange): Violation | undefined {
  const { invoice_number, invoice_date } = next;
  if (previous || (invoice_number === null) === (invoice_date === null)) return undefined;
  return violation('field_required', { field: invoice_number === null ? 'invoice_number' : 'invoice_date' });
}

/** Makes a new order an invoice that has a number already. */
export async function becomeOldInvoice({ next, owner, session }: OrderChange): Promise<void> {
  const parties = await readParties(session, owner, next);
  const date = new Date(formatTimestamp(String(next.invoice_date)));
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.order_status = LISTS.orderstatuses.INVOICE;
  next.due_date = dueOf(date, parties);
  next.supply_date ??= next.invoice_date;
  const { year, count } = readInvoiceNumber(String(next.invoice_number), date) ?? {};
  if (year !== undefined && count !== undefined)
    await raiseCounter(session, owner, invoiceCounter(year), count);
}

/** Keeps seller and buyer with an old invoice. */
export async function keepOldInvoice({ next, previous, owner, session }: OrderChange): Promise<void> {
  if (previous || next.invoice_number === null) return;
  await keepParties(session, owner, next, await readParties(session, owner, next));
}
