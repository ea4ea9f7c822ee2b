// The postings of invoices and payments: which account gets which amount. The postings of one entry always add up to 0.
// vat-box.ts has the VAT of a line.
import type { AccountName } from './kinds/account.ts';
import { methodRow } from './kinds/payment-method.ts';
import { LISTS, lowerNameOf } from './lists.ts';
import { cents, type OrderVat, TO_CENTS } from './totals.ts';
import { chargedVat, type Side, sideOf, spreadVat, taxOf } from './vat-box.ts';
import { OWED_BY_BUYER, SUMMED } from './vat-code.ts';
import { yearOf } from './vat-period.ts';
import { PLACES, quotient, wholeOf } from './whole.ts';

const { DEPOSIT } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;
const SIDES: readonly Side[] = ['sale', 'purchase'];

/** The field that holds a ledger account: of a turnover group, or of the garage if `group` is missing. */
export interface AccountField {
  readonly field: AccountName;
  readonly group?: number | null;
}

export interface Posting {
  readonly account: AccountField;
  readonly description: string;
  /** In cents. Above 0: debit; below 0: credit. */
  readonly amount: bigint;
  /** Null if the posting is about no VAT code. */
  readonly vat_code: number | null;
  /** The vehicle of the line; null: the vehicle of the order. */
  readonly vehicle: number | null;
  /** Whether the posting is about the invoice that a credit note takes back, not about the credit note itself. */
  readonly isOfCredited?: boolean;
}

/** The columns that decide about the postings of a line. Decimals are strings, as the database returns them. */
export interface LineToBook {
  readonly line_kind: number;
  readonly vat_code: number;
  readonly turnover_group_id: number | null;
  readonly vehicle_id: number | null;
  readonly quantity: string;
  /** For one piece; null is 0. */
  readonly purchase_price: string | null;
  readonly line_net: string | null;
  readonly line_vat: string | null;
  readonly margin_vat: string | null;
}

/** How a credit note posts the costs of the cars that its invoice moved. */
export interface CarCosts {
  /** Its lines that leave the stock as it is: they credit a sale, or a purchase whose cost a sale took out. */
  readonly unstocked: ReadonlySet<LineToBook>;
  /** The lines of the sales whose cost comes back into stock with the car. */
  readonly returned: readonly LineToBook[];
}

interface InvoiceToBook extends OrderVat {
  /** Its own number, or the seller's number. */
  readonly number: string;
  readonly total_gross: string;
  /** The garage has bought something: it owes the total to the contact. */
  readonly isPurchase: boolean;
  /** Whether it is the credit note of a deposit: whatever kinds its lines have, they take the deposit back. */
  readonly isOfDeposit?: boolean;
  /** The day whose rates the invoice has. */
  readonly rate_day: string;
  readonly lines: readonly LineToBook[];
  /** Only of a credit note. */
  readonly cars?: CarCosts | undefined;
}

/** The garage's choices about its books. */
export interface Choices {
  /** Whether the VAT within margins is posted with each sale. */
  readonly isMarginPosted: boolean;
  /** Whether a turnover group has an account for its stock. */
  hasStock(group: number | null): boolean;
}

interface PaymentToBook {
  readonly number: string;
  readonly amount: string;
  /** The cents that a payment in cash takes off the invoice beyond its amount. */
  readonly rounding: string;
  /** A number of `paymentmethods`. */
  readonly method: number;
  /** Such as a number on the bank statement. */
  readonly reference: string | null;
  readonly isPurchase: boolean;
}

export const DEBTORS: AccountField = { field: 'debtor_account' };
export const CREDITORS: AccountField = { field: 'creditor_account' };
export const VAT_HIGH: AccountField = { field: 'vat_high_account' };
export const INPUT_VAT: AccountField = { field: 'input_vat_account' };
export const MARGIN_VAT: AccountField = { field: 'margin_vat_account' };
export const MARGIN_TURNOVER: AccountField = { field: 'margin_turnover_account' };
export const DEPOSITS: AccountField = { field: 'deposit_account' };
export const ROUNDING: AccountField = { field: 'rounding_account' };

/** Who owes an invoice: customers, or the garage itself. */
export const partyAccount = (purchase: boolean): AccountField => (purchase ? CREDITORS : DEBTORS);

/** The account that payments of a method go to. An amount that a credit note settles stays with the same party. */
export function accountOf(method: number, purchase: boolean): AccountField {
  const { account } = methodRow(method);
  return account === null ? partyAccount(purchase) : { field: account };
}

