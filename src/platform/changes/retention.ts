// Removes old changes: the feed shows the changes of CHANGES_DAYS, the log has the changes of AUDIT_DAYS. Both work in
// small portions, since the first tidying may find the changes of years. Changes that were made while the clock was
// wrong neither hide others nor go before the changes around them.

import { Counter } from '../../core/model/records/counter.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { isConflict, retried } from '../../core/model/statements/retried.ts';
import { columns, orNull, selected, text, whole } from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { LoggedChange } from '../../core/model/writes/change-log.ts';
import { CLOCKS_APART_MS, databaseTime, daysBefore } from '../../core/trade/time/timestamp.ts';
import { numberAfter } from './fragment.ts';
import { COUNTER, GONE, ownersWithUnplaced, placeChanges, placesOf } from './place.ts';

const PORTION = 1_000;

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
export async function closeFeeds(session: Session, now: Date, days: number): Promise<number> {
  const kept = keptTimes(now, days);
  let left = 0;
  for (const { owner, gone } of await feedsToClose(session, kept)) {
    const last = await lastBefore(garageOf(session, owner), gone, kept);
    if (last === gone) continue;
    await retried(() =>
      Counter.ofAllOwners('insert', session)
        .insert({ owner_id: owner, name: GONE, value: last })
        .onConflict(['owner_id', 'name'])
        .merge({ value: last }),
    );
    left += last - gone;
  }
  return left;
}

/** The times of changes that stay. A later time was set by a clock that ran ahead. */
interface Kept {
  readonly from: string;
  readonly latest: string;
}

const keptTimes = (now: Date, days: number): Kept => ({
  from: daysBefore(now, days),
  latest: databaseTime(new Date(now.getTime() + CLOCKS_APART_MS)),
});

const stays = ({ at }: { readonly at: string }, { from, latest }: Kept) => at >= from && at <= latest;

/** The feeds whose first change does not stay, or is missing in the log. One statement for all owners. */
async function feedsToClose(
  { knex }: Session,
  { from, latest }: Kept,
): Promise<{ owner: number; gone: number }[]> {
  // Found by its key: in their order, the server would pass all changes that have left the feed.
  const first = LoggedChange.ofAllOwners('part')
    .select('at')
    .whereColumn('owner_id', 'last.owner_id')
    .where('seq', numberAfter('gone.value'));
  const feeds = Counter.ofAllOwners('tidying', { knex })
    .alias('last')
    .leftJoin('counters as gone', (join) =>
      join.on('gone.owner_id', 'last.owner_id').andOnVal('gone.name', GONE),
    )
    .where('last.name', COUNTER)
    .having('first_at', '<', from)
    .orHaving('first_at', '>', latest)
    .orHavingNull('first_at');
  const owners = await selected(feeds, {
    ...columns(Counter, 'last', 'owner_id', 'value'),
    gone: orNull(whole('gone.value')),
    first_at: orNull(text(first)),
  });
  return owners
    .map(({ owner_id, value, gone }) => ({ owner: owner_id, last: Number(value), gone: Number(gone ?? 0) }))
    .filter(({ last, gone }) => last > gone);
}

/** The place of the last old change before the first one that stays. */
async function lastBefore(garage: Garage, gone: number, kept: Kept): Promise<number> {
  let last = gone;
  for (let behind = gone; ; ) {
    const rows = await LoggedChange.of(garage)
      .select('seq', 'at')
      .where('seq', '>', behind)
      .orderBy('seq')
      .limit(PORTION);
    const first = rows.findIndex((row) => stays(row, kept));
    const before = first === -1 ? rows : rows.slice(0, first);
    last = before.findLast(({ at }) => at < kept.from)?.seq ?? last;
    if (before.length < PORTION) return last;
    behind = before.at(-1)?.seq ?? behind;
  }
}

/** Removes the changes of that many days ago from the log, the oldest of each owner first. Returns how many. */
export async function removeChanges(session: Session, now: Date, days: number): Promise<number> {
  const kept = keptTimes(now, days);
  let removed = 0;
  for (const owner of await ownersWithOld(session, kept.from))
    removed += await removeBefore(garageOf(session, owner), kept);
  return removed;
}

/** The owners whose oldest change in the log is older than `from`. One statement for all owners. */
async function ownersWithOld({ knex }: Session, from: string): Promise<number[]> {
  // The first entry of an index for each owner: grouped by owner, MariaDB would read the whole log, and MySQL sorts the
  // changes of an owner unless the order names all columns.
  const first = LoggedChange.ofAllOwners('part')
    .select('at')
    .whereColumn('owner_id', 'last.owner_id')
    .orderBy(['owner_id', 'at', 'seq'])
    .limit(1);
  const owners = await Counter.ofAllOwners('tidying', { knex })
    .alias('last')
    .select('last.owner_id', first.as('first_at'))
    .where('last.name', COUNTER)
    .having('first_at', '<', from);
  return owners.map(({ owner_id }) => owner_id);
}

/** Answers how many. A change that a reader of the feed has still to see stays, whatever its time. */
async function removeBefore(garage: Garage, kept: Kept): Promise<number> {
  const { gone } = await placesOf(garage);
  const log = () => LoggedChange.of(garage);
  let removed = 0;
  for (let behind = 0; ; ) {
    // Places are nearly in the order of times.
    const oldest = await log()
      .select('seq', 'at')
      .where('seq', '>', behind)
      .where('seq', '<=', gone)
      .orderBy('seq')
      .limit(PORTION);
    const places = oldest.filter(({ at }) => at < kept.from).map(({ seq }) => seq);
    if (places.length > 0) removed += await retried(() => log().delete().whereIn('seq', places));
    if (oldest.every((row) => stays(row, kept))) return removed;
    behind = oldest.at(-1)?.seq ?? behind;
  }
}
