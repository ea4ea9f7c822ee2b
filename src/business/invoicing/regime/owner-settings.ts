// The settings of the VAT return as fields of the garage. A change of them holds from a day on: see
// core/trade/vat-regime.ts. No change concerns a closed day.
import { type Violation, violation } from '../../../core/errors.ts';
import { refuse } from '../../../core/model/bodies/check.ts';
import type { Change } from '../../../core/model/records/record.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import type { OwnerRow } from '../../../core/resources/owner.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { dayOf, endOf, instantIn, startOf, timezoneOf, todayIn } from '../../../core/trade/time/day.ts';
import { formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { BEGINNING, type Given, isGlobal, SETTINGS } from '../../../core/trade/vat-regime.ts';
import { CLOSED, claimBooks, onClosedDay } from '../closed-period.ts';
import { isMisplaced, misplacedRows, noFirstDay, putRegimes, readRegimes } from './regime.ts';

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
  const timezone = timezoneOf(next);
  const { before, rows, since, isKept, write } = await putRegimes(garage, {
    ...{ timezone, given: put, today: todayIn(timezone) },
  });
  refuse(isKept.map((field) => violation('field_empty', { field })));
  refuse(misplacedRows(before, rows));
  if (next.margin_from !== null) {
    const day = dayOf(next.margin_from, timezone);
    const value = given('margin_from') ?? formatTimestamp(next.margin_from);
    refuse(isMisplaced(day, isMoved ? undefined : before, rows) ? [noFirstDay('margin_from', value)] : []);
  }
  const begins = since === undefined ? [] : [instantIn(notBefore(since), timezone)];
  refuse([(await onClosedDay(garage, garage.owner, begins)) ?? []].flat());
  await write();
}

/** A day that is no older than the first row of the settings. */
const notBefore = (day: string): string => (day < BEGINNING ? BEGINNING : day);

/**
 * The first margins of a closed period would be others. Without its day, margins count from the beginning of time. So
 * once days are closed, the first `margin_from` is refused, and its removal.
 */
export async function keepsClosedMargins({ next, previous, garage }: OwnerChange) {
  const isSame =
    !previous ||
    (next.margin_carried_in === previous.margin_carried_in && next.margin_from === previous.margin_from);
  if (isSame) return undefined;
  const beginning = instantIn(BEGINNING, timezoneOf(previous));
  const days = [previous.margin_from ?? beginning, next.margin_from ?? beginning];
  return onClosedDay(garage, garage.owner, days);
}

/** The journal posts the VAT of margins over periods only if the garage has an account for it. */
export async function keepsClosedEntries({ next, previous, garage }: OwnerChange) {
  const hasAccount = ({ margin_turnover_account: account }: OwnerRow) => (account ?? '').trim() !== '';
  if (!previous || hasAccount(previous) === hasAccount(next)) return undefined;
  const { opens } = await claimBooks(garage, garage.owner);
  if (opens === undefined) return undefined;
  const timezone = timezoneOf(previous);
  for (const { from, to } of (await readRegimes(garage, previous)).filter(isGlobal)) {
    const line = await OrderLine.of(garage, 'l')
      .select('l.id')
      .join('orders as o', (join) => join.on('o.owner_id', 'l.owner_id').on('o.id', 'l.order_id'))
      .where('l.vat_code', LISTS.vatcodes.MARGIN)
      .where('o.is_invoiced', 1)
      .where('o.book_date', '>=', startOf(notBefore(from), timezone))
      .where('o.book_date', '<=', endOf(to, timezone))
      .where('o.book_date', '<', opens)
      .first();
    if (line) return CLOSED;
  }
  return undefined;
}
