// When a set of tyres came into the storage and left it. A unique key of the database allows one stored set for each
// location.
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import { TyreSet, type TyreSetRow } from '../../core/resources/tyre-set.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';

const { STORED } = LISTS.tyresetstatuses;

rulesOf(TyreSet, { before: keepStorage });

/**
 * A set that is not stored may name a location, as a plan. A set that leaves the storage loses its location even if the
 * request names it: clients send whole records back.
 */
function keepStorage({ next, previous }: Change<TyreSetRow>): void {
  const isStored = next.tyreset_status === STORED;
  const wasStored = previous?.tyreset_status === STORED;
  if (isStored === wasStored) return;
  // A request may say when it was.
  const instant = (name: 'stored_at' | 'out_at') =>
    next[name] === null || next[name] === previous?.[name] ? databaseNow() : next[name];
  if (isStored) {
    next.stored_at = instant('stored_at');
    // A program that moves in reads a new set back as it was sent.
    if (previous) next.out_at = null;
  } else {
    next.out_at = instant('out_at');
    next.location = null;
  }
}
