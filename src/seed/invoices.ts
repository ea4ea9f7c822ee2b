// Makes invoices of orders, with the rules and counters of the service, so that the service's own numbers go on
// behind them without a gap.
import { DEFAULT_TIMEZONE, dueOf } from '../invoicing/invoice.ts';
import { copyParties, copyVehicles, type Parties } from '../invoicing/invoice-parties.ts';
import type { InvoiceParty } from '../resources/invoice-party.ts';
import { invoiceCounter, invoiceNumber, invoiceYear } from '../trade/invoice-number.ts';
import { databaseTime } from '../trade/timestamp.ts';
import type { Sheet } from './orders.ts';
import type { Draft, Writer } from './writer.ts';

/** Gives the orders numbers and dates, in the order of their instants. */
export async function numberInvoices(
  writer: Writer,
  seller: Parties['seller'],
  sheets: readonly Sheet[],
): Promise<void> {
  const timezone = seller.timezone ?? DEFAULT_TIMEZONE;
  const yearOf = ({ plan }: Sheet) => invoiceYear(plan.at, timezone);
  for (const year of new Set(sheets.map(yearOf))) {
    const ofYear = sheets.filter((sheet) => yearOf(sheet) === year);
    const first = await writer.reserve(invoiceCounter(year), ofYear.length);
    ofYear.forEach(({ order, buyer, plan }, index) => {
      order.is_invoiced = 1;
      order.invoice_number = invoiceNumber(seller.invoice_prefix ?? '', year, first + index);
      order.invoice_date = databaseTime(plan.at);
      order.supply_date = order.invoice_date;
      order.due_date = dueOf(plan.at, { seller, buyer });
    });
  }
}

/** The seller and the buyer of an invoice, as they are now. */
export const partiesOf = (
  seller: Parties['seller'],
  { order, buyer, car }: Sheet,
): Draft<typeof InvoiceParty> => ({
  order_id: order.id,
  ...copyParties({ seller, buyer }),
  vehicles: copyVehicles([car]),
});
