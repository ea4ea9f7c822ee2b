// A period of the books: whole days on the calendar of the garage.
import { DEFAULT_TIMEZONE } from '../invoicing/invoice.ts';
import type { Session } from '../model/session.ts';
import { Owner } from '../resources/owner.ts';
import { dayOf, endOf, startOf } from '../trade/day.ts';
import { databaseNow } from '../trade/timestamp.ts';

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

/** The fields of the garage that the books use. */
type Garage = Pick<Owner, 'id' | 'timezone' | 'margin_method' | 'vat_period'>;

export interface Period extends Days {
  readonly timezone: string;
  /** The first and the last instant, in the form of the database. */
  readonly first: string;
  readonly last: string;
}

/** The owner and the period of the books, and the session that reads them. */
export interface Books {
  readonly session: Session;
  readonly owner: number;
  readonly garage: Garage;
  readonly period: Period;
}

/** Opens the books of some days; without `days`, of today. */
export async function openBooks(session: Session, owner: number, days?: Days): Promise<Books> {
  const garage = await Owner.of(session, owner)
    .select('id', 'timezone', 'margin_method', 'vat_period')
    .first()
    .throwIfNotFound();
  const today = dayOf(databaseNow(), timezoneOf(garage));
  return { session, owner, garage, period: periodOf(days ?? { from: today, to: today }, garage) };
}

/** The timezone is the default one if there is no garage. */
export function periodOf({ from, to }: Days, garage?: Pick<Garage, 'timezone'>): Period {
  const timezone = timezoneOf(garage);
  return { from, to, timezone, first: startOf(from, timezone), last: endOf(to, timezone) };
}

const timezoneOf = (garage?: Pick<Garage, 'timezone'>): string => garage?.timezone ?? DEFAULT_TIMEZONE;
