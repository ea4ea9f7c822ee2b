// The rest of an invoice: its lines and VAT, less those of its credit notes. A credit note that takes the rest of a
// line, or of a VAT code, takes exactly the amounts that remain. So an invoice and its credit notes end at 0.

import type { Garage } from '../model/garage.ts';
import { Order, type OrderRow } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { LISTS } from '../trade/lists.ts';
import { AMOUNTS, type SettledAmounts, type Sums } from '../trade/settle.ts';
import { cents, euros } from '../trade/totals.ts';
import { PLACES, quotient, wholeOf } from '../trade/whole.ts';

const { INTERNAL_REVERSAL } = LISTS.ordertypes;
const { CANCELLED } = LISTS.orderstatuses;
const { HIGH, LOW } = LISTS.vatcodes;

/** The columns that, with the quantity, decide about the amounts of a line. */
const PRICED = ['price', 'discount_percentage', 'vat_code'] as const;
type Priced = Pick<OrderLine, (typeof PRICED)[number]>;

/** The rest of a line of the invoice: its quantity in ten-thousandths, and its amounts in cents. */
interface LineRest {
  /** The price on the invoice. */
  readonly priced: Priced;
  /** Whether all its credit notes have that price. */
  readonly isAtPrice: boolean;
  readonly quantity: bigint;
  readonly amounts: Readonly<Record<(typeof AMOUNTS)[number], bigint>>;
}

/** By the ID of the line of the invoice. */
type LineRests = ReadonlyMap<number, LineRest>;

export interface Rest {
  /** The type of the invoice. */
  readonly order_type: number;
  readonly lines: LineRests;
  /** The VAT within the margins of all lines, in cents. */
  readonly margin_vat: bigint;
  /** Nets and VAT by code, in cents. */
  readonly sums: Omit<Sums, 'net'>;
}

const SUMS = ['net_high', 'net_low', 'vat_high', 'vat_low'] as const satisfies (keyof Rest['sums'])[];

const INVOICED = ['id', 'order_type', 'total_gross', ...SUMS] as const;

/** An invoice, or a credit note of it. */
export type Invoiced = Pick<OrderRow, (typeof INVOICED)[number]>;

/** Which credit notes count: all but the one with the ID `except`. With `invoicedOnly` only those that are invoices. */
interface Counting {
  readonly except?: number;
  readonly invoicedOnly?: boolean;
}

/** The credit notes of an invoice, without cancelled ones. */
export const readCredits = async (
  garage: Garage,
  invoice: number,
  { except, invoicedOnly = false }: Counting,
): Promise<Invoiced[]> =>
  Order.of(garage)
    .select([...INVOICED])
    .where({ credited_order_id: invoice, order_type: INTERNAL_REVERSAL })
    .whereNot('order_status', CANCELLED)
    .whereNot('id', except ?? 0)
    .modify((query) => invoicedOnly && query.where('is_invoiced', 1))
    .castTo<Invoiced[]>();

/** The rest that a credit note can take of its invoice. Undefined for any other order. */
export async function readRestOf(
  garage: Garage,
  { id: except, order_type, credited_order_id }: OrderRow,
  invoicedOnly = false,
): Promise<Rest | undefined> {
  if (order_type !== INTERNAL_REVERSAL || credited_order_id === null) return undefined;
  const invoice = await Order.of(garage)
    .select([...INVOICED])
    .findOne('id', credited_order_id)
    .castTo<Invoiced | undefined>();
  if (!invoice) return undefined;
  return readRest(garage, invoice, await readCredits(garage, invoice.id, { except, invoicedOnly }));
}

/** The rest of an invoice after these credit notes. */
export async function readRest(
  garage: Garage,
  invoice: Invoiced,
  credits: readonly Invoiced[],
): Promise<Rest> {
  const sum = (column: (typeof SUMS)[number]) =>
    [invoice, ...credits].reduce((total, row) => total + cents(String(row[column])), 0n);
  const lines = await readLines(garage, invoice.id, credits);
  return {
    order_type: invoice.order_type,
    lines: restsOf(lines, invoice.id),
    margin_vat: lines.reduce((total, { margin_vat }) => total + cents(margin_vat ?? '0'), 0n),
    sums: {
      net_high: sum('net_high'),
      net_low: sum('net_low'),
      vat_high: sum('vat_high'),
      vat_low: sum('vat_low'),
    },
  };
}

/** The rest of the lines of an invoice after its credit notes. */
export async function readRestOfLines(
  garage: Garage,
  invoice: number,
  counting: Counting = {},
): Promise<LineRests> {
  const credits = await readCredits(garage, invoice, counting);
  return restsOf(await readLines(garage, invoice, credits), invoice);
}

