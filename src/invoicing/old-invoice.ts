// Invoices of an earlier system, which an import with `history=1` brings along. They keep their numbers and dates, and new
// invoices are numbered behind them. What was right then is not judged again: lines, address, vehicle and credit.
import { type Violation, violation } from '../errors.ts';
import { raiseCounter } from '../model/counter.ts';
import type { Change } from '../model/record.ts';
import { dueDate, invoiceCounter, readInvoiceNumber } from '../trade/invoice-number.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseTime, formatTimestamp } from '../trade/timestamp.ts';
import { DEFAULT_TIMEZONE, type InvoiceRow, keepParties, PAYMENT_DAYS, requireRecord } from './invoice.ts';

interface OldInvoice extends InvoiceRow {
  order_status: number;
}

/** An old invoice has a number and a date. */
export function oldInvoiceIsWhole({ next, previous }: Change<InvoiceRow>): Violation | undefined {
  const { invoice_number, invoice_date } = next;
  if (previous || (invoice_number === null) === (invoice_date === null)) return undefined;
  return violation('field_required', { field: invoice_number === null ? 'invoice_number' : 'invoice_date' });
}

/** Makes a new order an invoice that has a number already. */
export async function becomeOldInvoice({ next, owner, session }: Change<OldInvoice>): Promise<void> {
  const { seller, buyer } = await parties({ next, owner, session });
  const date = new Date(formatTimestamp(String(next.invoice_date)));
  const days = Number(buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS);
  next.is_invoiced = 1;
  next.amount_open = next.total_gross;
  next.order_status = LISTS.orderstatuses.INVOICE;
  next.due_date = databaseTime(dueDate(date, days, String(seller.timezone ?? DEFAULT_TIMEZONE)));
  const { year, count } = readInvoiceNumber(String(next.invoice_number), date) ?? {};
  if (year !== undefined && count !== undefined)
    await raiseCounter(session, owner, invoiceCounter(year), count);
}

/** Keeps seller and buyer with an old invoice. */
export async function keepOldInvoice(change: Change<OldInvoice>): Promise<void> {
  if (change.previous || change.next.invoice_number === null) return;
  const { seller, buyer } = await parties(change);
  await keepParties(change, seller, buyer);
}

async function parties({ next, owner, session }: Pick<Change<OldInvoice>, 'next' | 'owner' | 'session'>) {
  const field = next.invoice_contact_id === null ? 'contact_id' : 'invoice_contact_id';
  return {
    seller: await requireRecord(session, 'owner', owner, 'owner_id', owner),
    buyer: await requireRecord(session, 'contact', owner, field, Number(next[field])),
  };
}
