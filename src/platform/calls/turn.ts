// The turn of a call that is due: a process claims it by a lease, makes it, and records how it ended and when the next
// try is due. A process recognises its lease by the lease's end: if it has lost the lease, it changes nothing.
// Callbacks of jobs and deliveries of events have different `Calls`. Times come from the database's clock.
import type { RawBuilder } from 'objection';
import type { Logger } from 'pino';
import { INT4_MAX } from '../../core/model/fields/int4.ts';
import type { OwnedClass } from '../../core/model/statements/base-model.ts';
import { isFree, isStranded, now, plusOne, secondsFromNow } from '../../core/model/statements/fragment.ts';
import {
  type Column,
  type Columns,
  type Selected,
  selected,
  text,
  whole,
} from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { type RetryOptions, retryWhileAway } from '../database/away.ts';
import { Shares } from '../database/shares.ts';
import { CALL_MILLISECONDS, type Delivery, delivered } from './exchange.ts';
import { CallLoop } from './loop.ts';

/**
 * If receivers hang, hundreds of calls end together. Requests and claims must not wait for all these transactions, nor
 * one owner's for another's: whoever deletes a subscription with many waiting events locks its row for long.
 */
const recordings = new Shares({ ofOwner: 2, ofAll: 4, longestMs: INT4_MAX });

/** Longer than a call may take, with time to claim it before and to record it after. */
const LEASE_SECONDS = 30;
const LONGEST_START_MS = LEASE_SECONDS * 1_000 - CALL_MILLISECONDS;
/** Seconds until the next try, after the first, second, … failure. The last pause is followed by one try. */
export const PAUSES = [5, 30, 120, 600, 3_600, 21_600, 86_400];

/** How often a process looks for stranded calls. */
const STRANDED_MS = 10_000;
const ROWS_A_STATEMENT = 1_000;

/** How one try ended. `given_up`: it failed, and no other try follows. */
export type Outcome = (typeof OUTCOMES)[number];
export const OUTCOMES = ['delivered', 'failed', 'given_up'] as const;

/** Whether no process makes the call. */
export const isFreeCall = ({ lease }: Pick<CallColumns, 'lease'>) => isFree(lease, LEASE_SECONDS);

/** The database, the settings and the log that all calls of a process share. */
export interface CallOptions {
  readonly database: Database;
  readonly signingSecret: string;
  /** CIDRs that count as publicly accessible. */
  readonly allow: readonly string[];
  readonly log: Logger;
  /** Whether no call may leave this installation now: see installation.ts. */
  readonly isHeld: () => Promise<boolean>;
  /** Called after each try, for the metrics. */
  readonly onAttempt?: (outcome: Outcome) => void;
}

/** The columns of a row that tell of its call. */
export interface CallColumns {
  /** When the next try is due; null: no try is due. */
  readonly due: string;
  /** The tries since the call was requested: they decide the next pause. */
  readonly tries: string;
  /** Until when a process makes the call. */
  readonly lease: string;
}

/** A row whose call is due. */
interface DueCall {
  readonly id: number | string;
  readonly owner_id: number;
  readonly tries: number;
  /** When the lease of this process ends. Two claims of a row never have the same end. */
  readonly held_until: string;
}

/** The columns of a row that a call needs, and the lease of this process. */
type Reads = Columns & { readonly id: Column<number> | Column<string>; readonly owner_id: Column<number> };
type Held = { readonly tries: Column<number>; readonly held_until: Column<string> };
export type Claimed<C extends Reads> = Selected<C & Held>;

export interface Deadline {
  /** On the clock of the process (`performance.now`): a call that begins later may outlast its lease. */
  readonly begin_by: number;
}

/** The calls that a process is making. */
export type Running<Due extends DueCall> = ReadonlyMap<Due['id'], Due>;

/** Calls of one sort, each in a row of a table. */
export interface Calls<C extends Reads, Due extends DueCall> {
  /** As the log names one of them. */
  readonly what: 'callback' | 'event';
  readonly model: OwnedClass;
  readonly columns: CallColumns;
  readonly reads: C;
  /** The IDs of at most so many calls that are due and that no process is making. */
  readonly findDue: (most: number, running: Running<Due>) => Promise<Due['id'][]>;
  /** The IDs of all calls that meet this condition: they are due only after the clock has gone on for long. */
  readonly findStranded: (isStrandedCall: RawBuilder) => Promise<Due['id'][]>;
  /** Adds values that the rows do not hold, and leaves out calls that must not be made. */
  readonly complete: (session: Session, rows: Claimed<C>[]) => Promise<Due[]>;
  /** Never throws. */
  readonly make: (due: Due, retry: RetryOptions) => Promise<Delivery>;
  /** Records the end of a try beside the columns of the call. Returns the work to do after the commit. */
  readonly record: (session: Session, due: Due, delivery: Delivery) => Promise<(() => Promise<void>) | void>;
  /** Further columns that change together with the due time. */
  readonly changes?: (outcome: Outcome) => object;
  /** Fields of the log line of a call. */
  readonly about: (due: Due) => object;
}

