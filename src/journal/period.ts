// The period of a journal: whole days on the calendar of the garage.

import { DEFAULT_TIMEZONE } from '../invoicing/invoice.ts';
import type { Session } from '../model/session.ts';
import { Owner } from '../resources/owner.ts';
import { endOf, startOf } from '../trade/day.ts';

/** Days as `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface Period {
  readonly timezone: string;
  /** The first and the last instant, in the form of the database. */
  readonly first: string;
  readonly last: string;
}

export async function readPeriod({ knex }: Session, owner: number, { from, to }: Days): Promise<Period> {
  const row = await Owner.of({ knex }, owner).select('timezone').first();
  const timezone = String(row?.timezone ?? DEFAULT_TIMEZONE);
  return { timezone, first: startOf(from, timezone), last: endOf(to, timezone) };
}