/** The account of a line's net. A purchase goes into stock, if its group has an account for stock. */
export function lineAccount(
  { line_kind, turnover_group_id: group }: Pick<LineToBook, 'line_kind' | 'turnover_group_id'>,
  purchase: boolean,
  books: Pick<Choices, 'hasStock'>,
): AccountField {
  if (line_kind === DEPOSIT) return DEPOSITS;
  if (sideOf({ line_kind, isPurchase: purchase }) === 'sale') return { group, field: 'ledger_account' };
  return { group, field: books.hasStock(group) ? 'stock_ledger_account' : 'cost_ledger_account' };
}

/**
 * Debtors or creditors get the total, the groups their nets, and the VAT accounts the VAT of the invoice. A line under
 * the margin scheme has its VAT inside its net. A deposit is no turnover yet. A sale from stock takes its cost out of
 * the stock.
 */
export function invoicePostings(invoice: InvoiceToBook, books: Choices): Posting[] {
  const { number, isPurchase: purchase, isOfDeposit = false, lines, cars = NO_CARS } = invoice;
  const stockFor = (line: LineToBook) => (isOfDeposit || cars.unstocked.has(line) ? NO_STOCK : books);
  const name = `${purchase ? 'Purchase' : 'Invoice'} ${number}`;
  const entry = new EntryPostings();
  // A purchase is the mirror image of a sale.
  const sign = purchase ? 1n : -1n;
  // The number of the invoice stands in the journal even if all its amounts are 0.
  const total = {
    ...of(partyAccount(purchase), name),
    amount: -sign * cents(invoice.total_gross),
  };
  const margins: [posting: Omit<Posting, 'amount'>, amount: bigint][] = [];
  for (const line of lines) {
    const { vat_code, vehicle_id: vehicle, line_net, margin_vat } = line;
    const hasMargin = books.isMarginPosted && taxOf({ ...line, isPurchase: purchase }).isMargin;
    const margin = hasMargin ? cents(margin_vat ?? '0') : 0n;
    const account = isOfDeposit ? DEPOSITS : lineAccount(line, purchase, stockFor(line));
    entry.add({ account, description: name, vat_code, vehicle }, sign * (cents(line_net ?? '0') - margin));
    margins.push([{ ...of(MARGIN_VAT, `Margin VAT of ${number}`, MARGIN), vehicle }, -margin]);
  }
  for (const [posting, margin] of margins) entry.add(posting, margin);
  for (const { code, vat: column, account } of SUMMED) {
    const vat = vatBySide(invoice, code, cents(invoice[column]));
    const level = lowerNameOf('vatcodes', code);
    entry.add(of({ field: account }, `VAT ${level} of ${number}`, code), sign * vat.sale);
    entry.add(of(INPUT_VAT, `Input VAT ${level} of ${number}`, code), sign * vat.purchase);
  }
  for (const code of OWED_BY_BUYER) {
    const net = lines
      .filter((line) => line.vat_code === code && taxOf({ ...line, isPurchase: purchase }).isCharged)
      .reduce((sum, { line_net }) => sum + cents(line_net ?? '0'), 0n);
    const vat = sign * chargedVat(net, invoice.rate_day);
    entry.add(of(VAT_HIGH, `Reverse-charged VAT of ${number}`, code), -vat);
    entry.add(of(INPUT_VAT, `Reverse-charged input VAT of ${number}`, code), vat);
  }
  const sold = purchase ? [] : lines.filter((line) => hasCost(line, stockFor(line)));
  for (const line of sold) addCost(entry, line, 1n, number);
  for (const line of cars.returned) if (hasCost(line, books)) addCost(entry, line, -1n, number);
  return [total, ...entry.all()];
}

const NO_CARS: CarCosts = { unstocked: new Set(), returned: [] };
export const NO_STOCK: Pick<Choices, 'hasStock'> = { hasStock: () => false };

/**
 * Posts the cost of goods: from stock to cost, or back by the sign -1. The line has the cost: the purchase price of a
 * vehicle may change later, but the journal of a period stays the same. Credits in parts may differ by cents.
 */