/** Makes the calls of a process, once the loop is started. */
export const callLoop = <C extends Reads, Due extends DueCall>(
  options: CallOptions,
  calls: Calls<C, Due>,
): CallLoop<Due & Deadline> => {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return new CallLoop({
    what: calls.what,
    log: options.log,
    claim: async (most, running) => {
      if (performance.now() > lookedAt + STRANDED_MS) {
        lookedAt = performance.now();
        await dueStranded(options, calls);
      }
      return claimDue(options, calls, most, running);
    },
    make: (due, retry) => makeCall(options, calls, due, retry),
  });
};

/**
 * Makes calls due that wait only because the clock has gone back. The statements that look for due calls can't find
 * these calls on their indexes.
 */
export async function dueStranded<C extends Reads, Due extends DueCall>(
  { database, log }: Pick<CallOptions, 'database' | 'log'>,
  { what, model, columns, findStranded }: Calls<C, Due>,
): Promise<void> {
  const isStrandedCall = isStranded(columns, PAUSES, LEASE_SECONDS);
  const ids = await findStranded(isStrandedCall);
  if (ids.length === 0) return;
  for (const some of portionsOf(ids, ROWS_A_STATEMENT))
    await model
      .ofAllOwners('turns', database)
      .patch({ [columns.due]: now() })
      .whereIn('id', some)
      .where(isStrandedCall);
  log.warn({ calls: ids.length }, `the clock has gone back: waiting ${what}s are due now`);
}

/** Takes calls that are due; none while they are held. */
export async function claimDue<C extends Reads, Due extends DueCall>(
  { database, isHeld }: Pick<CallOptions, 'database' | 'isHeld'>,
  { model, columns, reads, findDue, complete }: Calls<C, Due>,
  most: number,
  running: Running<Due>,
): Promise<(Due & Deadline)[]> {
  const ids = (await findDue(most, running)).filter((id) => !running.has(id));
  // Asked each time: the database may become a copy of another one, or be released, while this process runs.
  if (ids.length === 0 || (await isHeld())) return [];
  const begin_by = performance.now() + LONGEST_START_MS;
  return database.transaction(async (session) => {
    const free = model
      .ofAllOwners('turns', session)
      .whereIn('id', ids)
      .where(columns.due, '<=', now())
      .where(isFreeCall(columns))
      .forUpdate()
      .skipLocked();
    const taken = await selected(free, {
      ...reads,
      tries: whole(columns.tries),
      held_until: text(secondsFromNow(LEASE_SECONDS)),
    });
    const [first] = taken;
    if (!first) return [];
    const takenIds = taken.map(({ id }) => id);
    await model
      .ofAllOwners('turns', session)
      .patch({ [columns.lease]: first.held_until })
      .whereIn('id', takenIds);
    const due = await complete(session, taken);
    return due.map((one) => ({ ...one, begin_by }));
  });
}

/**
 * Makes a call, and records how it ended and, if it failed, when the next one is due. Makes none if the claim took so
 * long that another process may take the call over meanwhile.
 */
export async function makeCall<C extends Reads, Due extends DueCall>(
  { database, log, onAttempt }: CallOptions,
  { what, model, columns, make, record, changes, about }: Calls<C, Due>,
  due: Due & Deadline,
  retry: RetryOptions,
): Promise<void> {
  if (performance.now() > due.begin_by) {
    log.warn(about(due), `${what} waits for another try: the database took too long`);
    return;
  }
  const held = (session: Pick<Session, 'knex'>) =>
    model.ofAllOwners('turns', session).where('id', due.id).where(columns.lease, due.held_until);
  const delivery = await make(due, retry);
  if (retry.draining.aborted && !delivered(delivery)) {
    // Another process makes the call.
    await held(database).patch({ [columns.lease]: null });
    return;
  }
  const outcome = outcomeOf(due, delivery);
  const end = {
    ...changes?.(outcome),
    [columns.due]: outcome === 'failed' ? secondsFromNow(PAUSES[due.tries] ?? 0) : null,
    [columns.tries]: plusOne(columns.tries),
    [columns.lease]: null,
  };
  const write = async (session: Session) => {
    const recorded = await record(session, due, delivery);
    // Without its lease this call is over: a redelivery was requested, or another process has taken the call over.
    // Without a due time nobody is to be called: the archive has expired, or the subscription was deleted.
    await held(session).patch(end).whereNotNull(columns.due);
    return recorded;
  };
  const follow = await recordings.run(due.owner_id, () =>
    retryWhileAway(retry, () => database.transaction(write)),
  );
  onAttempt?.(outcome);
  const text = `${what} ${outcome.replace('_', ' ')}`;
  log[outcome === 'given_up' ? 'warn' : 'info']({ ...about(due), ...delivery }, text);
  await follow?.();
}

function outcomeOf({ tries }: DueCall, delivery: Delivery): Outcome {
  if (delivered(delivery)) return 'delivered';
  return tries < PAUSES.length ? 'failed' : 'given_up';
}

/** Columns that make a call due now, with the pauses of a new call. */
export const dueAnew = ({ due, tries, lease }: CallColumns) => ({
  [due]: now(),
  [tries]: 0,
  [lease]: null,
});
