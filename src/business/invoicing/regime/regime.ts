// The settings of the VAT return of a garage: its rows of `vatregime` as days on its calendar. The fields of the garage
// show the settings that were put last. A process of the release before changes these fields without a row: the change
// is completed before the books are read.
import { about, type Violation, violation } from '../../../core/errors.ts';
import { lockRecord } from '../../../core/model/lists/find.ts';
import { nextNumber } from '../../../core/model/records/counter.ts';
import { type Garage, garageOf } from '../../../core/model/statements/garage.ts';
import type { Database } from '../../../core/model/statements/session.ts';
import { changeRow, deleteRows, insertRow } from '../../../core/model/writes/write.ts';
import { Order } from '../../../core/resources/order.ts';
import { Owner, type OwnerRow } from '../../../core/resources/owner.ts';
import { VatRegime, type VatRegimeRow } from '../../../core/resources/vat-regime.ts';
import { dayOf, instantIn, timezoneOf } from '../../../core/trade/time/day.ts';
import { formatTimestamp } from '../../../core/trade/time/timestamp.ts';
import { beginsPeriod, periodOr } from '../../../core/trade/vat-period.ts';
import {
  BEGINNING,
  type Given,
  lastOf,
  misplacedDays,
  type PutSettings,
  putSettings,
  type Regime,
  regimeOn,
  regimesOf,
  SETTINGS,
  type Settings,
  type SettingsFrom,
} from '../../../core/trade/vat-regime.ts';
import { claimBooks } from '../closed-period.ts';

/** Its row is written under the lock, because a Galera cluster compares written rows only. */
const COUNTER = 'vatregimes';
const FIRST_DAY = 'first day of a period';

/** A row of the settings with its record. A row without a record is new. */
export interface RegimeRow extends SettingsFrom {
  readonly record?: VatRegimeRow;
}

type Company = Pick<OwnerRow, 'timezone' | 'vat_period' | 'margin_method'>;
const COMPANY = ['id', 'timezone', ...SETTINGS] as const;

const settingsOf = ({ vat_period, margin_method }: Settings): Settings => ({ vat_period, margin_method });

/** The regimes of a garage. A garage without rows has one, of its own fields. */
export async function readRegimes(garage: Garage, company: Company): Promise<Regime[]> {
  const rows = await VatRegime.of(garage).select('valid_from', ...SETTINGS);
  const timezone = timezoneOf(company);
  return regimesOf(
    rows.length === 0
      ? [{ from: BEGINNING, ...settingsOf(company) }]
      : rows.map((row) => ({ from: dayOf(row.valid_from, timezone), ...settingsOf(row) })),
  );
}

/** The rows of a garage, the first one first, while no other request changes them. */
export async function lockRegimes(garage: Garage, timezone: string): Promise<Required<RegimeRow>[]> {
  await nextNumber(garage, COUNTER);
  const records = await VatRegime.of(garage).orderBy('valid_from');
  return records.map((record) => ({
    from: dayOf(record.valid_from, timezone),
    ...settingsOf(record),
    record,
  }));
}

interface Put extends PutSettings<RegimeRow> {
  readonly before: readonly RegimeRow[];
  readonly rows: readonly RegimeRow[];
  /** Writes the rows that differ. */
  write(): Promise<void>;
}

interface Putting {
  readonly timezone: string;
  readonly given: Given;
  readonly today: string;
  /** The first day that is not closed. With it, a change of the rows holds from that day at the earliest. */
  readonly opens?: string | undefined;
}

/** What becomes of the rows if somebody puts these settings on a day. Locks the rows. */
export async function putRegimes(garage: Garage, { timezone, given, today, opens }: Putting): Promise<Put> {
  const before = await lockRegimes(garage, timezone);
  const invoice = await Order.of(garage).select('id').where('is_invoiced', 1).limit(1);
  const put = putSettings<RegimeRow>(before, given, {
    ...{ today, opens, hasInvoice: invoice.length > 0 },
  });
  const rows: readonly RegimeRow[] = put.rows;
  return {
    ...put,
    before,
    rows,
    write: async () => {
      const kept = new Set(rows.map(({ record }) => record?.id));
      const gone = before.flatMap(({ record }) => (kept.has(record.id) ? [] : record));
      await deleteRows(garage, VatRegime.resource, gone);
      for (const row of rows) await writeRow(garage, timezone, row);
    },
  };
}

async function writeRow(
  garage: Garage,
  timezone: string,
  { record, from, ...settings }: RegimeRow,
): Promise<void> {
  const own = settingsOf(settings);
  if (!record) {
    const row = { valid_from: instantIn(from, timezone), ...own };
    await insertRow(garage, VatRegime.resource, row);
  } else if (SETTINGS.some((setting) => record[setting] !== own[setting]))
    await changeRow(garage, VatRegime.resource, { previous: record, next: { ...record, ...own } });
}

