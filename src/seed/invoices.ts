// Makes invoices of orders, with the rules and counters of the service, so that the service's own numbers go on
// behind them without a gap.
import { dueOf } from '../invoicing/invoice/invoice.ts';
import { copyParties, copyVehicles, type Parties } from '../invoicing/invoice/invoice-parties.ts';
import { seriesOf } from '../invoicing/invoice/invoice-series.ts';
import type { InvoiceParty } from '../resources/invoice-party.ts';
import { sellerDateOf } from '../trade/book-date.ts';
import { nameOf } from '../trade/identity/printed-name.ts';
import { invoiceNumber, invoiceYear, seriesCounter } from '../trade/invoice-number.ts';
import { isSelfBilled, purchaseOf, type Traded } from '../trade/kinds/purchase-proof.ts';
import { DEFAULT_TIMEZONE } from '../trade/time/day.ts';
import { databaseTime } from '../trade/time/timestamp.ts';
import type { Sheet } from './orders.ts';
import type { Draft, Writer } from './writer.ts';

/** Gives the orders numbers and dates, in the order of their instants. */
export async function numberInvoices(
  writer: Writer,
  seller: Parties['seller'],
  sheets: readonly Sheet[],
): Promise<void> {
  const timezone = seller.timezone ?? DEFAULT_TIMEZONE;
  for (const { order, buyer, plan } of sheets) {
    order.is_invoiced = 1;
    order.invoice_date = databaseTime(plan.at);
    order.supply_date = order.invoice_date;
    const dated = { ...tradeOf(order), supplier_invoice_date: order.supplier_invoice_date ?? null };
    order.due_date = dueOf({ ...dated, invoice_date: order.invoice_date }, { seller, buyer });
    order.book_date = sellerDateOf(dated) ?? order.invoice_date;
  }
  const numbered = sheets.flatMap(({ order, buyer, plan }) => {
    const series = seriesOf(purchaseOf(tradeOf(order)), { seller, buyer });
    const year = invoiceYear(plan.at, timezone);
    return series ? [{ order, prefix: series.prefix, year, counter: seriesCounter(series.kind, year) }] : [];
  });
  for (const counter of new Set(numbered.map((one) => one.counter))) {
    const own = numbered.filter((one) => one.counter === counter);
    const first = await writer.reserve(counter, own.length);
    own.forEach(({ order, prefix, year }, index) => {
      order.invoice_number = invoiceNumber(prefix, year, first + index);
    });
  }
}

const tradeOf = ({ order_type = 0, purchase_proof = null }: Sheet['order']): Traded => ({
  order_type,
  purchase_proof,
});

/** The seller, the buyer and the driver of an invoice, as they are now. */
export const partiesOf = (
  seller: Parties['seller'],
  { order, buyer, customer, car }: Sheet,
  approval_number: string | null = null,
): Draft<typeof InvoiceParty> => ({
  order_id: order.id,
  ...copyParties({ seller, buyer }, isSelfBilled(tradeOf(order))),
  driver: customer.id === buyer.id ? null : nameOf(customer),
  vehicles: copyVehicles([car]),
  approval_number,
});
