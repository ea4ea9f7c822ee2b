// Deposits and the order that they are paid for. Deposits together never exceed their order, and its invoice takes them
// off with exactly their net and their VAT. So deposits and invoice together bear the VAT of the whole order.
import { type Violation, violation } from '../../errors.ts';
import { roundTo } from '../decimal.ts';
import { depositsByCode, isDeposit, takesDeposits } from '../deposit.ts';
import { LANGUAGES, type Language, languageOf } from '../language.ts';
import { LISTS } from '../lists.ts';
import { payerOf } from '../payer.ts';
import { orderAmounts } from '../settle.ts';
import { cents, euros } from '../totals.ts';
import { type NetColumn, type VatColumn, vatColumn } from '../vat-code.ts';
import { type CaseOrder, grossOf } from './line.ts';

const { DEPOSIT } = LISTS.linekinds;
const { HIGH, LOW, MARGIN } = LISTS.vatcodes;

/** The validation that refuses deposits of more than their order. */
export const EXCEEDS_ORDER = 'deposit exceeds the order';
export const NO_TARGET = 'sale or workshop order';

/** Refuses to cancel an order if the buyer has paid, or must pay, a deposit for it. */
export const HELD_BY_DEPOSIT = violation('record_held', { field: 'id', resource: 'order' });

const LESS: Readonly<Record<Language, string>> = {
  nl: 'Af: aanbetaling, factuur',
  en: 'Less: deposit, invoice',
};
const PLUS: Readonly<Record<Language, string>> = {
  nl: 'Bij: aanbetaling, factuur',
  en: 'Plus: deposit, invoice',
};

/** The words of a credit note that adds a deposit again, for those by which its invoice took the deposit off. */
export function addedBack(description: string): string {
  const language = LANGUAGES.find((one) => description.startsWith(LESS[one]));
  return language === undefined ? description : PLUS[language] + description.slice(LESS[language].length);
}

const wrong = (field: string, value: unknown, validation: string): Violation =>
  violation('value_invalid', { field, value, validation });

/**
 * Whether the order takes deposits: it is a sale or work, and not itself a deposit. A quotation takes them too: paying
 * a deposit accepts it.
 */
export const isTarget = (order: Pick<CaseOrder, 'order_type' | 'deposit_of_order_id'>): boolean =>
  takesDeposits(order.order_type) && !isDeposit(order);

/**
 * Why a deposit does not fit its target as the target is now. Any order may name a target: it is judged when it becomes
 * an invoice, as credit notes are. `taken`: the invoiced deposits so far, in cents.
 */
export function unfitDeposit(deposit: CaseOrder, target: CaseOrder, taken: bigint): Violation[] {
  return [
    ...(isTarget(target) ? [] : [wrong('deposit_of_order_id', target.id, NO_TARGET)]),
    ...(payerOf(deposit) === payerOf(target)
      ? []
      : [wrong('invoice_contact_id', deposit.invoice_contact_id, 'payer of the order')]),
    ...(taken + grossOf(deposit) > grossOf(target)
      ? [wrong('total_gross', Number(deposit.total_gross), EXCEEDS_ORDER)]
      : []),
  ];
}

/** Net and VAT in cents. */
interface Taxed {
  readonly net: bigint;
  readonly vat: bigint;
}

/** Net and VAT of each VAT code. */
type ByCode = ReadonlyMap<number, Taxed>;

/** A line, with the VAT that its order has for the high and the low rate. Decimals are strings. */
interface TaxedLine extends Readonly<Record<VatColumn, string | number | null>> {
  readonly order_id: number;
  readonly vat_code: number;
  readonly line_net: string | null;
}

/** The amounts of orders by code, from all their lines. Leaves out codes with a sum of 0. */
export function byCodeOf(lines: readonly TaxedLine[]): ByCode {
  const sums = new Map<number, Taxed>();
  const taxed = new Set<string>();
  for (const line of lines) {
    const { order_id, vat_code, line_net } = line;
    const { net, vat } = sums.get(vat_code) ?? { net: 0n, vat: 0n };
    // The VAT of a code stands on the order, once. Other codes have no VAT.
    const key = `${order_id} ${vat_code}`;
    const column = vatColumn(vat_code);
    const own = taxed.has(key) || column === undefined ? 0n : cents(String(line[column]));
    taxed.add(key);
    sums.set(vat_code, { net: net + cents(line_net ?? '0'), vat: vat + own });
  }
  return new Map([...sums].filter(([, { net, vat }]) => net !== 0n || vat !== 0n));
}

