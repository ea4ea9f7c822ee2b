// Gives changes their places in the feed of their owner: moves them from the outbox, where writers only append, into
// the log. A place is given to committed changes only, and under a lock: an auto-increment of the writers could show a
// later number before an earlier one. docs/architecture.md says why no change is missed or doubled.

import { Counter, nextNumber } from '../../core/model/records/counter.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { insertInPortions } from '../../core/model/statements/insert-many.ts';
import { isConflict } from '../../core/model/statements/retried.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { changesIn, LoggedChange, OutboxEntry, type Unplaced } from '../../core/model/writes/change-log.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { fanOut } from './fan-out.ts';
import { givenIds } from './fragment.ts';

/** The last place of an owner. */
export const COUNTER = 'changes';
export const GONE = 'changes gone';
export const FEED_COUNTERS: readonly string[] = [COUNTER, GONE];
/** Entries that one transaction moves. An entry has twenty changes at most. */
const MOST_AT_ONCE = 100;
/** Entries that one transaction moves for a snapshot. */
const MOST_OF_SNAPSHOT = 3_000;
/** How long a snapshot tries to get its place while others undo its work. */
const SNAPSHOT_MS = 60_000;

/** A change that has just got its place. */
export interface PlacedChange extends Unplaced {
  readonly seq: number;
  /** The ID of its entry in the outbox. */
  readonly entry: number;
}

interface Options {
  /** An owner may have a million changes, and a stop must not wait for all of them. */
  readonly signal?: AbortSignal;
  readonly milliseconds?: number;
}

/**
 * Gives all changes of an owner that are committed now their places. Changes of one record keep their order. Returns
 * false if it stopped after `milliseconds` and some may still have no place. Rejects with the signal's reason.
 */
export async function placeChanges(
  database: Database,
  owner: number,
  { signal, milliseconds = Number.POSITIVE_INFINITY }: Options = {},
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (await hasUnplaced(garageOf(database, owner))) {
    signal?.throwIfAborted();
    if (performance.now() > end) return false;
    const moved = await database.transaction((session) => moveSome(garageOf(session, owner)));
    // Don't wait for entries that commit from now on: with busy writers there would always be more.
    if (moved < MOST_AT_ONCE) return true;
  }
  return true;
}

/**
 * The same within a transaction, which keeps the places of the owner to itself until it commits. Returns false if some
 * may be left after `most` entries.
 */
export async function placeAllChanges(garage: Garage, most = Number.POSITIVE_INFINITY): Promise<boolean> {
  for (let moved = 0; moved < most; moved += MOST_AT_ONCE)
    if ((await moveSome(garage)) < MOST_AT_ONCE) return true;
  return false;
}

/**
 * Keeps others from giving places to changes of the owner until the transaction ends. Writers never touch this row, so
 * no writer waits for a reader.
 */
export async function lockPlaces(garage: Garage): Promise<void> {
  await nextNumber(garage, COUNTER, 0);
}

/** Moves the oldest entries and answers how many. */
async function moveSome(garage: Garage): Promise<number> {
  await lockPlaces(garage);
  const entries = await entriesOf(garage).orderBy('id').limit(MOST_AT_ONCE);
  await move(garage, entries);
  return entries.length;
}

/**
 * Gives places to exactly the committed changes that a snapshot sees, and answers the last place: a reader of the feed
 * up to this place has seen the same changes as the snapshot. `begin` takes a new snapshot and answers its reader.
 *
 * A record and its entry are written in one transaction, so each change that the snapshot shows has its entry or its
 * place in the snapshot too. Any other change commits later, and gets a later place. This needs one fact: the counter
 * in the snapshot is the counter under the lock. On a cluster they may differ, and then `placeSeen` begins anew.
 */
export async function placeSnapshot(
  database: Database,
  owner: number,
  begin: () => Promise<Pick<Session, 'knex'>>,
  signal?: AbortSignal,
): Promise<number> {
  const end = performance.now() + SNAPSHOT_MS;
  for (;;) {
    try {
      // In portions, so that few changes are left for the transaction.
      await placeChanges(database, owner, { signal });
      const last = await database.transaction((session) =>
        placeSeen(garageOf(session, owner), begin, signal),
      );
      if (last !== undefined) return last;
    } catch (error) {
      // The lock does not cross the nodes of a cluster: others that give places there undo this work each time.
      if (!isConflict(error) || performance.now() > end) throw error;
    }
  }
}

