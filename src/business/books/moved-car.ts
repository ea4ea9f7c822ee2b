// What counts in the margin over periods beside the lines of invoices: cars that leave the margin scheme when they are
// sold with VAT, or come back, and the BPM of cars that are sold under the scheme.
// core/trade/margin/margin-car.ts has the rules; this file reads the invoices and credit notes of the cars.
import { instant } from '../../core/model/statements/fragment.ts';
import {
  columns,
  filled,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { grouped, portionsOf } from '../../core/trade/grouped.ts';
import { isPurchase, PURCHASE_TYPES } from '../../core/trade/kinds/purchase.ts';
import { LISTS } from '../../core/trade/lists.ts';
import {
  type CarCredit,
  type CarInvoice,
  type MovedCar,
  movesOf,
} from '../../core/trade/margin/margin-car.ts';
import { isTakenBack } from '../../core/trade/order-case/credit.ts';
import { cents } from '../../core/trade/totals.ts';
import { LEAVING_MARGIN } from '../../core/trade/vat-code.ts';
import { PLACES, quotient, wholeOf } from '../../core/trade/whole.ts';
import { invoicesUntil, linesOf, TYPES } from './invoice-lines.ts';
import type { Books } from './period.ts';
import { movedVehicle, readImported, readSold } from './sold-car.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

const IDS_A_STATEMENT = 1_000;

/**
 * `ofScheme`: vehicles that were bought under the scheme. Reads all periods up to the end of the books' period. Sorted
 * by car, then by time.
 */
export async function readMovedCars(books: Books, ofScheme: ReadonlySet<number>): Promise<MovedCar[]> {
  const out = ofScheme.size === 0 ? [] : await readSold(books);
  const moved = new Set([...out.filter((id) => ofScheme.has(id)), ...(await readImported(books))]);
  const lines = await readCarLines(books, [...moved]);
  const credits = await readCredits(books, [...new Set(lines.map(({ order_id }) => order_id))]);
  const cars = grouped(lines, ({ vehicle }) => vehicle);
  return [...cars.values()].flatMap((own) => movesOf(eventsOf(own, credits)));
}

/** The days of some lines in the books, by ID: instants in the form of the database. */
export async function readBookDates(
  books: Books,
  lines: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const dates = new Map<number, string>();
  for (const some of portionsOf([...new Set(lines)], IDS_A_STATEMENT)) {
    const rows = await selected(linesOf(books, true).whereIn('l.id', some), {
      id: whole('l.id'),
      at: text(instant('o.book_date')),
    });
    for (const { id, at } of rows) dates.set(id, at);
  }
  return dates;
}

/** The invoice of a seller counts from its own date, and moves its car when the garage enters it. */
const TIMES = { instant: text(instant('o.book_date')), moved: text(instant('o.invoice_date')) };

const CAR_LINE = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'line_kind', 'vat_code', 'quantity', 'bpm_paid'),
  ...filled(OrderLine, 'l', 'line_net', 'line_gross'),
  ...columns(Order, 'o', 'order_type'),
  vehicle: whole(movedVehicle()),
  ...TIMES,
};
type CarLine = Selected<typeof CAR_LINE>;

/** The lines that sell and buy these vehicles, without credit notes. */
async function readCarLines(books: Books, vehicles: readonly number[]): Promise<CarLine[]> {
  const lines: CarLine[] = [];
  for (const some of portionsOf(vehicles, IDS_A_STATEMENT)) {
    const orders = await Order.of(books.garage).select('id').whereIn('vehicle_id', some);
    const ids = orders.map(({ id }) => id);
    const ofOrder = linesOfCars(books).whereNull('l.vehicle_id').whereNot('l.line_kind', TRADE_IN);
    lines.push(
      ...(await linesOfCars(books).whereIn('l.vehicle_id', some)),
      ...(await ofOrder.whereIn('l.order_id', ids)),
    );
  }
  return lines;
}

const linesOfCars = (books: Books) =>
  selected(
    linesOf(books, true)
      .whereNot('o.order_type', INTERNAL_REVERSAL)
      .where((any) =>
        any.whereIn('l.line_kind', [VEHICLE, TRADE_IN]).orWhereIn('o.order_type', [...PURCHASE_TYPES]),
      ),
    CAR_LINE,
  );

const CREDIT = {
  ...columns(Order, 'o', 'id'),
  credited: whole('o.credited_order_id'),
  ...TIMES,
};
const CREDIT_LINE = {
  ...columns(OrderLine, 'l', 'id', 'order_id', 'credited_line_id', 'line_kind', 'vat_code', 'quantity'),
  ...filled(OrderLine, 'l', 'line_net', 'line_gross'),
  ...columns(Order, 'o', 'is_vat_included'),
  ...TYPES,
  vehicle: orNull(whole(movedVehicle())),
};
type CreditLine = Selected<typeof CREDIT_LINE>;

/** A credit note with its lines. */
interface Credit extends Selected<typeof CREDIT> {
  readonly isWhole: boolean;
  readonly lines: readonly CreditLine[];
}