/**
 * The lines of a deposit of so many cents: one for each VAT code of the order that it is paid for, in proportion to its
 * gross amount. `lines`: all of that order.
 */
export function depositLines(
  amount: bigint,
  { vat_high, vat_low }: Pick<TaxedLine, VatColumn>,
  lines: readonly Pick<TaxedLine, 'vat_code' | 'line_net'>[],
  description: string,
) {
  const taxed = byCodeOf(lines.map((line) => ({ ...line, order_id: 0, vat_high, vat_low })));
  const grosses = new Map([...taxed].map(([code, { net, vat }]) => [code, net + vat]));
  return [...depositsByCode(amount, grosses)].map(([vat_code, part]) => ({
    line_kind: DEPOSIT,
    description,
    quantity: '1',
    price: euros(part),
    discount_percentage: null,
    vat_code,
  }));
}

interface DepositLine extends TaxedLine {
  readonly id: number;
  readonly credited_order_id: number | null;
  readonly vat_percentage: string | null;
  readonly turnover_group_id: number | null;
}

/** An invoiced deposit, with the lines of its order and of its credit notes, sorted by ID. */
interface Deposit {
  readonly order: Pick<CaseOrder, 'id' | 'contact_id' | 'invoice_contact_id'> & {
    readonly invoice_number: string | null;
  };
  readonly lines: readonly DepositLine[];
}

/** The amounts that a line takes off, for one deposit and one VAT code. */
interface Part extends Taxed {
  readonly deposit: Deposit;
  readonly code: number;
}

/** The rest of each deposit, by VAT code. */
export const partsOf = (deposits: readonly Deposit[]): Part[] =>
  deposits.flatMap((deposit) =>
    [...byCodeOf(deposit.lines)]
      .sort(([one], [other]) => one - other)
      .map(([code, taxed]) => ({ deposit, code, ...taxed })),
  );

/**
 * Why the invoice of the order can't take these deposits off. Nobody may deduct the VAT of an invoice to somebody else:
 * for a new payer, credit the deposit and make another one.
 */
export function unfitDeduction(order: CaseOrder, parts: readonly Part[]): Violation[] {
  const total = parts.reduce((sum, { net, vat }) => sum + net + vat, 0n);
  return [
    ...(total > grossOf(order) ? [wrong('total_gross', Number(order.total_gross), EXCEEDS_ORDER)] : []),
    ...(parts.some(({ deposit }) => payerOf(deposit.order) !== payerOf(order))
      ? [wrong('invoice_contact_id', order.invoice_contact_id, 'payer of the deposit')]
      : []),
  ];
}

/** The lines of quantity −1 that take the deposits off. */
export const deductionLines = (
  { id, is_vat_included }: Pick<CaseOrder, 'id' | 'is_vat_included'>,
  parts: readonly Part[],
  language: string | null,
) =>
  parts.map(({ deposit: { order, lines }, code, net, vat }) => {
    const line = lines.find((one) => one.order_id === order.id && one.vat_code === code);
    return {
      order_id: id,
      line_kind: DEPOSIT,
      description: `${LESS[languageOf(language)]} ${order.invoice_number}`,
      quantity: '-1.0000',
      price: roundTo(euros(is_vat_included === 1 ? net + vat : net), 4),
      vat_code: code,
      vat_percentage: line?.vat_percentage ?? null,
      turnover_group_id: line?.turnover_group_id ?? null,
      line_net: euros(-net),
      line_vat: euros(-vat),
      line_gross: euros(-net - vat),
      credited_line_id: line?.id ?? null,
      // The line of the car has the rest of its margin.
      margin_vat: code === MARGIN ? '0.00' : null,
    };
  });

type Column = 'total_net' | NetColumn | VatColumn;

/** The totals of the order less the amounts of the deposits. */
export function amountsWithout(
  order: Readonly<Record<Column, string | number | null>>,
  parts: readonly Part[],
) {
  const sum = (of: keyof Taxed, code?: number) =>
    parts.reduce((total, part) => (part.code === (code ?? part.code) ? total + part[of] : total), 0n);
  const left = (column: Column, taken: bigint) => cents(String(order[column])) - taken;
  return orderAmounts({
    net: left('total_net', sum('net')),
    net_high: left('net_high', sum('net', HIGH)),
    net_low: left('net_low', sum('net', LOW)),
    vat_high: left('vat_high', sum('vat', HIGH)),
    vat_low: left('vat_low', sum('vat', LOW)),
  });
}
