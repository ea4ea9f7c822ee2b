// The settings of the VAT return by the day from which they hold: the length of its periods, and how the margin of used
// goods counts. A change leaves what lies before it alone, so a return that is filed stays as it is.
import { LISTS } from './lists.ts';
import {
  beginsPeriod,
  dayAfter,
  dayBefore,
  firstDay,
  lastDay,
  periodOr,
  type VatPeriod,
  yearOf,
} from './vat-period.ts';

export const SETTINGS = ['vat_period', 'margin_method'] as const;
type Setting = (typeof SETTINGS)[number];
export type Settings = Readonly<Record<Setting, number | null>>;

/** A row of the settings. Null: as in the row before. */
export interface SettingsFrom extends Settings {
  /** `YYYY-MM-DD`. The first row holds from the beginning of time, whatever its day. */
  readonly from: string;
}

/** Days with the same settings. Null: nobody has said the setting yet. */
export interface Regime extends Settings {
  /** The first and the last day. */
  readonly from: string;
  readonly to: string;
}

/** No invoice is older or younger. */
const [FIRST, LAST] = ['0001-01-01', '9999-12-31'];
const NOTHING: Settings = { vat_period: null, margin_method: null };

/** The regimes of all days, the first one first. `rows`: in any order; without rows nobody has said anything. */
export function regimesOf(rows: readonly SettingsFrom[]): Regime[] {
  const sorted = [...rows].sort((one, other) => (one.from < other.from ? -1 : 1));
  let settings = NOTHING;
  return (sorted.length === 0 ? [{ from: FIRST, ...NOTHING }] : sorted).map(({ from, ...row }, index) => {
    settings = merged(settings, row);
    const next = sorted[index + 1];
    return { ...settings, from: index === 0 ? FIRST : from, to: next ? dayBefore(next.from) : LAST };
  });
}

const merged = (before: Settings, row: Settings): Settings => ({
  vat_period: row.vat_period ?? before.vat_period,
  margin_method: row.margin_method ?? before.margin_method,
});

/** The regime of a day. `regimes`: as `regimesOf` gives them. */
export const regimeOn = (regimes: readonly Regime[], day: string): Regime =>
  regimes.find(({ to }) => day <= to) ?? { ...NOTHING, from: FIRST, to: LAST };

/** The settings that were put last. */
export const lastOf = (regimes: readonly Regime[]): Settings => regimes.at(-1) ?? NOTHING;

export const isGlobal = ({ margin_method }: Settings): boolean =>
  margin_method === LISTS.marginmethods.GLOBAL;

/** A period of the VAT return. */
export interface VatSpan {
  readonly from: string;
  readonly to: string;
  readonly regime: Regime;
}

/** The period that holds a day. */
export function spanOn(regimes: readonly Regime[], day: string): VatSpan {
  const regime = regimeOn(regimes, day);
  const period = periodOr(regime.vat_period);
  const [first, last] = [firstDay(day, period), lastDay(day, period)];
  // A regime begins a period. If its day has moved, because the garage has another time zone now, it cuts the period.
  return {
    from: first < regime.from ? regime.from : first,
    to: last > regime.to ? regime.to : last,
    regime,
  };
}

/** The periods of a calendar year, `YYYY`, up to the one that holds `last`. No period passes a New Year. */
export function spansOf(regimes: readonly Regime[], year: string, last: string): VatSpan[] {
  const spans: VatSpan[] = [];
  const until = last < `${year}-12-31` ? last : `${year}-12-31`;
  for (let day = `${year}-01-01`; day <= until && yearOf(day) === year; ) {
    const span = spanOn(regimes, day);
    spans.push({ ...span, from: day });
    if (span.to >= until) break;
    day = dayAfter(span.to);
  }
  return spans;
}

/**
 * The day from which a change holds that somebody makes today: the first one, on or after the beginning of the present
 * period, that begins a period by the old and by the new setting. `opens`: no day before is meant.
 */
export function changesOn(today: string, old: VatPeriod, next: VatPeriod, opens = FIRST): string {
  let day = firstDay(today, old);
  while (!beginsPeriod(day, next) || day < opens) day = dayAfter(lastDay(day, old));
  return day;
}

