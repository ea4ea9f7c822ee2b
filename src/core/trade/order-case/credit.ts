// Judges credit notes. All credit notes of an invoice together never exceed the invoice: in all, by VAT code, by line.
// Only a credit note of the whole moves the vehicles of the invoice back.
import { inside, type Violation, violation } from '../../errors.ts';
import { isPurchase } from '../kinds/purchase.ts';
import { LISTS } from '../lists.ts';
import { payerOf } from '../payer.ts';
import { cents } from '../totals.ts';
import { absolute, decimalOf, PLACES, wholeOf } from '../whole.ts';
import { type CaseLine, type CaseOrder, grossOf, type LineRow } from './line.ts';
import { type Credited, type LineRests, restsOf } from './rest.ts';

/** The validation that refuses a credit note of more than the rest. */
export const EXCEEDS = 'credit exceeds the invoice';
/** The validation that refuses a credit note of a part. */
const WHOLE = 'whole order';

const wrong = (field: string, value: unknown, validation: string): Violation =>
  violation('value_invalid', { field, value, validation });
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/** A credit note that becomes an invoice. */
interface CreditCase {
  readonly credit: CaseOrder;
  /** Its lines. */
  readonly lines: readonly CaseLine[];
  /** The invoice, with its other credit notes that are invoices. */
  readonly credited: Credited<CaseOrder>;
  /** Whether the invoice is a deposit that another invoice took off. */
  readonly isDeducted: boolean;
}

/** Refuses a credit note that exceeds the invoice or a line of it, that adds to it, or that has another payer. */
export function unfitCredit({ credit, lines, credited, isDeducted }: CreditCase): Violation[] {
  const { invoice, credits } = credited;
  const given = grossOf(credit);
  const left = sum([invoice, ...credits, credit].map(grossOf));
  // An invoice below 0 has credit notes above 0: `sign` turns both around.
  const sign = grossOf(invoice) < 0n ? -1n : 1n;
  return [
    ...(given * sign > 0n || left * sign < 0n || isDeducted || exceedsLine(credited, lines)
      ? [wrong('total_gross', Number(credit.total_gross), EXCEEDS)]
      : []),
    ...exceededCodes(credited, lines).map((code) => wrong('vat_code', code, EXCEEDS)),
    ...(payerOf(credit) === payerOf(invoice)
      ? []
      : [wrong('invoice_contact_id', credit.invoice_contact_id, 'payer of the invoice')]),
  ];
}

/**
 * Whether a line of the invoice would be taken back twice. A credit note fits when it is made, but others may have
 * taken its pieces while it was cancelled.
 */
function exceedsLine({ invoice, lines }: Credited<CaseOrder>, own: readonly CaseLine[]): boolean {
  const rests = restsOf([...lines, ...own], invoice.id);
  return lines.some(({ id, order_id, pieces }) => {
    const left = rests.get(id)?.pieces ?? 0n;
    return order_id === invoice.id && (pieces < 0n ? left > 0n || left < pieces : left < 0n || left > pieces);
  });
}

/** The VAT codes for which the credit notes together take more than the invoice has. */
function exceededCodes(credited: Credited<CaseOrder>, own: readonly CaseLine[]): number[] {
  const isOfInvoice = (line: CaseLine) => line.order_id === credited.invoice.id;
  const taking = [...credited.lines.filter((line) => !isOfInvoice(line)), ...own];
  const codes = [...new Set(taking.map(({ vat_code }) => vat_code))].sort((one, other) => one - other);
  const amountOf = (lines: readonly CaseLine[], code: number) =>
    sum(lines.map((line) => (line.vat_code === code ? pricedAmount(credited.invoice, line) : 0n)));
  return codes.filter((code) => {
    const has = amountOf(credited.lines.filter(isOfInvoice), code);
    const taken = amountOf(taking, code);
    const left = has + taken;
    return !((has < 0n ? left <= 0n : left >= 0n) && (has !== 0n || taken === 0n));
  });
}

/**
 * Whether the invoice of an order takes a deposit off. The buyer would get such a deposit back twice: that invoice must
 * be credited first. `target`: the order, without the credit notes that are open.
 */
export function isTakenOff(
  deposit: readonly Pick<LineRow, 'id'>[],
  target: Pick<CaseOrder, 'id' | 'is_vat_included'> & { readonly lines: readonly CaseLine[] },
): boolean {
  if (isTakenBack(target, target.lines)) return false;
  const ids = new Set(deposit.map(({ id }) => id));
  const rests = restsOf(target.lines, target.id);
  return target.lines.some(
    ({ id, order_id, credited_line_id }) =>
      order_id === target.id && ids.has(credited_line_id ?? 0) && rests.get(id)?.pieces !== 0n,
  );
}

/** A purchase, and a sale with a trade-in, brought vehicles into stock. Such an invoice can't be taken back in part. */
const isWholeOnly = (
  order: Pick<CaseOrder, 'order_type'>,
  lines: readonly Pick<LineRow, 'line_kind'>[],
): boolean =>
  isPurchase(order.order_type) || lines.some(({ line_kind }) => line_kind === LISTS.linekinds.TRADE_IN);

/** Whether a credit note takes back the whole invoice, and why not if it must. */
export function judgeWhole({ credit, lines, credited }: Omit<CreditCase, 'isDeducted'>): {
  readonly isWhole: boolean;
  readonly unfit: readonly Violation[];
} {
  const { invoice } = credited;
  // A credit note of 0 takes nothing back if the invoice was taken back before.
  const isWhole =
    isTakenBack(invoice, [...credited.lines, ...lines]) && !isTakenBack(invoice, credited.lines);
  const own = credited.lines.filter(({ order_id }) => order_id === invoice.id);
  const isPart = isWholeOnly(invoice, own) && !isWhole;
  return { isWhole, unfit: isPart ? [wrong('total_gross', Number(credit.total_gross), WHOLE)] : [] };
}

