// The rest of an invoice: its lines and VAT, less those of its credit notes. A credit note that takes the rest of a
// line, or of a VAT code, takes exactly the amounts that remain. So an invoice and its credit notes end at 0.
import { isPurchase } from '../kinds/purchase.ts';
import {
  AMOUNTS,
  type LineToSettle,
  type OrderToSettle,
  type SettledAmounts,
  type Sums,
  settledAmounts,
  sumUp,
} from '../settle.ts';
import { cents, euros, lineTotals } from '../totals.ts';
import { type NetColumn, percentageOf, SUMMED, type VatColumn } from '../vat-code.ts';
import { PLACES, quotient, wholeOf } from '../whole.ts';
import { giveRest } from './last-cents.ts';
import type { CaseLine, CaseOrder, LineRow } from './line.ts';
import { type MarginRest, marginRestOf, withinMargin } from './margin-rest.ts';

/** The columns that, with the quantity, decide about the amounts of a line. */
const PRICED = ['price', 'discount_percentage', 'vat_code'] as const;
type Priced = Pick<LineRow, (typeof PRICED)[number]>;

/** An invoice, or a credit note of it. */
type Invoiced = Pick<CaseOrder, 'id' | 'order_type' | 'vehicle_id'> &
  Readonly<Record<NetColumn | VatColumn, string | number | null>>;

/** An invoice with its credit notes, and all their lines sorted by ID. */
export interface Credited<O = Invoiced, L = CaseLine> {
  readonly invoice: O;
  readonly credits: readonly O[];
  readonly lines: readonly L[];
}

/** The rest of a line of the invoice: its quantity in ten-thousandths, and its amounts in cents. */
interface LineRest {
  /** The price on the invoice. */
  readonly priced: Priced;
  /** Whether all its credit notes have that price. */
  readonly isAtPrice: boolean;
  readonly pieces: bigint;
  readonly net: bigint;
  readonly vat: bigint;
  readonly gross: bigint;
  readonly margin: bigint;
}

/** By the ID of the line of the invoice. */
export type LineRests = ReadonlyMap<number, LineRest>;

export interface Rest {
  /** The type of the invoice. */
  readonly order_type: number;
  /** The day whose rates the invoice has, and each credit note of it. */
  readonly day: string;
  readonly lines: LineRests;
  /** The VAT within the margins. */
  readonly margin: MarginRest;
  /** Nets and VAT by code, in cents. */
  readonly sums: Omit<Sums, 'net'>;
}

/** The rest of an invoice after its credit notes. */
export function restOf({ invoice, credits, lines }: Credited, day: string): Rest {
  const sum = (column: NetColumn | VatColumn) =>
    [invoice, ...credits].reduce((total, row) => total + cents(String(row[column])), 0n);
  return {
    order_type: invoice.order_type,
    day,
    lines: restsOf(lines, invoice.id),
    margin: marginRestOf(invoice, lines),
    sums: {
      net_high: sum('net_high'),
      net_low: sum('net_low'),
      vat_high: sum('vat_high'),
      vat_low: sum('vat_low'),
    },
  };
}

/** The rest of each line of an invoice. `lines`: those of the invoice and of its credit notes, sorted by ID. */
export function restsOf(lines: readonly CaseLine[], invoice: number): LineRests {
  const rests = new Map<number, LineRest>();
  for (const line of lines) {
    const id = line.order_id === invoice ? line.id : line.credited_line_id;
    if (id !== null) rests.set(id, added(rests.get(id), line));
  }
  return rests;
}

const added = (rest: LineRest | undefined, line: CaseLine): LineRest => ({
  // The line of the invoice comes first, since it is older than the lines that credit it.
  priced: rest?.priced ?? line,
  isAtPrice: rest === undefined || (rest.isAtPrice && isPricedLike(rest, line)),
  pieces: (rest?.pieces ?? 0n) + line.pieces,
  net: (rest?.net ?? 0n) + line.net,
  vat: (rest?.vat ?? 0n) + line.vat,
  gross: (rest?.gross ?? 0n) + line.gross,
  margin: (rest?.margin ?? 0n) + line.margin,
});

/** Whether a credit line has the price of its line. Otherwise it credits an amount that somebody typed. */
const isPricedLike = ({ priced }: Pick<LineRest, 'priced'>, line: Priced): boolean =>
  PRICED.every((name) => wholeOf(`${line[name] ?? 0}`, PLACES) === wholeOf(`${priced[name] ?? 0}`, PLACES));

/** Whether a line takes no more pieces than are left of its line. */
export function isWithin(rests: LineRests, credited_line_id: number, quantity: string): boolean {
  const left = rests.get(credited_line_id)?.pieces ?? 0n;
  const after = left + wholeOf(quantity, PLACES);
  return left < 0n ? after >= left && after <= 0n : after <= left && after >= 0n;
}

