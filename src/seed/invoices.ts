// Makes invoices of orders, with the rules and counters of the service, so that the service's own numbers go on
// behind them without a gap.
import { frozenParty } from '../invoicing/frozen-party.ts';
import { DEFAULT_TIMEZONE, PAYMENT_DAYS } from '../invoicing/invoice.ts';
import type { Row } from '../model/field.ts';
import { Contact } from '../resources/contact.ts';
import type { InvoiceParty } from '../resources/invoice-party.ts';
import { Owner } from '../resources/owner.ts';
import { dueDate, invoiceCounter, invoiceNumber, invoiceYear } from '../trade/invoice-number.ts';
import { databaseTime } from '../trade/timestamp.ts';
import type { Sheet } from './orders.ts';
import type { Draft, Writer } from './writer.ts';

/** Gives the orders numbers and dates, in the order of their instants. */
export async function numberInvoices(writer: Writer, seller: Row, sheets: readonly Sheet[]): Promise<void> {
  const timezone = String(seller.timezone ?? DEFAULT_TIMEZONE);
  const yearOf = ({ plan }: Sheet) => invoiceYear(plan.at, timezone);
  for (const year of new Set(sheets.map(yearOf))) {
    const ofYear = sheets.filter((sheet) => yearOf(sheet) === year);
    const first = await writer.reserve(invoiceCounter(year), ofYear.length);
    ofYear.forEach(({ order, buyer, plan }, index) => {
      const days = Number(buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS);
      order.is_invoiced = 1;
      order.invoice_number = invoiceNumber(String(seller.invoice_prefix ?? ''), year, first + index);
      order.invoice_date = databaseTime(plan.at);
      order.due_date = databaseTime(dueDate(plan.at, days, timezone));
    });
  }
}

/** The seller and the buyer of an invoice, as they are now. */
export const partiesOf = (seller: Row, { order, buyer }: Sheet): Draft<typeof InvoiceParty> => ({
  order_id: order.id,
  seller: frozenParty(Owner.resource, seller),
  buyer: frozenParty(Contact.resource, buyer),
});