/** The days of the rows that do not begin a period by the settings before and behind them. */
export const misplacedDays = (rows: readonly SettingsFrom[]): string[] =>
  regimesOf(rows).flatMap(({ from, vat_period }, index, regimes) => {
    const before = regimes[index - 1];
    if (!before) return [];
    const fits = [before.vat_period, vat_period].every((period) => beginsPeriod(from, periodOr(period)));
    return fits ? [] : from;
  });

/** What somebody puts. Null empties a setting. */
export type Given = Readonly<Partial<Record<Setting, number | null>>>;

export interface PutSettings<Row extends SettingsFrom> {
  /** The rows with what was put. A row that is none of the given ones is new. */
  readonly rows: readonly (Row | SettingsFrom)[];
  /** The first day that the change concerns. Undefined: nothing changes. */
  readonly since: string | undefined;
  /** The settings that can't be emptied, because there is an invoice. */
  readonly isKept: readonly Setting[];
}

export interface PutToday {
  readonly today: string;
  readonly hasInvoice: boolean;
  /** The first day that is not closed, if it matters. */
  readonly opens?: string | undefined;
}

/**
 * Puts settings today. Before the first invoice, and where nobody has said the setting yet, they hold from the
 * beginning of time. What later rows say about the same setting goes: the setting that is put last holds. Once there is
 * an invoice, no setting is emptied, because empty means: as before. With `opens`, the first day that is not closed, a
 * change of the rows holds from that day at the earliest.
 */
export function putSettings<Row extends SettingsFrom>(
  rows: readonly Row[],
  given: Given,
  { today, hasInvoice, opens }: PutToday,
): PutSettings<Row> {
  const regimes = regimesOf(rows);
  const last = lastOf(regimes);
  const asked = SETTINGS.filter(
    (setting) => given[setting] !== undefined && given[setting] !== last[setting],
  );
  const isKept = asked.filter((setting) => hasInvoice && given[setting] === null);
  const changed = asked.filter((setting) => !isKept.includes(setting));
  const isNew = (setting: Setting) =>
    rows.length === 0 || (opens === undefined && (!hasInvoice || last[setting] === null));
  const present = regimeOn(regimes, today).vat_period;
  const put = changed.includes('vat_period') ? (given.vat_period ?? null) : present;
  const day = changesOn(today, periodOr(isNew('vat_period') ? put : present), periodOr(put), opens);
  let next: readonly (Row | SettingsFrom)[] = rows.length > 0 ? rows : [{ from: BEGINNING, ...NOTHING }];
  for (const setting of changed)
    next = placed(next, setting, given[setting] ?? null, isNew(setting) ? undefined : day);
  return { rows: next, since: firstOther(regimes, regimesOf(next)), isKept };
}

/** The first day that has other settings. Putting back what holds today changes only the days of later rows. */
const firstOther = (before: readonly Regime[], after: readonly Regime[]): string | undefined =>
  [...before, ...after]
    .map(({ from }) => from)
    .sort()
    .find((day) =>
      SETTINGS.some((setting) => regimeOn(before, day)[setting] !== regimeOn(after, day)[setting]),
    );

/** The day of the first row. */
export const BEGINNING = '1900-01-01';

/** Sets a setting from a day on; without a day, from the beginning of time. Rows that say nothing any more go. */
function placed<Row extends SettingsFrom>(
  rows: readonly Row[],
  setting: Setting,
  value: number | null,
  day: string | undefined,
): (Row | SettingsFrom)[] {
  const [first, ...others] = [...rows].sort((one, other) => (one.from < other.from ? -1 : 1));
  if (!first) return [];
  const isLater = ({ from }: SettingsFrom) => day === undefined || from >= day;
  const emptied = others.flatMap((row) => {
    if (!isLater(row) || row[setting] === null) return row;
    const rest = { ...row, [setting]: null };
    return SETTINGS.every((one) => rest[one] === null) ? [] : rest;
  });
  if (day === undefined) return [{ ...first, [setting]: value }, ...emptied];
  const all: (Row | SettingsFrom)[] = [first, ...emptied];
  if (regimeOn(regimesOf(all), day)[setting] === value) return all;
  const own = emptied.find(({ from }) => from === day) ?? rows.find(({ from }) => from === day);
  const set = { ...(own ?? { from: day, ...NOTHING }), [setting]: value };
  return [...all.filter(({ from }) => from !== day), set];
}