type SettledOrder = Pick<CaseOrder, 'order_type' | 'vehicle_id'> &
  Pick<OrderToSettle, 'is_vat_included' | 'day'>;
type Line = LineRow & LineToSettle;

/** The amounts of the lines of an order. `rest`: what its credit note can take. */
export function amountsOf<L extends Line>(
  lines: readonly L[],
  order: SettledOrder,
  rest: Rest | undefined,
): SettledAmounts[] {
  return rest ? creditAmounts(lines, order, rest) : settledAmounts(lines, order);
}

/** The values of the lines that get other ones, by ID. */
export const changedAmounts = (
  lines: readonly Line[],
  amounts: readonly SettledAmounts[],
): Map<number, SettledAmounts> =>
  new Map(
    lines.flatMap((line, index) => {
      const settled = amounts[index];
      const percentage = settled?.vat_percentage ?? line.vat_percentage;
      const isSame =
        settled &&
        percentage === line.vat_percentage &&
        AMOUNTS.every((name) => line[name] === settled[name]);
      return settled && !isSame ? [[line.id, settled] as const] : [];
    }),
  );

/**
 * A credit line that takes the whole rest of its line gets the amounts that remain. The other lines are settled
 * together.
 */
function creditAmounts(written: readonly Line[], order: SettledOrder, rest: Rest): SettledAmounts[] {
  const lines = written.map((line) => priced(line, order));
  const rests = lines.map((line) => restAmounts(rest, line));
  const others = settledAmounts(
    lines.filter((_, index) => rests[index] === undefined),
    // A purchase has no margin, so its credit note has none.
    isPurchase(rest.order_type) ? { ...order, order_type: rest.order_type } : order,
  );
  const amounts = lines.map((line, index) => {
    const fixed = rests[index];
    if (fixed) return fixed;
    const settled = others.shift() as SettledAmounts;
    return { ...settled, margin_vat: partOfMargin(rest, line, settled.margin_vat) };
  });
  if (order.is_vat_included === 1)
    for (const code of SUMMED) giveRest(code, amounts, { lines, rests, left: rest.sums });
  return withinMargin(lines, amounts, rest.margin);
}

/** The line with the amounts of its price: its row may have the amounts of a rest that it no longer takes. */
function priced(line: Line, { is_vat_included, day }: SettledOrder): Line {
  if (line.credited_line_id === null) return line;
  const { line_net, line_vat, line_gross } = lineTotals(line, percentageOf(line, day), is_vat_included === 1);
  return { ...line, line_net, line_vat, line_gross };
}

/**
 * The amounts of a credit line that takes the whole rest of its line. Undefined if a part of the line remains, or if
 * this credit line or an earlier one has another price: the rest is then more than cents of rounding.
 */
function restAmounts(rest: Rest, line: Line): SettledAmounts | undefined {
  const left = rest.lines.get(line.credited_line_id ?? 0);
  if (!left || left.pieces !== -wholeOf(line.quantity, PLACES)) return undefined;
  if (!left.isAtPrice || !isPricedLike(left, line)) return undefined;
  return {
    line_net: euros(-left.net),
    line_vat: euros(-left.vat),
    line_gross: euros(-left.gross),
    margin_vat: line.margin_vat === null ? null : euros(-left.margin),
  };
}

/**
 * The margin that a credit line takes back if it takes only a part of its line: by the pieces, or by the amount if the
 * credit line has another price. `margin_vat`: the margin of the line by itself.
 */
function partOfMargin(rest: Rest, line: Line, margin_vat: string | null): string | null {
  const left = rest.lines.get(line.credited_line_id ?? 0);
  if (!left || margin_vat === null) return margin_vat;
  const [taken, whole] = isPricedLike(left, line)
    ? [wholeOf(line.quantity, PLACES), left.pieces]
    : [cents(line.line_net), left.net];
  if (whole === 0n) return margin_vat;
  const sign = whole < 0n ? -1n : 1n;
  return euros(quotient(sign * left.margin * taken, sign * whole));
}

/**
 * The sums of an order with these lines. If a credit note takes the `rest` of the net of a VAT code, it takes the rest
 * of the VAT too. It must have a line with this code: after deposits an invoice may have VAT on a net of 0.
 */
export function sumsOf(
  lines: readonly Parameters<typeof sumUp>[0][number][],
  order: Pick<SettledOrder, 'order_type' | 'is_vat_included' | 'day'>,
  rest: Rest | undefined,
): Sums {
  const sums = sumUp(lines, order);
  // Lines whose prices include VAT have the rest already: see `giveRest`.
  if (!rest || order.is_vat_included === 1) return sums;
  const left = rest.sums;
  const taken: Record<keyof Sums, bigint> = { ...sums };
  for (const { code, net, vat } of SUMMED)
    if (sums[net] === -left[net] && lines.some(({ vat_code }) => vat_code === code)) taken[vat] = -left[vat];
  return taken;
}
