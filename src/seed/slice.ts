// One slice of the orders, with the customers, cars and documents that come with them.
import type { Parties } from '../invoicing/invoice/invoice-parties.ts';
import { Appointment } from '../resources/appointment.ts';
import { Document } from '../resources/document.ts';
import { InvoiceParty } from '../resources/invoice-party.ts';
import { LeaseApproval } from '../resources/lease-approval.ts';
import { MileageReading } from '../resources/mileage-reading.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Payment } from '../resources/payment.ts';
import { TimeEntry } from '../resources/time-entry.ts';
import { LISTS } from '../trade/lists.ts';
import { customer, writeContacts } from './contacts.ts';
import { depositOrders, nameDeposits } from './deposits.ts';
import { documentDrafts, type StoredFiles } from './documents.ts';
import { numberInvoices, partiesOf } from './invoices.ts';
import { approvalNumberOf, approveOrders } from './lease-approvals.ts';
import { readingOf } from './mileage-readings.ts';
import { makeOrders, type Plan, planOrders, type Sheet } from './orders.ts';
import { payInvoices } from './payments.ts';
import { planWork } from './planning.ts';
import type { Random } from './random.ts';
import type { Setup } from './setup.ts';
import { workOnOrders } from './time-entries.ts';
import { writeTyres } from './tyres.ts';
import { type Pair, writeFleet } from './vehicles.ts';
import type { Writer } from './writer.ts';

const { VEHICLE_SALES, VEHICLE_PURCHASE } = LISTS.ordertypes;
const FEWEST_CUSTOMERS = 8;
const FEWEST_DOCUMENTS = 5;
const MOST_REGULARS = 600;

/** The values that all slices share. */
interface Ground {
  readonly seller: Parties['seller'];
  readonly setup: Setup;
  readonly stored: StoredFiles;
  /** The number of orders in all slices together. */
  readonly orders: number;
}

/**
 * Writes the orders `from` up to `to`, counted from 0. Customers of earlier slices, the `regulars`, come back. Answers
 * the regulars of the next slice.
 */
export async function writeSlice(
  writer: Writer,
  random: Random,
  { seller, setup, stored, orders }: Ground,
  { from, to, regulars: earlier }: { from: number; to: number; regulars: readonly Pair[] },
): Promise<readonly Pair[]> {
  const plans = planOrders(random, from, to, orders);
  const sales = datesOf(plans, VEHICLE_SALES);
  const purchases = datesOf(plans, VEHICLE_PURCHASE);
  const count = Math.max(FEWEST_CUSTOMERS, Math.round(plans.length / 3));
  const firstContact = await writer.reserve('contact', count);
  const { leaseCompanies, dealers } = setup;
  const drafts = Array.from({ length: count }, (_, index) =>
    customer(random, firstContact + index, leaseCompanies),
  );
  const customers = await writeContacts(writer, drafts);
  const year = Number(plans[0]?.at.getUTCFullYear());
  const fleet = await writeFleet(writer, random, {
    customers,
    leaseCompanies,
    dealers,
    sales,
    purchases,
    year,
  });

  const regulars = [...earlier, ...fleet.own];
  const sheets = makeOrders(random, plans, { ...fleet, setup, regulars });
  const firstOrder = await writer.reserve('order', sheets.length);
  sheets.forEach(({ order }, index) => {
    order.order_number = firstOrder + index;
  });
  const invoices = sheets.filter(isInvoice);
  await numberInvoices(writer, seller, invoices);
  const paid = payInvoices(random, invoices);
  const worked = workOnOrders(random, sheets, setup);
  await writeSheets(writer, random, seller, sheets);
  await writer.write(
    TimeEntry,
    worked.map(({ order, entry }) => ({ ...entry, order_id: order.id })),
  );
  await writer.write(Appointment, planWork(sheets, setup, { from, all: orders }));
  await writer.write(MileageReading, sheets.flatMap(readingOf));
  await writeTyres(writer, random, fleet.own);
  const payments = paid.map(({ order, payment }) => ({ ...payment, order_id: order.id }));
  await writer.write(Payment, payments);
  const documents = Math.max(FEWEST_DOCUMENTS, Math.round(plans.length / 50));
  await writer.write(Document, documentDrafts(random, documents, stored, { pairs: fleet.own, sheets }));
  return regulars.slice(-MOST_REGULARS);
}

async function writeSheets(
  writer: Writer,
  random: Random,
  seller: Parties['seller'],
  sheets: readonly Sheet[],
): Promise<void> {
  const others = sheets.flatMap(({ order, credited, target }) => (credited || target ? [] : [order]));
  await writer.write(Order, others);
  await writer.write(Order, depositOrders(sheets));
  // Credit notes come last, because only now the invoices that they take back have IDs.
  const credits = sheets.flatMap(({ order, credited }) =>
    credited ? [Object.assign(order, { credited_order_id: credited.order.id })] : [],
  );
  await writer.write(Order, credits);
  const linesOf = (some: readonly Sheet[]) =>
    some.flatMap(({ order, lines }) => lines.map((line) => Object.assign(line, { order_id: order.id })));
  const deposits = sheets.filter(({ target }) => target);
  await writer.write(OrderLine, linesOf(deposits));
  nameDeposits(deposits);
  await writer.write(OrderLine, linesOf(sheets.filter(({ target, credited }) => !target && !credited)));
  const creditNotes = sheets.filter(({ credited }) => credited);
  nameCredited(creditNotes);
  await writer.write(OrderLine, linesOf(creditNotes));
  const approvals = approveOrders(random, sheets);
  await writer.write(
    LeaseApproval,
    approvals.map(({ sheet, approval }) => ({ ...approval, order_id: sheet.order.id })),
  );
  const parties = sheets
    .filter(isInvoice)
    .map((sheet) => partiesOf(seller, sheet, approvalNumberOf(sheet, approvals)));
  await writer.write(InvoiceParty, parties);
}

/** Lets the lines of credit notes name the lines that they take back. The lines of the invoices are written already. */
function nameCredited(creditNotes: readonly Sheet[]): void {
  for (const { lines, credited } of creditNotes)
    lines.forEach((line, index) => {
      line.credited_line_id = Number(credited?.lines[index]?.id);
    });
}

const isInvoice = ({ plan }: { plan: Plan }) => plan.status === LISTS.orderstatuses.INVOICE;

/** When the orders of a type are invoiced. */
const datesOf = (plans: readonly Plan[], type: number) =>
  plans.filter((plan) => isInvoice({ plan }) && plan.type === type).map(({ at }) => at);