type AmountOfCode = Pick<
  CaseLine,
  'id' | 'order_id' | 'credited_line_id' | 'vat_code' | 'pieces' | 'net' | 'gross'
>;

/** The amount of a line as prices are told. The other amount of several credit notes may differ by cents. */
const pricedAmount = (
  { is_vat_included }: Pick<CaseOrder, 'is_vat_included'>,
  { net, gross }: Pick<CaseLine, 'net' | 'gross'>,
): bigint => (is_vat_included === 1 ? gross : net);

/**
 * Whether an invoice and its credit notes leave no VAT code with an amount, and no line: a deposit or a trade-in may be
 * worth as much as the car that is not taken back. Pieces at a lower price are a part, so pieces alone say too little.
 * Credit notes made by hand name no lines of the invoice: of their VAT codes the sums decide.
 */
export function isTakenBack(
  invoice: Pick<CaseOrder, 'id' | 'is_vat_included'>,
  lines: readonly AmountOfCode[],
): boolean {
  const amountOf = (line: AmountOfCode) => pricedAmount(invoice, line);
  const own = lines.filter(({ order_id }) => order_id === invoice.id);
  const pieces = new Map(own.map(({ id }) => [id, 0n]));
  const amounts = new Map<number, bigint>();
  const byHand = new Set<number>();
  for (const line of lines) {
    const of = line.order_id === invoice.id ? line.id : (line.credited_line_id ?? 0);
    const left = pieces.get(of);
    if (left !== undefined) pieces.set(of, left + line.pieces);
    else if (amountOf(line) !== 0n) byHand.add(line.vat_code);
    amounts.set(line.vat_code, (amounts.get(line.vat_code) ?? 0n) + amountOf(line));
  }
  const isByHand = (line: AmountOfCode) => amountOf(line) !== 0n && byHand.has(line.vat_code);
  const isLeft = (line: AmountOfCode) => pieces.get(line.id) !== 0n && !isByHand(line);
  return [...amounts.values()].every((amount) => amount === 0n) && !demanded(own, amountOf).some(isLeft);
}

/** The lines that a credit note of the whole takes. Gifts and texts of an invoice with amounts need not be taken. */
function demanded<L>(lines: readonly L[], amountOf: (line: L) => bigint): readonly L[] {
  const priced = lines.filter((line) => amountOf(line) !== 0n);
  return priced.length > 0 ? priced : lines;
}

/** A line of the invoice, and the quantity to credit as a decimal text. */
export interface LineToCredit {
  readonly id: number;
  readonly quantity: string;
}

/** A line of the invoice, and its quantity on the credit note, which has the other sign. */
interface Taken<L> {
  readonly line: L;
  readonly quantity: string;
}

/** Whether an old line without pieces has an amount left. A credit line without pieces takes all that is left. */
function hasAmountLeft({ id, quantity }: LineRow, rests: LineRests): boolean {
  const rest = rests.get(id);
  return wholeOf(quantity, PLACES) === 0n && rest?.isAtPrice === true && rest.gross !== 0n;
}

/**
 * The lines that a new credit note takes back: the `wanted` ones, or else the whole rest. `lines`: those of the invoice
 * as they are shown.
 */
export function takenLines<L extends LineRow>(
  invoice: Pick<CaseOrder, 'id' | 'order_type'>,
  lines: readonly L[],
  rests: LineRests,
  wanted: readonly LineToCredit[] | undefined,
): { readonly taken: readonly Taken<L>[]; readonly unfit: readonly Violation[] } {
  const leftOf = (id: number) => rests.get(id)?.pieces ?? 0n;
  const taking = (line: L, pieces: bigint): Taken<L> => ({ line, quantity: decimalOf(pieces, PLACES) });
  const all = lines.flatMap((line) =>
    leftOf(line.id) !== 0n || hasAmountLeft(line, rests) ? taking(line, -leftOf(line.id)) : [],
  );
  if (!wanted) return { taken: all, unfit: all.length === 0 ? [wrong('order_id', invoice.id, EXCEEDS)] : [] };
  const found: Violation[] = [];
  const taken = wanted.flatMap(({ id, quantity }, index) => {
    const line = lines.find((one) => one.id === id);
    const pieces = wholeOf(quantity, PLACES);
    const left = leftOf(id);
    const refused = (one: Violation) => {
      found.push(inside(one, `orderline[${index}]`));
      return [];
    };
    if (pieces <= 0n) return refused(wrong('quantity', Number(quantity), '>0'));
    if (!line) return refused(violation('reference_unknown', { field: 'id', value: id }));
    if (pieces > absolute(left) || wanted.findIndex((one) => one.id === id) < index)
      return refused(wrong('quantity', Number(quantity), EXCEEDS));
    return taking(line, left < 0n ? pieces : -pieces);
  });
  const whole = new Set(demanded(lines, ({ line_gross }) => cents(line_gross ?? '0')));
  const isAll = all.every(
    ({ line, quantity }) =>
      !whole.has(line) || taken.some((one) => one.line.id === line.id && one.quantity === quantity),
  );
  if (found.length === 0 && isWholeOnly(invoice, lines) && !isAll)
    found.push(wrong('orderline', wanted.length, WHOLE));
  return { taken, unfit: found };
}
