// A period of the books: whole days on the calendar of the garage.

import type { Garage } from '../../core/model/statements/garage.ts';
import { Owner } from '../../core/resources/owner.ts';
import { dayOf, endOf, startOf, timezoneOf, todayIn } from '../../core/trade/time/day.ts';
import { isGlobal, type Regime, regimeOn } from '../../core/trade/vat-regime.ts';
import { readRegimes } from '../invoicing/regime/regime.ts';

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The fields of the garage that the books use. Its settings hold for days: see `regimes`. */
type Company = Pick<Owner, 'id' | 'timezone' | 'margin_carried_in' | 'margin_from'>;

export interface Period extends Days {
  readonly timezone: string;
  /** The first and the last instant, in the form of the database. */
  readonly first: string;
  readonly last: string;
}

/** The owner and the period of the books, and the session that reads them. */
export interface Books {
  readonly garage: Garage;

  readonly company: Company;
  /** The settings of the VAT return by day. */
  readonly regimes: readonly Regime[];
  readonly period: Period;
}

/** Opens the books of some days; without `days`, of today. */
export async function openBooks(garage: Garage, days?: Days): Promise<Books> {
  const company = await Owner.of(garage)
    .select('id', 'timezone', 'margin_method', 'vat_period', 'margin_carried_in', 'margin_from')
    .first()
    .throwIfNotFound();
  const today = todayIn(timezoneOf(company));
  const regimes = await readRegimes(garage, company);
  return { garage, company, regimes, period: periodOf(days ?? { from: today, to: today }, company) };
}

/** The regimes of some days, cut to these days: of the days of the period, if no others are given. */
export const regimesIn = (
  { regimes, period }: Pick<Books, 'regimes' | 'period'>,
  { from, to }: Days = period,
): Regime[] =>
  regimes
    .filter((regime) => regime.from <= to && regime.to >= from)
    .map((regime) => ({
      ...regime,
      from: regime.from < from ? from : regime.from,
      to: regime.to > to ? to : regime.to,
    }));

/** Whether margins count together (GLOBAL) on the day of an instant in the form of the database. */
export const isTogetherAt = (
  { regimes, period: { timezone } }: Pick<Books, 'regimes' | 'period'>,
  at: string,
): boolean => isGlobal(regimeOn(regimes, dayOf(at, timezone)));

/** The timezone is the default one if there is no garage. */
export function periodOf({ from, to }: Days, company?: Pick<Company, 'timezone'>): Period {
  const timezone = timezoneOf(company);
  return { from, to, timezone, first: startOf(from, timezone), last: endOf(to, timezone) };
}
