// Gives logged changes their places in the feed of their owner. The places are given when somebody reads, to committed
// rows only, and under a lock: an auto-increment of the writers could show a later number before an earlier one.
import { LoggedChange } from '../model/change-log.ts';
import { Counter, nextNumber } from '../model/counter.ts';
import { placedIn } from '../model/fragment.ts';
import { isConflict } from '../model/retried.ts';
import type { Database, Session } from '../model/session.ts';

const COUNTER = 'changes';
export const GONE = 'changes gone';
const MOST_AT_ONCE = 1_000;
/** Changes that one transaction gives places for a snapshot. */
const MOST_OF_SNAPSHOT = 10_000;
/** How long the place of a snapshot is tried for while others undo it. */
const SNAPSHOT_MS = 60_000;

/** A change with its place, as `onPlaced` gets it. */
export type PlacedChange = LoggedChange & { seq: number };

/** Called within the transaction that gives the places. */
export type OnPlaced = (session: Session, owner: number, changes: readonly PlacedChange[]) => Promise<void>;

/**
 * Gives all changes of an owner that are committed now their places. Changes of one record keep their order. Returns false if it
 * stopped after `milliseconds` and some may still have no place.
 */
export async function placeChanges(
  database: Database,
  owner: number,
  onPlaced: OnPlaced,
  milliseconds = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const end = performance.now() + milliseconds;
  while (await hasUnplaced(database, owner)) {
    if (performance.now() > end) return false;
    const placed = await database.transaction(async (session) => {
      // Writers never touch this row, so no writer waits for a reader.
      await nextNumber(session, owner, COUNTER, 0);
      const changes = await unplaced(session, owner).orderBy('id').limit(MOST_AT_ONCE);
      await givePlaces(session, owner, changes, onPlaced);
      return changes.length;
    });
    // What commits from now on is not waited for: with busy writers there would always be more.
    if (placed < MOST_AT_ONCE) return true;
  }
  return true;
}

/**
 * Gives exactly those committed changes that a snapshot sees their places, and answers the last place: what the snapshot
 * shows is what a reader of the feed has seen up to there. `begin` takes a new snapshot and answers what reads it.
 */
export async function placeSnapshot(
  database: Database,
  owner: number,
  onPlaced: OnPlaced,
  begin: () => Promise<Pick<Session, 'knex'>>,
): Promise<number> {
  const end = performance.now() + SNAPSHOT_MS;
  for (;;) {
    try {
      // In portions, so that few changes are left for the transaction.
      await placeChanges(database, owner, onPlaced);
      const last = await database.transaction((session) => placeSeen(session, owner, onPlaced, begin));
      if (last !== undefined) return last;
    } catch (error) {
      // The lock does not cross the nodes of a cluster: others that give places there undo this work each time.
      if (!isConflict(error) || performance.now() > end) throw error;
    }
  }
}

/** The last place; undefined if the snapshot is not of this moment, or sees too many changes without a place. */
async function placeSeen(
  session: Session,
  owner: number,
  onPlaced: OnPlaced,
  begin: () => Promise<Pick<Session, 'knex'>>,
): Promise<number | undefined> {
  await nextNumber(session, owner, COUNTER, 0);
  // Until the commit nobody else gives places of this owner.
  const snapshot = await begin();
  const before = await lastPlace(session, owner);
  // Another node of a cluster may have given places that this transaction has not seen.
  if ((await lastPlace(snapshot, owner)) !== before) return undefined;
  const seen = await unplaced(snapshot, owner)
    .select('id')
    .orderBy('id')
    .limit(MOST_OF_SNAPSHOT + 1);
  if (seen.length > MOST_OF_SNAPSHOT) return undefined;
  const ids = seen.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += MOST_AT_ONCE) {
    const some = ids.slice(from, from + MOST_AT_ONCE);
    const changes = await unplaced(session, owner).whereIn('id', some).orderBy('id');
    if (changes.length < some.length) return undefined;
    await givePlaces(session, owner, changes, onPlaced);
  }
  return before + ids.length;
}

/** Gives changes the next places. The transaction has locked the counter. */
async function givePlaces(
  session: Session,
  owner: number,
  changes: readonly LoggedChange[],
  onPlaced: OnPlaced,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ id }) => id);
  const first = await nextNumber(session, owner, COUNTER, ids.length);
  await LoggedChange.query(session.knex)
    .patch({ seq: placedIn('id', ids, first) })
    .whereIn('id', ids);
  await onPlaced(
    session,
    owner,
    changes.map((change, index) => Object.assign(change, { seq: first + index })),
  );
}

const unplaced = ({ knex }: Pick<Session, 'knex'>, owner: number) =>
  LoggedChange.query(knex).where('owner_id', owner).whereNull('seq');

async function hasUnplaced(session: Session, owner: number): Promise<boolean> {
  return (await unplaced(session, owner).select('id').first()) !== undefined;
}

/** The places of an owner's feed; 0 where there is none. */
export interface Places {
  /** The last place that was given. */
  readonly last: number;
  /** The last place that has left the feed: see change-retention.ts. */
  readonly gone: number;
}

export async function placesOf({ knex }: Pick<Session, 'knex'>, owner: number): Promise<Places> {
  const counters = await Counter.query(knex).where('owner_id', owner).whereIn('name', [COUNTER, GONE]);
  const of = (wanted: string) => Number(counters.find(({ name }) => name === wanted)?.value ?? 0);
  return { last: of(COUNTER), gone: of(GONE) };
}

/** The last place that was given. */
export const lastPlace = async (session: Pick<Session, 'knex'>, owner: number): Promise<number> =>
  (await placesOf(session, owner)).last;

/** The last places of these owners, or of all. Owners without a place are not among them. */
export async function lastPlaces(
  { knex }: Session,
  owners?: readonly number[],
): Promise<Map<number, number>> {
  const query = Counter.query(knex).where('name', COUNTER);
  const counters = await (owners ? query.whereIn('owner_id', owners) : query);
  return new Map(counters.map(({ owner_id, value }) => [owner_id, Number(value)]));
}

/** Those of the owners who have changes without a place: `most` of them at most, where it is given. */
export async function ownersWithUnplaced(
  { knex }: Session,
  owners: readonly number[],
  most?: number,
): Promise<number[]> {
  const query = LoggedChange.query(knex).distinct('owner_id').whereIn('owner_id', owners).whereNull('seq');
  const rows = await (most === undefined ? query : query.limit(most));
  return rows.map(({ owner_id }) => owner_id);
}
