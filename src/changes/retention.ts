// Removes old changes: the feed shows the changes of CHANGES_DAYS, the log has the changes of AUDIT_DAYS. Both work in
// small portions, since the first tidying may find the changes of years.

import { LoggedChange } from '../model/change-log.ts';
import { Counter } from '../model/counter.ts';
import { numberAfter } from '../model/fragment.ts';
import { type Garage, garageOf } from '../model/garage.ts';
import { isConflict, retried } from '../model/retried.ts';
import type { Database, Session } from '../model/session.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { COUNTER, GONE, ownersWithUnplaced, placeChanges } from './place.ts';

const PORTION = 1_000;
const DAY_MS = 24 * 3600 * 1000;

/** Empties the outbox, also if nobody reads a feed. Entries that are left after this time wait for the next call. */
export async function placeAllOwners(database: Database, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  for (const owner of await ownersWithUnplaced(database)) {
    try {
      await placeChanges(database, owner, { milliseconds: end - performance.now() });
    } catch (error) {
      // Another node of a cluster gives the places of this owner.
      if (!isConflict(error)) throw error;
    }
  }
}

/**
 * Notes the place where each owner's feed now begins, so that a reader need not look for it. Returns the number of
 * removed changes.
 */
export async function closeFeeds(session: Session, days: number): Promise<number> {
  const from = daysAgo(days);
  let left = 0;
  for (const { owner, gone } of await feedsToClose(session, from)) {
    const last = await lastBefore(garageOf(session, owner), gone, from);
    if (last === gone) continue;
    await retried(() =>
      Counter.query(session.knex)
        .insert({ owner_id: owner, name: GONE, value: last })
        .onConflict(['owner_id', 'name'])
        .merge({ value: last }),
    );
    left += last - gone;
  }
  return left;
}

/** The feeds whose first change is older than `from`, or is missing in the log. One statement for all owners. */
async function feedsToClose({ knex }: Session, from: string): Promise<{ owner: number; gone: number }[]> {
  // Found by its key: in their order, the server would pass all changes that have left the feed.
  const first = LoggedChange.query()
    .select('at')
    .whereColumn('owner_id', 'last.owner_id')
    .where('seq', numberAfter('gone.value'));
  const owners = await Counter.query(knex)
    .alias('last')
    .select('last.owner_id', 'last.value', 'gone.value as gone', first.as('first_at'))
    .leftJoin('counters as gone', (join) =>
      join.on('gone.owner_id', 'last.owner_id').andOnVal('gone.name', GONE),
    )
    .where('last.name', COUNTER)
    .having('first_at', '<', from)
    .orHavingNull('first_at')
    .castTo<{ owner_id: number; value: number; gone: number | null }[]>();
  return owners
    .map(({ owner_id, value, gone }) => ({ owner: owner_id, last: Number(value), gone: Number(gone ?? 0) }))
    .filter(({ last, gone }) => last > gone);
}

/** The place before the first change that is not older than `from`. */
async function lastBefore({ knex, owner }: Garage, gone: number, from: string): Promise<number> {
  let last = gone;
  for (;;) {
    const rows = await LoggedChange.query(knex)
      .select('seq', 'at')
      .where('owner_id', owner)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PORTION);
    const young = rows.findIndex(({ at }) => at >= from);
    const old = young === -1 ? rows : rows.slice(0, young);
    last = old.at(-1)?.seq ?? last;
    if (old.length < PORTION) return last;
  }
}

/** Removes the changes of that many days ago from the log, the oldest of each owner first. Returns how many. */
export async function removeChanges(session: Session, days: number): Promise<number> {
  const from = daysAgo(days);
  let removed = 0;
  for (const owner of await ownersWithOld(session, from))
    removed += await removeBefore(garageOf(session, owner), from);
  return removed;
}

/** The owners whose oldest change in the log is older than `from`. One statement for all owners. */
async function ownersWithOld({ knex }: Session, from: string): Promise<number[]> {
  // The first entry of an index for each owner: grouped by owner, MariaDB would read the whole log, and MySQL sorts the
  // changes of an owner unless the order names all columns.
  const first = LoggedChange.query()
    .select('at')
    .whereColumn('owner_id', 'last.owner_id')
    .orderBy(['owner_id', 'at', 'seq'])
    .limit(1);
  const owners = await Counter.query(knex)
    .alias('last')
    .select('last.owner_id', first.as('first_at'))
    .where('last.name', COUNTER)
    .having('first_at', '<', from);
  return owners.map(({ owner_id }) => owner_id);
}

/** Answers how many. */
async function removeBefore({ knex, owner }: Garage, from: string): Promise<number> {
  const log = () => LoggedChange.query(knex).where('owner_id', owner);
  let removed = 0;
  for (;;) {
    // Places are nearly in the order of times.
    const oldest = await log().select('seq', 'at').orderBy('seq').limit(PORTION);
    const places = oldest.filter(({ at }) => at < from).map(({ seq }) => seq);
    if (places.length === 0) return removed;
    removed += await retried(() => log().delete().whereIn('seq', places));
  }
}

const daysAgo = (days: number) => databaseTime(new Date(Date.now() - days * DAY_MS));
