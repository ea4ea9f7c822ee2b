// Turns an order into an invoice, in the transaction that changes the order: reads its case, judges it, and writes what
// changes. Number and date come from a counter row that stays locked until the transaction ends. So invoice numbers
// have no gaps and no duplicates, and their dates rise with them.

import { about } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import { claimRecord } from '../../../core/model/lists/find.ts';
import type { Change } from '../../../core/model/records/record.ts';
import type { Garage } from '../../../core/model/statements/garage.ts';
import { Country } from '../../../core/resources/country.ts';
import { LeaseApproval, type LeaseApprovalRow } from '../../../core/resources/lease-approval.ts';
import { Order, type OrderRow } from '../../../core/resources/order.ts';
import type { VehicleRow } from '../../../core/resources/vehicle.ts';
import { type SellerDated, sellerDateOf } from '../../../core/trade/book-date.ts';
import { dueDate, PAYMENT_DAYS } from '../../../core/trade/invoice-number.ts';
import { purchaseOf } from '../../../core/trade/kinds/purchase-proof.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import type { Undo } from '../../../core/trade/order-case/car-history.ts';
import { judgeWhole, unfitCredit } from '../../../core/trade/order-case/credit.ts';
import {
  judgeApproval,
  missingAddress,
  missingLines,
  missingVehicle,
  needsCountries,
  unfitPurchase,
  unfitVatCodes,
  unusableDays,
} from '../../../core/trade/order-case/invoice.ts';
import { isCredit } from '../../../core/trade/order-case/line.ts';
import {
  bpmPaid,
  costlyVehicles,
  marginVehicles,
  unfitMargin,
} from '../../../core/trade/order-case/margin.ts';
import { amountsOf, changedAmounts, restOf, sumsOf } from '../../../core/trade/order-case/rest.ts';
import {
  movedIn,
  NO_TRADE,
  type Trade,
  tradeOf,
  unfitStock,
  unmovable,
} from '../../../core/trade/order-case/stock.ts';
import { payerOf } from '../../../core/trade/payer.ts';
import { orderAmounts } from '../../../core/trade/settle.ts';
import { storable, timezoneOf } from '../../../core/trade/time/day.ts';
import { databaseNow, formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { hasSameRates } from '../../../core/trade/vat-rate.ts';
import { moveStock, moveStockBack } from '../../vehicles/stock.ts';
import {
  type CreditedCase,
  type Line,
  lockVehicles,
  readLines,
  readOrder,
  readTaken,
  writeLines,
} from '../case.ts';
import { claimBooks } from '../closed-period.ts';
import { readUndos } from '../credit/car-history.ts';
import { deductDeposits, demandFittingDeposit, isTakenOff } from '../deposit/deposit.ts';
import { readOlderCosts } from '../totals/older-cost.ts';
import { takeCosts, takeRates } from '../totals/order-totals.ts';
import { rateDayOf } from '../totals/rate-day.ts';
import { demandParties, keepParties, namedAsOn, type Parties, type Surroundings } from './invoice-parties.ts';
import { nextInvoiceNumber, seriesOf } from './invoice-series.ts';
import { unprintableNames } from './printable-name.ts';

/** What a request has read of a credit note that it made itself. The credited invoice is locked and written. */
export interface KnownCredit {
  readonly lines: readonly Line[];
  readonly credited: CreditedCase;
}

/** An order that becomes an invoice. */
export type Invoicing = Change<OrderRow, OrderRow, KnownCredit> & { readonly previous: OrderRow };

/** What an invoice is made of: see "The case of an order" in docs/architecture.md. */
interface InvoiceCase {
  readonly parties: Parties;
  /** The lines of the order. */
  readonly lines: readonly Line[];
  /** The invoice that a credit note takes back, with its other credit notes that are invoices. */
  readonly credited: CreditedCase | undefined;
  /** The vehicles that the invoice takes out of stock and brings in. A credit note moves vehicles back. */
  readonly trade: Trade;
  /** The vehicles of the order and its lines, by ID. Those that move are locked. */
  readonly vehicles: ReadonlyMap<number, VehicleRow>;
}

/** Makes `next` an invoice. Throws a Problem if lines, address, vehicle or credit don't allow an invoice. */
export async function invoice(change: Invoicing, around: Surroundings): Promise<void> {
  const { next, garage } = change;
  await demandFittingDeposit(garage, next);
  const read = await readCase(change, demandParties(around, next, garage.owner));
  const { parties, trade } = read;
  const day = await rateDayOf(garage, next);
  const rated = await takeRates(garage, next, read.lines, day);
  const older = await readOlderCosts(garage, next, read.lines, read.vehicles);
  const taken = await takeCosts(garage, change, rated, read.vehicles, older);
  const { buyer } = parties;
  const approval = await readApproval(garage, next, buyer);
  const days = unusableDays(paymentDays(parties));
  refuse([
    ...missingLines(taken),
    ...about('contact', buyer.id, missingAddress(buyer)),
    ...unprintableNames(parties),
    ...missingVehicle(next),
    ...unfitPurchase(next, buyer, taken),
    ...(await readUnfitVatCodes(garage, next, read)),
    ...unfitMargin(taken, next, read.vehicles),
    ...unfitStock(trade, movedBy(trade, read.vehicles)),
    ...approval.refused,
    ...(buyer.payment_days === null ? about('owner', garage.owner, days) : about('contact', buyer.id, days)),
  ]);
  await writeLines(garage, taken, bpmPaid(taken, next, read.vehicles));
  const back = read.credited && (await settleCredit(change, read.credited, taken));
  if (around.deposits > 0) await deductDeposits(garage, next, buyer);

  const credited = read.credited?.invoice;
  const vehicles = printedVehicles(next, taken).flatMap((id) => (back ?? read).vehicles.get(id) ?? []);
  const named = credited ? await namedAsOn(garage, credited.id, parties, taken) : parties;
  await keepParties(garage, next, named, { credited, vehicles, approval_number: approval.number });
  // As late as possible, so that the counter row is locked briefly. The vehicles change hands at this time.
  const numbered = await numberOf(change, parties, credited);
  const { invoice_date: now } = numbered;
  const at = next.supply_date ?? now;
  // The rates may have changed since the lines were computed: at midnight, or where the clock is behind. An empty
  // `supply_date` is the date of the invoice in any case, so the rates are those of this date.
  const dated = await rateDayOf(garage, { ...next, supply_date: at });
  const last = hasSameRates(day, dated)
    ? taken
    : await takeRates(garage, next, await readLines(garage, [next.id]), dated);
  Object.assign(next, numbered, { is_invoiced: 1, supply_date: at, amount_open: next.total_gross });
  next.due_date = dueOf(next, parties);
  const handover = { garage, party: payerOf(next), at, now };
  // Other rates give a car that was bought at a price with VAT another net.
  await moveStock(tradeOf(next, last), movedBy(trade, read.vehicles), handover);
  if (back) await moveStockBack(back.undos, back.moved, handover);
}

interface Numbered {
  readonly invoice_number: string | null;
  readonly invoice_date: string;
  readonly book_date: string;
}

/** The number of an invoice, its date and its day in the books. */
async function numberOf(
  { next, garage }: Invoicing,
  parties: Parties,
  credited: OrderRow | undefined,
): Promise<Numbered> {
  const series = seriesOf(purchaseOf(next, credited), parties);
  if (!series) {
    const closed = await claimBooks(garage, next.id);
    const invoice_date = closed.outside(databaseNow());
    const date = sellerDateOf(next) ?? invoice_date;
    return { invoice_number: null, invoice_date, book_date: closed.has(date) ? invoice_date : date };
  }
  const { invoice_number, at } = await nextInvoiceNumber(garage, series, timezoneOf(parties.seller));
  return { invoice_number, invoice_date: at, book_date: at };
}

const movedBy = ({ sold, bought }: Trade, vehicles: InvoiceCase['vehicles']): VehicleRow[] =>
  [...vehicles.values()].filter(({ id }) => sold.has(id) || bought.has(id));

/** The buyer's days to pay, or else the seller's. */
const paymentDays = ({ seller, buyer }: Pick<Parties, 'seller' | 'buyer'>): number =>
  buyer.payment_days ?? seller.payment_days ?? PAYMENT_DAYS;

/** The due date of an invoice, in the form of the database. The days count from the seller's date if there is one. */
export function dueOf(
  invoice: SellerDated & { readonly invoice_date: string | null },
  parties: Pick<Parties, 'seller' | 'buyer'>,
): string {
  const date = new Date(formatTimestamp(sellerDateOf(invoice) ?? String(invoice.invoice_date)));
  return storable(dueDate(date, paymentDays(parties), timezoneOf(parties.seller)));
}

/** The vehicles of an order and of its lines, sorted. */
export const printedVehicles = ({ vehicle_id }: OrderRow, lines: readonly Line[]): number[] =>
  [...new Set([vehicle_id, ...lines.map((line) => line.vehicle_id)])]
    .filter((id) => id !== null)
    .sort((one, other) => one - other);

/** Reads and locks the rest of the case, in the order of "Locks" in docs/architecture.md. */
async function readCase(
  { next, previous, garage, prepared: known }: Invoicing,
  parties: Parties,
): Promise<InvoiceCase> {
  const { lines, credited } = known ?? (await readOwnLines(garage, next));
  const trade = tradeOf(next, lines);
  if (isCredit(next)) return { parties, lines, credited, trade, vehicles: new Map() };
  const vehicles = await lockVehicles(garage, movedIn(trade), [
    ...printedVehicles(next, lines),
    ...costlyVehicles(lines, [next, previous]),
    ...marginVehicles(lines, next),
  ]);
  return { parties, lines, credited, trade, vehicles };
}

/** The lines of the order, and the invoice that a credit note takes back, which is written first. */
async function readOwnLines(
  garage: Garage,
  order: OrderRow,
): Promise<Pick<InvoiceCase, 'lines' | 'credited'>> {
  const { id, credited_order_id } = order;
  if (!isCredit(order) || credited_order_id === null)
    return { lines: await readLines(garage, [id]), credited: undefined };
  // Two credit notes of one invoice wait for each other.
  await claimRecord(garage, Order.resource, credited_order_id);
  const found = await readOrder(garage, credited_order_id);
  const others = { except: id, invoicedOnly: true };
  const { credits, lines, ownLines } = await readTaken(garage, credited_order_id, others, [id]);
  return { lines: ownLines, credited: found && { invoice: found, credits, lines } };
}

/** The approval that the invoice bears, if a lease company pays. */
async function readApproval(
  garage: Garage,
  { id, total_net }: OrderRow,
  { id: payer, is_lease_company }: Parties['buyer'],
): Promise<ReturnType<typeof judgeApproval>> {
  if (is_lease_company !== 1) return { refused: [], number: null };
  const approvals: LeaseApprovalRow[] = await LeaseApproval.of(garage)
    .where('order_id', id)
    .whereNot('approval_status', LISTS.approvalstatuses.WITHDRAWN)
    .orderBy('id');
  return judgeApproval(approvals, { total_net: total_net ?? '0', payer, now: databaseNow() });
}

async function readUnfitVatCodes(
  garage: Garage,
  next: OrderRow,
  { lines, parties, credited }: InvoiceCase,
): Promise<ReturnType<typeof unfitVatCodes>> {
  if (!needsCountries(next, lines, credited?.invoice)) return [];
  const { seller, buyer } = parties;
  const countries = await Country.of(garage).whereIn('id', [seller.country_id, buyer.country_id]);
  return unfitVatCodes(lines, parties, new Map(countries.map((country) => [country.id, country])));
}

/** The vehicles of a credit note, and those of the whole invoice, which it may move back. */
interface Settled {
  readonly vehicles: ReadonlyMap<number, VehicleRow>;
  readonly moved: readonly VehicleRow[];
  readonly undos: ReadonlyMap<number, Undo>;
}

/** Computes the amounts of a credit note. Locks the vehicles that it may move back. Throws Problem. */
async function settleCredit(
  { next, garage }: Invoicing,
  credited: CreditedCase,
  own: readonly Line[],
): Promise<Settled> {
  const rest = restOf(credited, await rateDayOf(garage, credited.invoice));
  const order = { ...next, day: rest.day };
  const lines = await writeLines(garage, own, changedAmounts(own, amountsOf(own, order, rest)));
  Object.assign(next, orderAmounts(sumsOf(lines, order, rest)));
  const isDeducted = await isTakenOff(garage, credited);
  refuse(unfitCredit({ credit: next, lines, credited, isDeducted }));
  const { isWhole, unfit } = judgeWhole({ credit: next, lines, credited });
  refuse(unfit);
  const { invoice: sale, lines: all } = credited;
  const sold = all.filter(({ order_id }) => order_id === sale.id);
  const trade = isWhole ? tradeOf(sale, sold) : NO_TRADE;
  const vehicles = await lockVehicles(garage, movedIn(trade), printedVehicles(next, lines));
  const moved = movedBy(trade, vehicles);
  const undos = await readUndos(
    garage,
    credited,
    moved.map(({ id }) => id),
  );
  refuse(moved.filter(({ id }) => undos.has(id)).flatMap(unmovable));
  return { vehicles, moved, undos };
}
