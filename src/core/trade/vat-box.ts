// Which box of the Dutch VAT return ("aangifte omzetbelasting") a line of an invoice goes to, with which sign and which
// VAT, by the table of vat-code.ts. The VAT return, the list of supplies to other EU countries and the journal all ask
// this file.
import { kindRow } from './kinds/line-kind.ts';
import { LISTS } from './lists.ts';
import { vatOf } from './totals.ts';
import { highOn, VAT_CODES, type VatCode, vatRow } from './vat-code.ts';

const { TRADE_IN, DEPOSIT } = LISTS.linekinds;

/** The boxes in the order of the form. 5a is the sum of the boxes before it. */
export const BOXES = ['1a', '1b', '1c', '1d', '1e', '2a', '3a', '3b', '3c', '4a', '4b', '5a', '5b'] as const;
export type Box = (typeof BOXES)[number];
/** The box of the VAT within margins, which bear the high rate. */
export const MARGIN_BOX: Box = '1a';

/** Where the other party of an invoice is, as seen from the garage. */
export const REGIONS = ['home', 'eu', 'elsewhere'] as const;
export type Region = (typeof REGIONS)[number];

interface Country {
  readonly id: number;
  readonly is_eu: number;
}

/** By the countries that the invoice keeps of both parties. */
export function regionOf(own: Country | undefined, other: Country | undefined): Region {
  if (own?.id === other?.id) return 'home';
  return other?.is_eu === 1 ? 'eu' : 'elsewhere';
}

interface LineOfSide {
  readonly line_kind: number;
  /** Whether the order is a purchase, or the credit note of one. */
  readonly isPurchase: boolean;
}

interface LineOfReturn extends LineOfSide {
  readonly vat_code: number;
}

/**
 * `sale`: the garage supplies. `purchase`: the garage buys, also by a trade-in on a sale. For the input VAT of a
 * trade-in (5b) the invoice of its seller must exist.
 */
export type Side = 'sale' | 'purchase';

export const sideOf = ({ line_kind, isPurchase }: LineOfSide): Side =>
  isPurchase || line_kind === TRADE_IN ? 'purchase' : 'sale';

/** The VAT of a line, wherever the other party is. */
interface Tax {
  readonly side: Side;
  /** The factor for the amounts of the line. A trade-in is below 0 on a sale, and a purchase above 0. */
  readonly sign: 1n | -1n;
  /** Whether the garage owes the VAT of a supply to itself, at the high rate: see `chargedVat`. */
  readonly isCharged: boolean;
  /** Whether the garage deducts the VAT in 5b. */
  readonly isDeducted: boolean;
  /** Whether the margin of the line bears VAT: it is sold under the margin scheme, and is no deposit. */
  readonly isMargin: boolean;
}

/** How a line stands in the VAT return. */
export interface Treatment extends Tax {
  /** The box of base and VAT. Undefined: none, or the line is under the margin scheme. */
  readonly box?: Box;
}

export function taxOf({ line_kind, vat_code, isPurchase }: LineOfReturn): Tax {
  const side = sideOf({ line_kind, isPurchase });
  const isBought = side === 'purchase';
  const { by } = vatRow(vat_code).owed;
  const isCharged = isBought && by === 'buyer';
  return {
    side,
    sign: isBought && !isPurchase ? -1n : 1n,
    isCharged,
    isDeducted: isCharged || (isBought && by === 'seller'),
    isMargin: !isBought && kindRow(line_kind).isPrice && by === 'margin',
  };
}

export function treatmentOf(line: LineOfReturn, region: Region): Treatment {
  const tax = taxOf(line);
  return { ...tax, box: boxOf(tax.side, line.vat_code, region) };
}

/** Whether a line counts in a box. */
export function isIn(box: Box, treatment: Treatment): boolean {
  if (box === '5a') return treatment.box !== undefined;
  return box === '5b' ? treatment.isDeducted : treatment.box === box;
}

function boxOf(side: Side, code: number, region: Region): Box | undefined {
  const { owed } = vatRow(code);
  if (owed.by === 'buyer') return owed[side][region] ?? undefined;
  // Purchases with VAT on their invoice are in 5b only.
  return owed.by === 'margin' || side === 'purchase' ? undefined : (owed.sale ?? undefined);
}

/** The boxes of a code. Sums and the margin are counted apart. */
function boxesOf(code: VatCode): readonly (Box | null)[] {
  const { owed } = vatRow(code);
  if (owed.by === 'margin') return [];
  return owed.by === 'buyer' ? [owed.sale, owed.purchase].flatMap(Object.values<Box | null>) : [owed.sale];
}

const FILLED = new Set<Box | null>(['5a', '5b', ...VAT_CODES.flatMap(boxesOf)]);

/** Private use, other rates and distance sales: no invoice of a garage shows them. */
export const BOXES_BY_HAND: readonly Box[] = BOXES.filter((box) => !FILLED.has(box));

/**
 * The VAT in cents that the garage owes itself over the net of a purchase: of all its lines of one code together.
 * `day`: the day of the rate.
 */
export const chargedVat = (net: bigint, day: string): bigint => vatOf(net, highOn(day));

/**
 * The VAT of the lines of one invoice and VAT code, in cents. An invoice rounds its VAT once for each code, so the VAT
 * of its lines may add up to another amount. The last line takes the difference. If possible it is no trade-in (a
 * purchase) and no deposit (its VAT stands on another invoice).
 */
export function spreadVat(
  lines: readonly { readonly line_kind: number; readonly vat: bigint }[],
  total: bigint,
): bigint[] {
  const vats = lines.map(({ vat }) => vat);
  const rest = vats.reduce((left, vat) => left - vat, total);
  const last = (...without: number[]) => lines.findLastIndex(({ line_kind }) => !without.includes(line_kind));
  const taker = [last(TRADE_IN, DEPOSIT), last(TRADE_IN), last()].find((index) => index >= 0);
  return vats.map((vat, index) => (index === taker ? vat + rest : vat));
}
