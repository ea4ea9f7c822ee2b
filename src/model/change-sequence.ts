// Gives logged changes their places in the feed of their owner. The places are given when somebody reads, to committed
// rows only, and under a lock: an auto-increment of the writers could show a later number before an earlier one.
import { LoggedChange } from './change-log.ts';
import { Counter, nextNumber } from './counter.ts';
import { placedIn } from './fragment.ts';
import type { Database, Session } from './session.ts';

const COUNTER = 'changes';
const MOST_AT_ONCE = 500;

/** A change with its place, as `onPlaced` gets it. */
export type PlacedChange = LoggedChange & { seq: number };

/** Called within the transaction that gives the places. */
export type OnPlaced = (session: Session, owner: number, changes: readonly PlacedChange[]) => Promise<void>;

/** Gives all committed changes of an owner their places. Changes of one record keep their order. */
export async function placeChanges(database: Database, owner: number, onPlaced: OnPlaced): Promise<void> {
  while (await hasUnplaced(database, owner)) {
    await database.transaction(async (session) => {
      // Writers never touch this row, so no writer waits for a reader.
      await nextNumber(session, owner, COUNTER, 0);
      const changes = await unplaced(session, owner).orderBy('id').limit(MOST_AT_ONCE);
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
    });
  }
}

const unplaced = ({ knex }: Session, owner: number) =>
  LoggedChange.query(knex).where('owner_id', owner).whereNull('seq');

async function hasUnplaced(session: Session, owner: number): Promise<boolean> {
  return (await unplaced(session, owner).select('id').first()) !== undefined;
}

/** The last place that was given; 0 where none was. */
export async function lastPlace({ knex }: Session, owner: number): Promise<number> {
  const counter = await Counter.query(knex).findById([owner, COUNTER]);
  return Number(counter?.value ?? 0);
}
