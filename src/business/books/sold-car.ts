// Which vehicles the lines of invoices sell and buy, for the margin over periods.
import { onIndex } from '../../core/model/statements/fragment.ts';
import { orNull, selected, whole } from '../../core/model/statements/selected.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { LEAVING_MARGIN } from '../../core/trade/vat-code.ts';
import { firstUnless } from './fragment.ts';
import { BY_CODE, type LineQuery, linesByCode, whereBought } from './invoice-lines.ts';
import type { Books } from './period.ts';

const { VEHICLE, TRADE_IN } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

/**
 * A line belongs to its own vehicle, or else to the vehicle of its order, or of the invoice that its order credits. A
 * trade-in belongs to its own vehicle only.
 */
export const movedVehicle = () =>
  firstUnless('l.vehicle_id', ['o.vehicle_id', 'c.vehicle_id'], 'l.line_kind', TRADE_IN);

/** The vehicle of a line if the garage buys it by this line; null for a line of a sale. */
export const boughtVehicle = () => whereBought(movedVehicle());

/** The vehicles that were bought under the scheme, up to the end of the books' period. */
export async function readBought(books: Books): Promise<Set<number>> {
  const rows = await selected(linesByCode(books, [MARGIN], true).distinct(), {
    vehicle: orNull(whole(boughtVehicle())),
  });
  return new Set(rows.flatMap(({ vehicle }) => vehicle ?? []));
}

/** The vehicles that may have been sold with VAT. Includes all that were. */
export const readSold = (books: Books): Promise<number[]> =>
  readVehicles(books, LEAVING_MARGIN, (lines) => void lines.from(onIndex(OrderLine.tableName, 'l', BY_CODE)));

/** The vehicles that may have been sold under the scheme with BPM. Includes all that were. */
export const readImported = (books: Books): Promise<number[]> =>
  readVehicles(books, [MARGIN], (lines) => void lines.where('l.bpm_paid', '>', 0));

/**
 * The vehicles of VEHICLE lines with these VAT codes, of any order. Most lines name their vehicle, so an index of lines
 * answers; a line without a vehicle needs its order.
 */
async function readVehicles(
  { garage, period }: Books,
  codes: readonly number[],
  which: (lines: LineQuery) => void,
): Promise<number[]> {
  const named = OrderLine.of(garage, 'l')
    .modify(which)
    .where('l.line_kind', VEHICLE)
    .whereIn('l.vat_code', [...codes])
    .distinct('l.vehicle_id');
  const ids = (await named).map(({ vehicle_id }) => vehicle_id);
  const unnamed = linesByCode({ garage, period }, codes, true)
    .where('l.line_kind', VEHICLE)
    .whereNull('l.vehicle_id');
  const rows = ids.includes(null) ? await selected(unnamed, { vehicle: orNull(whole(movedVehicle())) }) : [];
  return [...ids, ...rows.map(({ vehicle }) => vehicle)].flatMap((id) => id ?? []);
}