/** The rows that a change has moved off the first day of a period, each with its record. */
export function misplacedRows(before: readonly RegimeRow[], after: readonly RegimeRow[]): Violation[] {
  const known = new Set(misplacedDays(before));
  return misplacedDays(after)
    .filter((day) => !known.has(day))
    .flatMap((day) => {
      const record = after.find(({ from }) => from === day)?.record;
      if (!record) return [];
      return about('vatregime', record.id, [noFirstDay('valid_from', formatTimestamp(record.valid_from))]);
    });
}

/** Whether a day no longer begins a period. `before` is undefined if the day is chosen anew, or a row moves. */
export const isMisplaced = (
  day: string,
  before: readonly RegimeRow[] | undefined,
  after: readonly RegimeRow[],
): boolean => (before === undefined || beginsPeriodOf(before, day)) && !beginsPeriodOf(after, day);

/** Why the first day of the margins is misplaced. The rows are locked, so no request moves this day meanwhile. */
export async function misplacedMargins(
  garage: Garage,
  before: readonly RegimeRow[] | undefined,
  after: readonly RegimeRow[],
): Promise<Violation[]> {
  const company = await Owner.of(garage).select('timezone', 'margin_from').first();
  if (!company?.margin_from) return [];
  const day = dayOf(company.margin_from, timezoneOf(company));
  if (!isMisplaced(day, before, after)) return [];
  return about('owner', garage.owner, [noFirstDay('margin_from', formatTimestamp(company.margin_from))]);
}

export const noFirstDay = (field: string, value: unknown): Violation =>
  violation('value_invalid', { field, value, validation: FIRST_DAY });

/** Whether a day begins a period of the garage. */
const beginsPeriodOf = (rows: readonly RegimeRow[], day: string): boolean =>
  beginsPeriod(day, periodOr(regimeOn(regimesOf(rows), day).vat_period));

/** Lets the fields of the garage show the settings that were put last, after its rows have changed. */
export async function showLast(garage: Garage, rows: readonly RegimeRow[]): Promise<void> {
  const company = await lockRecord(garage, Owner.resource, garage.owner);
  const last = lastOf(regimesOf(rows));
  if (!company || SETTINGS.every((setting) => company[setting] === last[setting])) return;
  await changeRow(garage, Owner.resource, { previous: company, next: { ...company, ...last } });
}

/** Whether the rows lack what the fields of the garage say. An empty field says nothing. */
const isIncomplete = (rows: readonly SettingsFrom[], company: Company): boolean => {
  const last = lastOf(regimesOf(rows));
  return (
    rows.length === 0 ||
    SETTINGS.some((setting) => company[setting] !== null && company[setting] !== last[setting])
  );
};

/**
 * Gives a garage its first row, and a row for a change that has none, within the caller's transaction. The release that
 * makes such a change knows no close, so the change holds from the first open period on.
 */
export async function completeRegimes(garage: Garage): Promise<void> {
  const company = await Owner.of(garage)
    .select(...COMPANY, 'modified_at')
    .first()
    .forUpdate();
  if (!company) return;
  const timezone = timezoneOf(company);
  // The release before has changed the fields on the day on which the garage was changed last.
  const { vat_period, margin_method, modified_at } = company;
  const given = { vat_period: vat_period ?? undefined, margin_method: margin_method ?? undefined };
  const { opens } = await claimBooks(garage, garage.owner);
  const { before, write } = await putRegimes(garage, {
    ...{ timezone, given, today: dayOf(modified_at, timezone) },
    opens: opens && dayOf(opens, timezone),
  });
  if (isIncomplete(before, company)) await write();
}

/** Completes the rows of an owner. If nothing lacks, these are two short queries. */
export async function completeRegimesOf(database: Database, owner: number): Promise<void> {
  const garage = garageOf(database, owner);
  const company = await Owner.of(garage)
    .select(...COMPANY)
    .first();
  const rows = await VatRegime.of(garage).select('valid_from', ...SETTINGS);
  if (!company) return;
  const from = (at: string) => dayOf(at, timezoneOf(company));
  const days = rows.map((row) => ({ from: from(row.valid_from), ...settingsOf(row) }));
  if (isIncomplete(days, company))
    await database.transaction((session) => completeRegimes(garageOf(session, owner)));
}

/** Completes the rows of all garages that have none. Runs at start and at each tidying. */
export async function completeAllRegimes(database: Database): Promise<void> {
  const rows = VatRegime.ofAllOwners('part').select('id').whereColumn('vatregimes.owner_id', 'owners.id');
  const owners = await Owner.ofAllOwners('upgrade', database).select('id').whereNotExists(rows);
  for (const { id } of owners) await completeRegimesOf(database, id);
}
