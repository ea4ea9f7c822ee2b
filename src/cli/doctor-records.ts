// The checks of records by `forecourt doctor`: changes past the log, open amounts that payments don't
// explain, appointments that overlap, references to nothing, and IDs that run out.

import { findWrongAmounts } from '../business/invoicing/payment/amount-open.ts';
import { findAllOverlaps } from '../business/planning/occupied.ts';
import { INT4_MAX } from '../core/model/fields/int4.ts';
import { allResources } from '../core/model/records/registry.ts';
import { planOf } from '../core/model/records/table-plan.ts';
import type { Database } from '../core/model/statements/session.ts';
import { findDangling } from '../core/model/writes/self-reference.ts';
import { countUnfolded } from '../core/model/writes/unfolded.ts';
import { findUnlogged, type Unlogged } from '../platform/changes/unlogged.ts';
import { tablesAbove } from '../platform/database/schema.ts';

/** Wrong records that are named; the others are only counted. */
const MOST_NAMED = 5;

/** Undefined if the log has the last change of every record. */
export async function logProblem(database: Database): Promise<string | undefined> {
  const named: string[] = [];
  let count = 0;
  await database.snapshot(async (session) => {
    for await (const { resource, owner, id, fault } of findUnlogged(session)) {
      count += 1;
      if (count <= MOST_NAMED) named.push(`${resource} ${id} of owner ${owner} ${FAULTS[fault]}`);
    }
  });
  if (count === 0) return undefined;
  return `lacks changes of ${count} records, made by SQL? Copies of them are out of date: ${listed(named, count)}`;
}

const FAULTS: Readonly<Record<Unlogged['fault'], string>> = {
  changed: 'has another version',
  missing: 'is gone',
  back: 'is back',
  unlogged: 'was never logged',
};

/** Undefined if the open amount of each invoice is its total less its payments. */
export async function amountProblem(database: Database): Promise<string | undefined> {
  const wrong = await findWrongAmounts(database, MOST_NAMED);
  if (wrong.length === 0) return undefined;
  const named = wrong.map(({ owner, id }) => `order ${id} of owner ${owner}`);
  return `don't agree with amount_open, changed by SQL? The first invoices: ${named.join(', ')}`;
}

/** Undefined if nobody is booked twice. */
export async function bookingProblem(database: Database): Promise<string | undefined> {
  const named: string[] = [];
  await database.snapshot(async (session) => {
    for await (const { resource, owner, id } of findAllOverlaps(session)) {
      named.push(`appointment ${id} of owner ${owner} (its ${resource})`);
      if (named.length === MOST_NAMED) break;
    }
  });
  if (named.length === 0) return undefined;
  return `book somebody twice, changed by SQL? The first that begin too early: ${named.join(', ')}`;
}

/** Undefined if every record that a record of its own resource refers to is there. */
export async function danglingProblem(database: Database): Promise<string | undefined> {
  const named: string[] = [];
  for await (const { resource, owner, id, field } of findDangling(database))
    named.push(`${field} of ${resource} ${id} of owner ${owner}`);
  if (named.length === 0) return undefined;
  return `refer to records that are not there, changed by SQL? ${listed(named, named.length)}`;
}

/** Undefined if a search looks into the texts of all records. */
export async function textProblem(database: Database): Promise<string | undefined> {
  const count = await countUnfolded(database);
  if (count === 0) return undefined;
  return `lack the texts of ${count} records, written by an older release or by SQL: a service folds them within ten minutes, or forecourt migrate`;
}

/** Undefined if each table has at least half of its IDs left. */
export async function idProblem(database: Database): Promise<string | undefined> {
  const names = allResources().map((resource) => planOf(resource).name);
  const tables = await tablesAbove(database, names, INT4_MAX / 2);
  if (tables.length === 0) return undefined;
  return `are more than half used up in ${tables.join(', ')}: see "Troubleshooting" in docs/operations.md`;
}

function listed(named: readonly string[], count: number): string {
  const more = count > MOST_NAMED ? `; ${count - MOST_NAMED} more` : '';
  return named.slice(0, MOST_NAMED).join(', ') + more;
}