/** The lines of an invoice and of its credit notes. */
const readLines = async (
  garage: Garage,
  invoice: number,
  credits: readonly Pick<Invoiced, 'id'>[],
): Promise<OrderLine[]> =>
  OrderLine.of(garage)
    .select('id', 'order_id', 'credited_line_id', 'quantity', ...PRICED, ...AMOUNTS)
    .whereIn('order_id', [invoice, ...credits.map(({ id }) => id)])
    .orderBy('id');

function restsOf(lines: readonly OrderLine[], invoice: number): LineRests {
  const rests = new Map<number, LineRest>();
  for (const line of lines) {
    const id = line.order_id === invoice ? line.id : line.credited_line_id;
    if (id !== null) rests.set(id, added(rests.get(id), line));
  }
  return rests;
}

function added(rest: LineRest | undefined, line: OrderLine): LineRest {
  const amount = (name: (typeof AMOUNTS)[number]) => (rest?.amounts[name] ?? 0n) + cents(line[name] ?? '0');
  return {
    // The line of the invoice comes first, since it is older than the lines that credit it.
    priced: rest?.priced ?? line,
    isAtPrice: rest === undefined || (rest.isAtPrice && isPricedLike(rest, line)),
    quantity: (rest?.quantity ?? 0n) + wholeOf(line.quantity, PLACES),
    amounts: {
      line_net: amount('line_net'),
      line_vat: amount('line_vat'),
      line_gross: amount('line_gross'),
      margin_vat: amount('margin_vat'),
    },
  };
}

type CreditLine = Priced & Pick<OrderLine, 'credited_line_id' | 'quantity' | 'line_net' | 'margin_vat'>;

/** Whether a credit line has the price of its line. Otherwise it credits an amount that somebody typed. */
const isPricedLike = ({ priced }: Pick<LineRest, 'priced'>, line: Priced): boolean =>
  PRICED.every((name) => wholeOf(`${line[name] ?? 0}`, PLACES) === wholeOf(`${priced[name] ?? 0}`, PLACES));

/**
 * The amounts of a credit line that takes the whole rest of its line. Undefined if a part of the line remains, or if
 * this credit line or an earlier one has another price: the rest is then more than cents of rounding.
 */
export function restAmounts(rest: Rest, line: CreditLine): SettledAmounts | undefined {
  const { credited_line_id, quantity, margin_vat } = line;
  const left = rest.lines.get(credited_line_id ?? 0);
  if (!left || left.quantity !== -wholeOf(quantity, PLACES)) return undefined;
  if (!left.isAtPrice || !isPricedLike(left, line)) return undefined;
  const { line_net, line_vat, line_gross, margin_vat: margin } = left.amounts;
  return {
    line_net: euros(-line_net),
    line_vat: euros(-line_vat),
    line_gross: euros(-line_gross),
    margin_vat: margin_vat === null ? null : euros(-margin),
  };
}

/**
 * The margin that a credit line takes back if it takes only a part of its line: by the pieces, or by the amount if the
 * credit line has another price.
 */
export function partOfMargin(rest: Rest, line: CreditLine): string | null {
  const { credited_line_id, quantity, line_net, margin_vat } = line;
  const left = rest.lines.get(credited_line_id ?? 0);
  if (!left || margin_vat === null) return margin_vat;
  const [taken, whole] = isPricedLike(left, line)
    ? [wholeOf(quantity, PLACES), left.quantity]
    : [cents(line_net ?? '0'), left.amounts.line_net];
  if (whole === 0n) return margin_vat;
  const sign = whole < 0n ? -1n : 1n;
  return euros(quotient(sign * left.amounts.margin_vat * taken, sign * whole));
}

/**
 * The sums of a credit note. If the credit note takes the rest of the net of a VAT code, it takes the rest of the VAT
 * too. It must have a line with this code: after deposits an invoice may have VAT on a net of 0.
 */
export function withRestOfVat(
  sums: Sums,
  { sums: left }: Rest,
  lines: readonly Pick<OrderLine, 'vat_code'>[],
): Sums {
  const takesAll = (code: number, net: 'net_high' | 'net_low') =>
    sums[net] === -left[net] && lines.some(({ vat_code }) => vat_code === code);
  return {
    ...sums,
    vat_high: takesAll(HIGH, 'net_high') ? -left.vat_high : sums.vat_high,
    vat_low: takesAll(LOW, 'net_low') ? -left.vat_low : sums.vat_low,
  };
}