/** The last place; undefined if the snapshot is not of this moment, or sees too many changes without a place. */
async function placeSeen(
  garage: Garage,
  begin: () => Promise<Pick<Session, 'knex'>>,
  signal?: AbortSignal,
): Promise<number | undefined> {
  await lockPlaces(garage);
  const { knex } = await begin();
  const snapshot = { knex, owner: garage.owner };
  let last = await lastPlace(garage);
  // Another node of a cluster may have given places that this transaction has not seen.
  if ((await lastPlace(snapshot)) !== last) return undefined;
  const seen = await entriesOf(snapshot)
    .select('id')
    .orderBy('id')
    .limit(MOST_OF_SNAPSHOT + 1);
  if (seen.length > MOST_OF_SNAPSHOT) return undefined;
  const ids = seen.map(({ id }) => id);
  for (const some of portionsOf(ids, MOST_AT_ONCE)) {
    signal?.throwIfAborted();
    const entries = await entriesOf(garage).whereIn('id', some).orderBy('id');
    if (entries.length < some.length) return undefined;
    last += await move(garage, entries);
  }
  return last;
}

/**
 * Moves entries of the outbox into the log and answers how many changes they have. The transaction has locked the
 * counter.
 */
async function move(garage: Garage, entries: readonly OutboxEntry[]): Promise<number> {
  const changes = entries.flatMap((entry) =>
    changesIn(entry).map((change) => ({ ...change, entry: entry.id })),
  );
  if (changes.length === 0) return 0;
  const first = await nextNumber(garage, COUNTER, changes.length);
  const placed = changes.map((change, index) => ({ ...change, seq: first + index }));
  const rows = placed.map(({ entry, ...row }) => ({ owner_id: garage.owner, ...row }));
  await insertInPortions(garage, LoggedChange.tableName, rows);
  await removeEntries(
    garage,
    entries.map(({ id }) => id),
  );
  await fanOut(garage, placed);
  return changes.length;
}

/**
 * Joins from the IDs, so that the server looks up each entry by its key. With `WHERE id IN (…)` the server may read the
 * whole table instead, and wait for entries that are not yet committed.
 */
const removeEntries = ({ knex, owner }: Garage, ids: readonly number[]) =>
  OutboxEntry.ofAllOwners('turns', { knex })
    .delete()
    .rightJoin(givenIds(ids), (join) => {
      join.on('given.id', 'change_outbox.id').andOnVal('change_outbox.owner_id', owner);
    });

/** The entries of an owner in the outbox. */
export const entriesOf = ({ knex, owner }: Pick<Garage, 'knex' | 'owner'>) => OutboxEntry.of({ knex, owner });

async function hasUnplaced(garage: Garage): Promise<boolean> {
  return (await entriesOf(garage).select('id').first()) !== undefined;
}

/** Places of an owner's feed. 0: no place was given, or none has left. */
interface Places {
  /** The last place that was given. */
  readonly last: number;
  /** The last place that has left the feed: see retention.ts. */
  readonly gone: number;
}

export async function placesOf({ knex, owner }: Pick<Garage, 'knex' | 'owner'>): Promise<Places> {
  const counters = await Counter.of({ knex, owner }).whereIn('name', [COUNTER, GONE]);
  const of = (wanted: string) => Number(counters.find(({ name }) => name === wanted)?.value ?? 0);
  return { last: of(COUNTER), gone: of(GONE) };
}

/** The last place that was given. */
const lastPlace = async (garage: Pick<Garage, 'knex' | 'owner'>): Promise<number> =>
  (await placesOf(garage)).last;

/** The last places of these owners. Owners without a place are not among them. */
export async function lastPlaces({ knex }: Session, owners: readonly number[]): Promise<Map<number, number>> {
  const counters = await Counter.ofAllOwners('turns', { knex })
    .where('name', COUNTER)
    .whereIn('owner_id', owners);
  return new Map(counters.map(({ owner_id, value }) => [owner_id, Number(value)]));
}

/** Owners with changes without a place. The owner who has waited longest comes first. `owners`: only among these. */
export async function ownersWithUnplaced(
  { knex }: Session,
  { owners }: { owners?: readonly number[] } = {},
): Promise<number[]> {
  const query = OutboxEntry.ofAllOwners('turns', { knex })
    .select('owner_id')
    .min('id as first')
    .groupBy('owner_id');
  if (owners) query.whereIn('owner_id', owners);
  const waiting = await query.orderBy('first');
  return waiting.map(({ owner_id }) => owner_id);
}
