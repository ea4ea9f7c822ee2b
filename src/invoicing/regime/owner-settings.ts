// The settings of the VAT return as fields of the garage. A change of them holds from a day on: see
// trade/vat-regime.ts.
import { type Violation, violation } from '../../errors.ts';
import { refuse } from '../../model/bodies/check.ts';
import type { Change } from '../../model/records/record.ts';
import type { OwnerRow } from '../../resources/owner.ts';
import { DEFAULT_TIMEZONE, dayOf } from '../../trade/time/day.ts';
import { formatTimestamp } from '../../trade/time/timestamp.ts';
import { type Given, SETTINGS } from '../../trade/vat-regime.ts';
import { beginsPeriodOf, misplacedRows, noFirstDay, putRegimes, todayIn } from './regime.ts';

type OwnerChange = Change<OwnerRow>;

/** A loss that is brought along needs the day from which it counts. */
export function needsMarginFrom({ next, previous, given }: OwnerChange): Violation | undefined {
  const isSame =
    next.margin_carried_in === previous?.margin_carried_in && next.margin_from === previous?.margin_from;
  if (isSame || next.margin_carried_in === null || next.margin_from !== null) return undefined;
  const isGiven = given('margin_from') !== undefined;
  return violation(isGiven ? 'field_empty' : 'field_required', { field: 'margin_from' });
}

/** Writes the rows of `vatregime` that a change of the garage asks for. Throws Problem. */
export async function keepSettings({ next, previous, given, garage }: OwnerChange): Promise<void> {
  const put: Given = Object.fromEntries(
    SETTINGS.flatMap((setting) => (next[setting] === previous?.[setting] ? [] : [[setting, next[setting]]])),
  );
  const isMoved = next.margin_from !== null && next.margin_from !== previous?.margin_from;
  if (Object.keys(put).length === 0 && !isMoved) return;
  const timezone = next.timezone ?? DEFAULT_TIMEZONE;
  const { before, rows, isKept, write } = await putRegimes(garage, {
    ...{ timezone, given: put, today: todayIn(timezone) },
  });
  refuse(isKept.map((field) => violation('field_empty', { field })));
  refuse(misplacedRows(before, rows));
  if (next.margin_from !== null) {
    const day = dayOf(next.margin_from, timezone);
    const wasPlaced = !isMoved && !beginsPeriodOf(before, day);
    const value = given('margin_from') ?? formatTimestamp(next.margin_from);
    refuse(wasPlaced || beginsPeriodOf(rows, day) ? [] : [noFirstDay('margin_from', value)]);
  }
  await write();
}
