// The amounts of a line that depend on the other lines of its order: nets of prices with VAT, and the VAT within
// margins.
import { deducts } from './deposit.ts';
import { grouped } from './grouped.ts';
import { isCreditNote } from './kinds/order-type.ts';
import { isPurchase } from './kinds/purchase.ts';
import { LISTS } from './lists.ts';
import { type MarginLine, marginVats } from './margin.ts';
import { cents, euros, spreadNet, vatOf } from './totals.ts';
import { BEARING, type NetColumn, percentageOf, SUMMED, type VatColumn } from './vat-code.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const { VEHICLE_SALES } = LISTS.ordertypes;

/** The values of an order that decide about the amounts of all its lines. */
export interface OrderToSettle {
  readonly order_type: number;
  readonly vehicle_id: number | null;
  readonly is_vat_included: number;
  /** The day whose rates the order has: see `rateDayOf`. */
  readonly day: string;
}

export interface LineToSettle extends MarginLine {
  readonly credited_line_id: number | null;
  readonly vat_percentage: string | null;
  readonly line_vat: string;
  readonly line_gross: string;
}

export interface SettledAmounts {
  readonly line_net: string;
  readonly line_vat: string;
  readonly line_gross: string;
  readonly margin_vat: string | null;
  /** Only where the order has got other rates. */
  readonly vat_percentage?: string | null;
}

export const AMOUNTS = [
  'line_net',
  'line_vat',
  'line_gross',
  'margin_vat',
] as const satisfies (keyof SettledAmounts)[];

/** The amounts of each line. The lines are sorted by ID. */
export function settledAmounts(lines: readonly LineToSettle[], order: OrderToSettle): SettledAmounts[] {
  const { order_type, vehicle_id, is_vat_included } = order;
  const settled = lines.map(({ line_net, line_vat, line_gross }) => ({ line_net, line_vat, line_gross }));
  if (is_vat_included === 1) for (const code of BEARING) spread(lines, settled, order, code);
  const margins = marginVats(
    lines.map((line, index) => ({ ...line, ...settled[index] })),
    {
      vehicle: order_type === VEHICLE_SALES ? vehicle_id : null,
      isCredit: isCreditNote(order_type),
      day: order.day,
    },
  );
  // A purchase has no margin yet.
  const marginAt = (index: number) =>
    margins[index] != null && isPurchase(order_type) ? '0.00' : (margins[index] ?? null);
  return settled.map((line, index) => ({ ...line, margin_vat: marginAt(index) }));
}

/** Nets and VAT of an order in cents, by the codes that have VAT. `net` adds up all codes. */
export type Sums = Readonly<Record<'net' | NetColumn | VatColumn, bigint>>;

/**
 * The sums of the settled lines of an order. If prices include VAT, the VAT is the prices less the nets. Lines that
 * take deposits off have the VAT of the deposits.
 */
export function sumUp(
  lines: readonly Pick<
    LineToSettle,
    'line_kind' | 'credited_line_id' | 'vat_code' | 'vat_percentage' | 'line_net' | 'line_gross'
  >[],
  order: Pick<OrderToSettle, 'order_type' | 'is_vat_included' | 'day'>,
): Sums {
  const sum = (of: (line: (typeof lines)[number]) => bigint, code?: number) =>
    lines.reduce((total, line) => (line.vat_code === (code ?? line.vat_code) ? total + of(line) : total), 0n);
  const net = (code?: number) => sum(({ line_net }) => cents(line_net), code);
  const isOwnVat = (line: (typeof lines)[number]) => order.is_vat_included === 1 || deducts(line, order);
  const vat = (code: number) =>
    byPercentage(
      lines.filter((line) => line.vat_code === code && !isOwnVat(line)),
      order.day,
    ).reduce(
      (total, [percentage, own]) =>
        total +
        vatOf(
          own.reduce((all, { line_net }) => all + cents(line_net), 0n),
          percentage,
        ),
      sum((line) => (isOwnVat(line) ? cents(line.line_gross) - cents(line.line_net) : 0n), code),
    );
  return { net: net(), net_high: net(HIGH), net_low: net(LOW), vat_high: vat(HIGH), vat_low: vat(LOW) };
}

type OrderAmount = 'total_net' | 'total_vat' | 'total_gross' | NetColumn | VatColumn;

/** The amounts that an order shows, and the hidden ones behind them. */
export function orderAmounts(sums: Sums): Readonly<Record<OrderAmount, string>> {
  const vat = SUMMED.reduce((total, { vat: column }) => total + sums[column], 0n);
  return {
    net_high: euros(sums.net_high),
    net_low: euros(sums.net_low),
    vat_high: euros(sums.vat_high),
    vat_low: euros(sums.vat_low),
    total_net: euros(sums.net),
    total_vat: euros(vat),
    total_gross: euros(sums.net + vat),
  };
}

/** Sets net and VAT of the lines with that VAT code. */
function spread(
  lines: readonly LineToSettle[],
  settled: Omit<SettledAmounts, 'margin_vat'>[],
  order: OrderToSettle,
  code: number,
): void {
  const own = lines.flatMap((line, index) =>
    line.vat_code === code && !deducts(line, order) ? [{ ...line, index }] : [],
  );
  for (const [percentage, group] of byPercentage(own, order.day)) {
    const grosses = group.map(({ line_gross }) => cents(line_gross));
    spreadNet(grosses, percentage).forEach((net, position) => {
      const gross = grosses[position] ?? 0n;
      settled[group[position]?.index ?? 0] = {
        line_net: euros(net),
        line_vat: euros(gross - net),
        line_gross: euros(gross),
      };
    });
  }
}

/** Lines by their percentage, or else that of the day. An order has one percentage, unless it takes off a deposit. */
const byPercentage = <L extends Pick<LineToSettle, 'vat_code' | 'vat_percentage'>>(
  lines: readonly L[],
  day: string,
): [string, L[]][] => [...grouped(lines, (line) => `${Number(percentageOf(line, day))}`)];
