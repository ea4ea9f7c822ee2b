// The turns of owners. One transaction at a time adds and starts jobs of an owner, so that limits per owner
// hold. The lock is on a row of its own, because every request that writes records locks the owner's row.

import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { now, plusOne } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';

class JobTurn extends OwnedModel {
  static override tableName = 'job_turns';
  static override idColumn = 'owner_id';
  declare owner_id: number;
  /** When a job of the owner was last started: the owner who waits longest is the next. */
  declare last_start_at: string | null;
  /** Goes up with each turn: a Galera cluster compares written rows only. */
  declare turns: number;
}

/** Waits for the turn of an owner and keeps it until the transaction ends. */
export async function takeTurn(garage: Garage): Promise<void> {
  await JobTurn.ofAllOwners('insert', garage)
    .insert({ owner_id: garage.owner, turns: 1 })
    .onConflict('owner_id')
    .merge({ turns: plusOne('turns') });
}

/** Takes the turn of an owner if it is free. False: another transaction has it. */
export async function takeFreeTurn(garage: Garage): Promise<boolean> {
  const turn = await JobTurn.of(garage).select('owner_id').forUpdate().skipLocked().first();
  return turn !== undefined;
}

/** Puts an owner behind all others. */
export async function endTurn(garage: Garage): Promise<void> {
  await JobTurn.of(garage).patch({ last_start_at: now(), turns: plusOne('turns') });
}
