// The rows of the settings of the VAT return: one a day, each on the first day of a period. A garage keeps its first
// row, which holds from the beginning of time. No row of a closed day changes.
import { type Violation, violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { VatRegime, type VatRegimeChange, type VatRegimeRow } from '../../core/resources/vat-regime.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { SETTINGS } from '../../core/trade/vat-regime.ts';
import { CLOSED, onClosedDay } from '../invoicing/closed-period.ts';
import {
  completeRegimes,
  lockRegimes,
  misplacedMargins,
  misplacedRows,
  noFirstDay,
  type RegimeRow,
  showLast,
} from '../invoicing/regime/regime.ts';
import { readTimezone } from '../invoicing/timezone.ts';

/** Enough for a change in each year that a garage may have an invoice of. */
const MOST_ROWS = 200;
const FIRST = violation('record_frozen', { resource: 'vatregime', state: 'first' });

rulesOf(VatRegime, {
  lateRules: [fits],
  keeps: isKept,
  refuses: {
    write: [noFirstDay('valid_from', '2026-02-01'), noFirstDay('margin_from', '2026-02-02'), CLOSED],
    add: [violation('too_many_vatregimes')],
    change: [violation('field_fixed', { field: 'valid_from' })],
    delete: [FIRST, noFirstDay('valid_from', '2026-02-01'), noFirstDay('margin_from', '2026-02-02'), CLOSED],
  },
  after: ({ garage }) => show(garage),
  afterDelete: ({ garage }) => show(garage),
  afterRestore: completeRegimes,
});

const readRows = async (garage: Garage): Promise<Required<RegimeRow>[]> =>
  lockRegimes(garage, await readTimezone(garage));

const show = async (garage: Garage): Promise<void> => showLast(garage, await readRows(garage));

/** The rows as they were before a row was written. */
const withoutChange = (
  rows: readonly Required<RegimeRow>[],
  { previous, next }: VatRegimeChange,
): RegimeRow[] =>
  rows.flatMap((row) => {
    if (row.record.id !== next.id) return row;
    return previous ? { ...row, vat_period: previous.vat_period, margin_method: previous.margin_method } : [];
  });

/** Judges the rows as they are after the change. */
async function fits(change: VatRegimeChange): Promise<Violation | Violation[] | undefined> {
  const { next, previous, given, garage } = change;
  const rows = await readRows(garage);
  const [first] = rows;
  const own = rows.find(({ record }) => record.id === next.id);
  if (!own || !first) return undefined;
  if (!previous && rows.length > MOST_ROWS) return violation('too_many_vatregimes');
  const isMoved = previous?.valid_from !== next.valid_from;
  const value = given('valid_from') ?? formatTimestamp(next.valid_from);
  const wasFirst =
    previous && rows.every(({ record }) => record.id === next.id || record.valid_from > previous.valid_from);
  if (isMoved && wasFirst) return violation('field_fixed', { field: 'valid_from' });
  if (isMoved && own === first) return noFirstDay('valid_from', value);
  const twin = rows.find((row) => row !== own && row.from === own.from);
  if (isMoved && twin)
    return {
      ...violation(previous ? 'value_duplicate_on_put' : 'value_duplicate', { field: 'valid_from', value }),
      ...{ resource: 'vatregime', id: twin.record.id },
    };
  const before = isMoved ? rows.filter((row) => row !== own) : withoutChange(rows, change);
  const found = misplacedRows(before, rows);
  if (found.length > 0)
    return found.map(({ id, ...one }) => (id === next.id ? noFirstDay('valid_from', value) : { ...one, id }));
  const margins = await misplacedMargins(garage, previous && isMoved ? undefined : before, rows);
  if (margins.length > 0) return margins;
  const isSame = !isMoved && SETTINGS.every((setting) => previous?.[setting] === next[setting]);
  return isSame ? undefined : onClosedDay(garage, garage.owner, [previous?.valid_from, next.valid_from]);
}

async function isKept(row: VatRegimeRow, garage: Garage): Promise<Violation | Violation[] | undefined> {
  const rows = await readRows(garage);
  if (rows[0]?.record.id === row.id) return FIRST;
  const others = rows.filter(({ record }) => record.id !== row.id);
  const found = [...misplacedRows(rows, others), ...(await misplacedMargins(garage, rows, others))];
  return found.length > 0 ? found : onClosedDay(garage, garage.owner, [row.valid_from]);
}