function addCost(entry: EntryPostings, line: LineToBook, sign: bigint, number: string): void {
  const { turnover_group_id: group, vehicle_id: vehicle, quantity, purchase_price } = line;
  const pieces = wholeOf(quantity, PLACES) * wholeOf(purchase_price ?? '0', PLACES);
  const cost = sign * quotient(pieces, TO_CENTS);
  const posting = { description: `Cost of ${number}`, vat_code: null, vehicle };
  entry.add({ ...posting, account: { group, field: 'cost_ledger_account' } }, cost);
  entry.add({ ...posting, account: { group, field: 'stock_ledger_account' } }, -cost);
}

/** Whether a line of a sale takes goods out of the stock. */
const hasCost = ({ line_kind, turnover_group_id }: LineToBook, books: Pick<Choices, 'hasStock'>): boolean =>
  line_kind !== DEPOSIT &&
  sideOf({ line_kind, isPurchase: false }) === 'sale' &&
  books.hasStock(turnover_group_id);

/** The VAT of one code, in cents: on the garage's sales, and on its purchases. */
function vatBySide(
  { lines, isPurchase: purchase }: InvoiceToBook,
  code: number,
  total: bigint,
): Record<Side, bigint> {
  const ofCode = lines.filter(({ vat_code }) => vat_code === code);
  const vats = spreadVat(
    ofCode.map(({ line_kind, line_vat }) => ({ line_kind, vat: cents(line_vat ?? '0') })),
    total,
  );
  const [sale = 0n, bought = 0n] = SIDES.map((side) =>
    ofCode.reduce(
      (sum, { line_kind }, index) =>
        sideOf({ line_kind, isPurchase: purchase }) === side ? sum + (vats[index] ?? 0n) : sum,
      0n,
    ),
  );
  return { sale, purchase: bought };
}

/**
 * A payment of a sale is taken off the debtors. A payment of a purchase is taken off the account of its method. What a
 * credit note settles goes from its own number to the number of its invoice.
 */
export function paymentPostings(payment: PaymentToBook): Posting[] {
  const { number, isPurchase: purchase, method, reference } = payment;
  const description = `Payment of ${number}${reference ? `: ${reference}` : ''}`;
  const isSettled = methodRow(method).account === null;
  const sign = purchase ? -1n : 1n;
  const [amount, rounding] = [sign * cents(payment.amount), sign * cents(payment.rounding)];
  const postings = [
    { ...of(accountOf(method, purchase), description), amount, isOfCredited: isSettled },
    { ...of(ROUNDING, `Rounding of ${number}`), amount: rounding },
    { ...of(partyAccount(purchase), description), amount: -amount - rounding },
  ];
  return postings.filter((posting) => posting.amount !== 0n);
}

/** The VAT of the margins of a period, in cents. */
export interface MarginToBook {
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
  readonly vat: bigint;
  /** What the year that ends on the last day takes back. */
  readonly settlement: bigint;
}

/** The turnover has the margins with their VAT. What the year takes back stands on lines of its own. */
export function marginPostings({ from, to, vat, settlement }: MarginToBook): Posting[] {
  const both = (description: string, amount: bigint) => [
    { ...of(MARGIN_TURNOVER, description, MARGIN), amount },
    { ...of(MARGIN_VAT, description, MARGIN), amount: -amount },
  ];
  const postings = [
    ...both(`Margin VAT of ${from} to ${to}`, vat),
    ...both(`Margin VAT of ${yearOf(to)} taken back`, -settlement),
  ];
  return postings.filter(({ amount }) => amount !== 0n);
}

const of = (account: AccountField, description: string, vat_code: number | null = null) => ({
  account,
  description,
  vat_code,
  vehicle: null,
});

/** The postings of an entry. Those that differ in nothing but their amounts become one. */
class EntryPostings {
  private readonly byContent = new Map<string, { posting: Omit<Posting, 'amount'>; amount: bigint }>();

  add(posting: Omit<Posting, 'amount'>, amount: bigint): void {
    const { account, description, vat_code, vehicle } = posting;
    const key = [account.field, account.group, vat_code, vehicle, description].join();
    const before = this.byContent.get(key)?.amount ?? 0n;
    this.byContent.set(key, { posting, amount: before + amount });
  }

  /** Leaves out postings of 0. */
  all(): Posting[] {
    return [...this.byContent.values()].flatMap(({ posting, amount }) =>
      amount === 0n ? [] : { ...posting, amount },
    );
  }
}

/** 0 for every entry that is right. */
export const balanceOf = (postings: readonly Posting[]): bigint =>
  postings.reduce((sum, { amount }) => sum + amount, 0n);
