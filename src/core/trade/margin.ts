// The VAT within the margin of used goods (article 28 of the Dutch VAT act, "margeregeling"). It is judged for each
// vehicle over all its lines, so that a discount lowers the margin. Only the books of the dealer show it.
import { grouped } from './grouped.ts';
import { kindRow } from './kinds/line-kind.ts';
import { LISTS } from './lists.ts';
import { cents, euros, TO_CENTS, vatWithin } from './totals.ts';
import { highOn } from './vat-code.ts';
import { PLACES, wholeOf } from './whole.ts';

const { VEHICLE } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

/** The columns that decide about the margin. Decimals are strings, as the database returns them. */
export interface MarginLine {
  readonly line_kind: number;
  readonly vat_code: number;
  readonly vehicle_id: number | null;
  readonly quantity: string;
  /** For one piece; null is 0. */
  readonly purchase_price: string | null;
  readonly line_net: string;
}

/**
 * The `margin_vat` of each line of an order, in the order of the lines: null if a line is not under the margin scheme.
 * Lines with the same vehicle count together, and the VAT stands on their VEHICLE line. `vehicle`: the vehicle of
 * lines that name none. `day`: the day of the rate. The margin of a credit note mirrors the sale; other margins are
 * never below 0.
 */
export function marginVats(
  lines: readonly MarginLine[],
  { vehicle, isCredit, day }: { vehicle: number | null; isCredit: boolean; day: string },
): (string | null)[] {
  const vats: (string | null)[] = lines.map(({ vat_code }) => (vat_code === MARGIN ? '0.00' : null));
  for (const group of groupsOf(lines, vehicle)) {
    const shown = group.find((index) => lines[index]?.line_kind === VEHICLE) ?? group[0];
    const margin = group.reduce((sum, index) => sum + marginOf(lines[index] as MarginLine), 0n);
    if (shown !== undefined)
      vats[shown] = euros(isCredit ? -vatOfMargin(-margin, day) : vatOfMargin(margin, day));
  }
  return vats;
}

/** The indexes of the lines that are judged together. */
function groupsOf(lines: readonly MarginLine[], vehicle: number | null): number[][] {
  const counted = lines.flatMap(({ vat_code, line_kind, vehicle_id }, index) =>
    vat_code !== MARGIN || !kindRow(line_kind).isPrice ? [] : { index, of: vehicle_id ?? vehicle },
  );
  const groups = grouped(counted, ({ index, of }) => (of === null ? `line ${index}` : `vehicle ${of}`));
  return [...groups.values()].map((group) => group.map(({ index }) => index));
}

/** In cents, times TO_CENTS: a purchase price has four places. */
const marginOf = ({ line_net, quantity, purchase_price }: MarginLine): bigint =>
  cents(line_net) * TO_CENTS - wholeOf(quantity, PLACES) * wholeOf(purchase_price ?? '0', PLACES);

const vatOfMargin = (margin: bigint, day: string): bigint =>
  margin > 0n ? vatWithin(margin, highOn(day), TO_CENTS) : 0n;
