// The Dutch VAT return: the amounts of each box, from the invoices of a period. VAT at the high and the low rate comes
// from the sums of the invoices, so the return has exactly the VAT on the invoices. The other codes come from the
// lines.
import { about, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { sumOf } from '../../core/model/statements/fragment.ts';
import {
  columns,
  decimal,
  orNull,
  type Selected,
  selected,
  text,
  whole,
} from '../../core/model/statements/selected.ts';
import { Order } from '../../core/resources/order.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS, nameOf } from '../../core/trade/lists.ts';
import type { Margin, YearOfMargin } from '../../core/trade/margin/margin-period.ts';
import { dayOf } from '../../core/trade/time/day.ts';
import { cents, euros } from '../../core/trade/totals.ts';
import {
  BOXES,
  type Box,
  chargedVat,
  MARGIN_BOX,
  type Treatment,
  treatmentOf,
} from '../../core/trade/vat-box.ts';
import { BEARING, BOXED_WITHOUT_VAT, OWED_BY_BUYER, SUMMED } from '../../core/trade/vat-code.ts';
import { isGlobal, spanOn, type VatSpan } from '../../core/trade/vat-regime.ts';
import { suppliedAt, textIn } from './fragment.ts';
import { plainVatNumber } from './icp.ts';
import {
  COUNTRIES,
  invoicesOf,
  isOfPurchase,
  type LineQuery,
  linesByCode,
  linesOf,
  nearbyOrders,
  ofSales,
  readRegions,
  TYPES,
  whereBought,
  withParties,
} from './invoice-lines.ts';
import { readMargin } from './margin.ts';
import type { Books } from './period.ts';
import { borneVat, groupsByCode, readVatRows } from './vat-share.ts';
import { type Seen, type Warning, warningsOf } from './vat-warning.ts';

const { ARTICLE, TRADE_IN } = LISTS.linekinds;

interface BoxAmounts {
  readonly base: number;
  readonly vat: number;
}

/** Amounts in euros. */
export type VatReturn = Readonly<Record<Box, BoxAmounts>> & {
  readonly margin: Readonly<Record<(typeof MARGINS)[number], number>> &
    Readonly<Partial<Record<(typeof YEAR_MARGINS)[number], number>>>;
  readonly warnings: readonly Warning[];
};

export const MARGINS = [
  'sales',
  'purchases',
  'carried_in',
  'margin',
  'vat',
  'carried_out',
] as const satisfies (keyof Margin)[];
/**
 * The amounts of a calendar year in which margins counted over periods. A return of the whole year has all four; a
 * return of the last period of the year has `settlement` alone.
 */
export const YEAR_MARGINS = [
  'year_margin',
  'year_vat',
  'declared_vat',
  'settlement',
] as const satisfies (keyof YearOfMargin)[];

/**
 * Throws Problem if the garage lacks a field for its margins, or counts them over periods and the days are not whole
 * periods.
 */
export async function readVatReturn(books: Books): Promise<VatReturn> {
  refuseParts(books);
  const sums = new BoxSums();
  await addInvoices(books, sums);
  await addTradeIns(books, sums);
  const near = await nearbyOrders(books);
  await addBoxedWithoutVat(books, sums, near);
  const seen = await addOwedByBuyer(books, sums, near);
  const { year, ...margin } = await readMargin(books);
  sums.add(MARGIN_BOX, margin.taxed - margin.vat, margin.vat);
  const ofYear = books.period.from.endsWith('-01-01') ? YEAR_MARGINS : (['settlement'] as const);
  return {
    ...sums.all(),
    margin: { ...inEuros(margin, MARGINS), ...(year && inEuros(year, ofYear)) },
    warnings: warningsOf(books, { ...seen, isSettled: year !== undefined && year.settlement > 0n }),
  };
}

const inEuros = <K extends string>(
  amounts: Readonly<Record<K, bigint>>,
  names: readonly K[],
): Record<K, number> =>
  Object.fromEntries(names.map((name) => [name, Number(euros(amounts[name]))])) as Record<K, number>;

/** Throws Problem if the days are not whole periods, and margins count over periods on their first or last day. */
export function refuseParts({ regimes, garage, period: { from, to } }: Books): void {
  const [first, last] = [from, to].map((day) => spanOn(regimes, day));
  const unsaid = [first, last].some(
    (span) => span && isGlobal(span.regime) && span.regime.vat_period === null,
  );
  if (unsaid) refuse(about('owner', garage.owner, [violation('field_empty', { field: 'vat_period' })]));
  const nameIn = ({ regime }: VatSpan) => nameOf('vatperiods', regime.vat_period ?? 0);
  refuse([
    ...(first && isGlobal(first.regime) && first.from !== from ? [noBeginning(nameIn(first))] : []),
    ...(last && isGlobal(last.regime) && last.to !== to ? [noEnd(nameIn(last))] : []),
  ]);
}

/** The refusals of days that are not whole periods. Their value is the name of the garage's period. */
const misplaced = (field: string, reason: string) => (period: string | undefined) =>
  violation('parameter_invalid', { field, reason, value: period });
export const noBeginning = misplaced('from', 'value must begin a vat_period');
export const noEnd = misplaced('to', 'value must end a vat_period');

/** Sums in cents. */
class BoxSums {
  private readonly sums = Object.fromEntries(BOXES.map((box) => [box, { base: 0n, vat: 0n }])) as Record<
    Box,
    { base: bigint; vat: bigint }
  >;

  add(box: Box, base: bigint, vat: bigint): void {
    this.sums[box].base += base;
    this.sums[box].vat += vat;
  }

  /** Adds amounts of an invoice to their box, and to 5b if they are deducted. */
  treat({ box, sign, isDeducted }: Treatment, net: bigint, vat: bigint): void {
    if (box !== undefined) this.add(box, sign * net, sign * vat);
    if (isDeducted) this.add('5b', sign * net, sign * vat);
  }

  all(): Record<Box, BoxAmounts> {
    for (const box of BOXES.slice(0, BOXES.indexOf('5a'))) {
      const { base, vat } = this.sums[box];
      this.add('5a', base, vat);
    }
    const shown = BOXES.map((box) => {
      const { base, vat } = this.sums[box];
      return [box, { base: Number(euros(base)), vat: Number(euros(vat)) }];
    });
    return Object.fromEntries(shown);
  }
}

/** Adds VAT at the high and the low rate, from the sums of the invoices. */
async function addInvoices(books: Books, sums: BoxSums): Promise<void> {
  const rows = await selected(invoicesOf(books).groupBy('o.order_type', 'c.order_type'), {
    ...TYPES,
    net_high: decimal(sumOf('o.net_high')),
    vat_high: decimal(sumOf('o.vat_high')),
    net_low: decimal(sumOf('o.net_low')),
    vat_low: decimal(sumOf('o.vat_low')),
  });
  for (const row of rows) {
    const of = { line_kind: ARTICLE, isPurchase: isOfPurchase(row) };
    for (const { code, net, vat } of SUMMED)
      sums.treat(treatmentOf({ ...of, vat_code: code }, 'home'), cents(row[net]), cents(row[vat]));
  }
}

/**
 * Moves trade-ins with VAT out of the box of the sale. A trade-in is a purchase, but the invoice subtracts it from its
 * own sums.
 */
async function addTradeIns(books: Books, sums: BoxSums): Promise<void> {
  const orders = await linesOf(books)
    .modify(ofSales)
    .where('l.line_kind', TRADE_IN)
    .whereIn('l.vat_code', [...BEARING])
    .distinct('l.order_id');
  if (orders.length === 0) return;
  const withTradeIn = orders.map(({ order_id }) => order_id);
  const rows = await readVatRows(books, withTradeIn, BEARING);
  for (const group of groupsByCode(rows, () => false)) {
    const vats = borneVat(group);
    for (const [index, { line_kind, vat_code, line_net }] of group.entries()) {
      if (line_kind !== TRADE_IN) continue;
      const treated = (kind: number) => treatmentOf({ line_kind: kind, vat_code, isPurchase: false }, 'home');
      const [net, vat] = [cents(line_net), vats[index] ?? 0n];
      sums.treat(treated(ARTICLE), -net, -vat);
      sums.treat(treated(TRADE_IN), net, vat);
    }
  }
}

/** Adds the lines with codes without VAT. Their box does not depend on the country of the other party. */
async function addBoxedWithoutVat(
  books: Books,
  sums: BoxSums,
  near: (lines: LineQuery) => void,
): Promise<void> {
  const lines = linesByCode(books, BOXED_WITHOUT_VAT).modify(near);
  const rows = await selected(
    lines.groupBy('o.order_type', 'c.order_type', 'l.vat_code', 'is_bought'),
    CODE_ROW,
  );
  for (const row of rows) sums.treat(treatmentOf(lineOf(row), 'home'), cents(row.net), 0n);
}

/**
 * Adds lines with VAT that the buyer owes. If the garage is the buyer, this VAT is rounded once for each invoice, and a
 * trade-in is rounded apart from its sale.
 */
async function addOwedByBuyer(
  books: Books,
  sums: BoxSums,
  near: (lines: LineQuery) => void,
): Promise<Omit<Seen, 'isSettled'>> {
  const regionOf = await readRegions(books);
  const lines = linesByCode(books, OWED_BY_BUYER)
    .modify(near)
    .modify(withParties)
    .groupBy('o.id', 'o.order_type', 'c.order_type', 'l.vat_code', 'is_bought')
    .groupBy('own_country', 'other_country', 'vat_number', 'supplied');
  const rows = await selected(lines, {
    ...columns(Order, 'o', 'id'),
    ...CODE_ROW,
    ...COUNTRIES,
    vat_number: orNull(text(textIn('p.buyer', 'vat_number'))),
    supplied: text(suppliedAt()),
  });
  const seen = { isAbroad: false, isNumberless: false };
  for (const row of rows) {
    const region = regionOf(row);
    const treatment = treatmentOf(lineOf(row), region);
    const net = cents(row.net);
    sums.treat(
      treatment,
      net,
      treatment.isCharged ? chargedVat(net, dayOf(row.supplied, books.period.timezone)) : 0n,
    );
    if (treatment.side === 'sale' && treatment.box === undefined) seen.isAbroad = true;
    if (treatment.box === '3b' && plainVatNumber(row.vat_number) === null) seen.isNumberless = true;
  }
  return seen;
}

/** The net of lines of one side and code, in euros. */
const CODE_ROW = {
  ...TYPES,
  ...columns(OrderLine, 'l', 'vat_code'),
  /** 1 if the garage buys by these lines. */
  is_bought: orNull(whole(whereBought(1))),
  net: decimal(sumOf('l.line_net')),
};

function lineOf(row: Selected<typeof CODE_ROW>) {
  const isPurchase = isOfPurchase(row);
  return { line_kind: row.is_bought && !isPurchase ? TRADE_IN : ARTICLE, vat_code: row.vat_code, isPurchase };
}
