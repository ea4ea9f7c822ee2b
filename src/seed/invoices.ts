// Numbers, dates and parties of invoices, as src/invoicing/invoice.ts makes them: from the same counters, so
// that the service's own numbering goes on behind them without a gap.
import type { Row } from '../model/field.ts';
import { serializer } from '../model/serialize.ts';
import { Contact } from '../resources/contact.ts';
import { Owner } from '../resources/owner.ts';
import { dueDate, invoiceCounter, invoiceNumber, invoiceYear } from '../trade/invoice-number.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { type Draft, idOf, type Writer } from './insert.ts';
import type { Sheet } from './orders.ts';

const PAYMENT_DAYS = 14;
const DEFAULT_TIMEZONE = 'Europe/Amsterdam';

const sellerJson = serializer(Owner.resource);
const buyerJson = serializer(Contact.resource);

/** Makes invoices of these orders, numbered in their order within each year. */
export async function numberInvoices(writer: Writer, seller: Row, sheets: readonly Sheet[]): Promise<void> {
  const timezone = String(seller.timezone ?? DEFAULT_TIMEZONE);
  const yearOf = ({ plan }: Sheet) => invoiceYear(plan.at, timezone);
  for (const year of new Set(sheets.map(yearOf))) {
    const invoiced = sheets.filter((sheet) => yearOf(sheet) === year);
    const first = await writer.reserve(invoiceCounter(year), invoiced.length);
    invoiced.forEach(({ order, buyer, plan }, index) => {
      const days = Number(buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS);
      Object.assign(order, {
        is_invoiced: 1,
        invoice_number: invoiceNumber(String(seller.invoice_prefix ?? ''), year, first + index),
        invoice_date: databaseTime(plan.at),
        due_date: databaseTime(dueDate(plan.at, days, timezone)),
      });
    });
  }
}

/** The seller and the buyer of an invoice that is written, as they are. */
export const partiesOf = (seller: Row, { order, buyer }: Sheet): Draft => ({
  order_id: idOf(order),
  seller: sellerJson(seller),
  buyer: buyerJson(buyer),
});