/** The credit notes of these invoices, by invoice. */
async function readCredits(
  books: Books,
  invoices: readonly number[],
): Promise<ReadonlyMap<number, readonly Credit[]>> {
  const credits: Selected<typeof CREDIT>[] = [];
  for (const some of portionsOf(invoices, IDS_A_STATEMENT)) {
    const notes = invoicesUntil(books)
      .where('o.order_type', INTERNAL_REVERSAL)
      .whereIn('o.credited_order_id', some);
    credits.push(...(await selected(notes, CREDIT)));
  }
  const byInvoice = grouped(credits.sort(byTime), ({ credited }) => credited);
  const lines: CreditLine[] = [];
  for (const some of portionsOf([...byInvoice.keys(), ...credits.map(({ id }) => id)], IDS_A_STATEMENT))
    lines.push(...(await selected(linesOf(books, true).whereIn('l.order_id', some), CREDIT_LINE)));
  const ofOrder = grouped(lines, ({ order_id }) => order_id);
  return new Map(
    [...byInvoice].map(([invoice, notes]) => [invoice, judged(ofOrder.get(invoice) ?? [], notes, ofOrder)]),
  );
}

/** Tells which of the credit notes takes the rest of the invoice. `own`: the lines of the invoice. */
function judged(
  own: readonly CreditLine[],
  notes: readonly Selected<typeof CREDIT>[],
  ofOrder: ReadonlyMap<number, readonly CreditLine[]>,
): Credit[] {
  const taken = own.map(decoded);
  const invoice = {
    id: own[0]?.order_id ?? 0,
    is_vat_included: own[0]?.is_vat_included ?? 0,
  };
  let wasWhole = false;
  return notes.map((note) => {
    const lines = ofOrder.get(note.id) ?? [];
    taken.push(...lines.map(decoded));
    const isWhole = isTakenBack(invoice, taken) && !wasWhole;
    wasWhole ||= isWhole;
    return { ...note, lines, isWhole };
  });
}

const decoded = (line: CreditLine) => ({
  ...line,
  pieces: wholeOf(line.quantity, PLACES),
  net: cents(line.line_net),
  gross: cents(line.line_gross),
});

type Timed = { readonly moved: string; readonly id: number };
const byTime = (one: Timed, other: Timed): number =>
  one.moved === other.moved ? one.id - other.id : one.moved < other.moved ? -1 : 1;

/** The invoices of one car and their credit notes, the oldest first. */
function eventsOf(
  lines: readonly CarLine[],
  credits: ReadonlyMap<number, readonly Credit[]>,
): (CarInvoice | CarCredit)[] {
  const events: (Timed & { readonly event: CarInvoice | CarCredit })[] = [];
  for (const [id, own] of grouped(lines, ({ order_id }) => order_id)) {
    const sorted = [...own].sort((one, other) => one.id - other.id);
    events.push({ moved: sorted[0]?.moved ?? '', id, event: invoiceOf(sorted) });
    for (const note of credits.get(id) ?? []) events.push({ ...note, event: creditOf(note, sorted) });
  }
  return events.sort(byTime).map(({ event }) => event);
}

/** What a line adds to the purchases. The amount of a trade-in on a sale is below 0. */
function counted({ id, vat_code, line_net }: CarLine | CreditLine, isOfPurchase: boolean) {
  const amount = vat_code === MARGIN ? cents(line_net) : 0n;
  return { line: id, amount: isOfPurchase ? amount : -amount };
}

/** `lines`: those of one car on one invoice. */
function invoiceOf(lines: readonly CarLine[]): CarInvoice {
  const [first] = lines;
  const isOfPurchase = isPurchase(first?.order_type ?? 0);
  const bought = lines.filter(({ line_kind }) => isOfPurchase || line_kind === TRADE_IN);
  const sold = lines.filter((line) => !bought.includes(line));
  const [car] = sold;
  return {
    order: first?.order_id ?? 0,
    instant: first?.instant ?? '',
    bought: bought.map((line) => counted(line, isOfPurchase)),
    sold: car && {
      line: car.id,
      leavesMargin: LEAVING_MARGIN.includes(car.vat_code),
      gross: sold.reduce((sum, { line_gross }) => sum + cents(line_gross), 0n),
      bpm: sold.reduce((sum, line) => sum + bpmOf(line), 0n),
    },
  };
}

/** In cents. */
const bpmOf = ({ quantity, bpm_paid }: CarLine): bigint =>
  quotient(wholeOf(quantity, PLACES) * cents(bpm_paid ?? '0'), 10n ** BigInt(PLACES));

/** `own`: the lines of the car on the invoice. */
function creditOf({ instant: at, credited, isWhole, lines }: Credit, own: readonly CarLine[]): CarCredit {
  const [car] = own;
  const isOfPurchase = isPurchase(car?.order_type ?? 0);
  const sold = new Set(own.flatMap(({ id, line_kind }) => (line_kind === VEHICLE ? id : [])));
  return {
    instant: at,
    credited,
    isWhole,
    bought: lines
      .filter((line) => line.vehicle === car?.vehicle && (isOfPurchase || line.line_kind === TRADE_IN))
      .map((line) => counted(line, isOfPurchase)),
    sold: lines
      .filter(({ credited_line_id }) => sold.has(credited_line_id ?? 0))
      .reduce((sum, { line_gross }) => sum + cents(line_gross), 0n),
  };
}
