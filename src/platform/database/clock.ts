// The clock of an installation. Each minute a process notes a sign of life, by the clock of the database. After a long
// silence or a jump the clock may be wrong. Then the service waits: it removes nothing by its age until it has run for
// 24 hours, so that somebody can set the clock right before anything is lost.
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { instant, now } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';
import { columns, orNull, selected, text } from '../../core/model/statements/selected.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/trade/time/duration.ts';
import { databaseTime, formatTimestamp } from '../../core/trade/time/timestamp.ts';

/** A longer silence is a reason to wait. */
const LONGEST_SILENCE_MS = 7 * DAY_MS;
/** So is a clock that goes back by more, and two clocks that differ by more. */
const MOST_APART_MS = 5 * MINUTE_MS;
const WAIT_MS = DAY_MS;
const BEAT_MS = MINUTE_MS;
/** A process that stops waits no longer for its last sign of life. */
const LAST_BEAT_MS = 2_000;
const REASON_LENGTH = 200;
const ROW = 1;

class Clock extends BaseModel {
  static override tableName = 'clock';
  static override idColumn = 'row';
  /** Always 1. */
  declare row: number;
  /** Goes up with each sign of life. */
  declare beat: number;
  /** The latest sign of life. Null: there was none. */
  declare seen_at: string | null;
  /** For how long the service has still to run before it removes anything. */
  declare wait_ms: number;
  /** Why it waits. */
  declare reason: string | null;
}

const SEEN = {
  ...columns(Clock, Clock.tableName, 'beat', 'wait_ms', 'reason'),
  seen_at: orNull(text(instant('clock.seen_at'))),
  now: text(now()),
};

/** What the service may do by the clock at one instant. */
export interface ClockState {
  /** By the clock of the database. */
  readonly now: Date;
  /** Undefined: no process has ever noted one. */
  readonly lastSign: Date | undefined;
  /** 0: the service does not wait. */
  readonly waitMs: number;
  /** Why the service waits, for people; null: it does not. */
  readonly reason: string | null;
  readonly beat: number;
}

/** The state as the database has it, and what the clock has done since: `fault`. */
async function look({ knex }: Pick<Session, 'knex'>): Promise<ClockState & { readonly fault?: string }> {
  const before = Date.now();
  const row = await selected(Clock.query(knex).findById(ROW), SEEN);
  const after = Date.now();
  if (!row) {
    await Clock.query(knex).insert({ row: ROW }).onConflict('row').ignore();
    return look({ knex });
  }
  const now = dateOf(row.now);
  const lastSign = row.seen_at === null ? undefined : dateOf(row.seen_at);
  const fault = apart(now, { before, after }) ?? (lastSign && jump(lastSign, now));
  return { now, lastSign, waitMs: row.wait_ms, reason: row.reason, beat: row.beat, fault };
}

const dateOf = (stored: string) => new Date(formatTimestamp(stored));

/** `before` and `after`: the clock of this process around the look at the database's. */
function apart(now: Date, { before, after }: { before: number; after: number }): string | undefined {
  const ms = Math.max(before - now.getTime(), now.getTime() - after);
  if (ms <= MOST_APART_MS) return undefined;
  const minutes = Math.round(ms / MINUTE_MS);
  return `the clocks of ${hostname()} and of the database are ${minutes} minutes apart`;
}

function jump(lastSign: Date, now: Date): string | undefined {
  const ms = now.getTime() - lastSign.getTime();
  if (ms < -MOST_APART_MS) return `the clock went back from ${shown(lastSign)} to ${shown(now)}`;
  if (ms > LONGEST_SILENCE_MS) return `no sign of life between ${shown(lastSign)} and ${shown(now)}`;
  return undefined;
}

const shown = (instant: Date) => `${instant.toISOString().slice(0, 19)}Z`;

/** The state of the clock. If the clock may be wrong, the waiting begins anew, for all processes. */
export async function checkClock(session: Session): Promise<ClockState> {
  for (;;) {
    const { fault, ...state } = await look(session);
    if (fault === undefined) return state;
    const begun = { seen: state.now, waitMs: WAIT_MS, reason: fault.slice(0, REASON_LENGTH) };
    // If another process has noted something meanwhile, its sign of life may explain the fault.
    if (await note(session, state, begun)) return { ...state, ...begun, beat: state.beat + 1 };
  }
}

/** The state of the clock, for whoever only asks. A fault that nobody has noted yet counts as waiting. */
export async function readClock(session: Pick<Session, 'knex'>): Promise<ClockState> {
  const { fault, ...state } = await look(session);
  return fault === undefined ? state : { ...state, waitMs: WAIT_MS, reason: fault };
}

/** Ends the waiting: the clock counts as right from now on, and the service removes rows by their age again. */
export async function endWaiting(session: Session): Promise<void> {
  for (;;) {
    const state = await look(session);
    if (await note(session, state, { seen: state.now, waitMs: 0, reason: null })) return;
  }
}

/** Notes a sign of life. False: another process has noted one since the look. */
async function note(
  { knex }: Session,
  { beat }: ClockState,
  { seen, waitMs, reason }: { readonly seen: Date; readonly waitMs: number; readonly reason: string | null },
): Promise<boolean> {
  const changed = await retried(() =>
    Clock.query(knex)
      .patch({ beat: beat + 1, seen_at: databaseTime(seen), wait_ms: waitMs, reason })
      .where({ row: ROW, beat }),
  );
  return changed === 1;
}

/**
 * The signs of life of a process. Whichever process finds that none was noted for a minute notes one, and counts this
 * minute of running. So a minute counts once, however many processes run.
 */
export class SignsOfLife {
  private readonly database: Database;
  private readonly log: Logger;
  private readonly running: () => number;
  /** The last look of this process, by its monotonic clock. */
  private last?: { readonly at: number; readonly beat: number };
  private told?: string;
  private timer?: NodeJS.Timeout;

  /** `running`: milliseconds of a clock that nobody sets. */
  constructor(database: Database, log: Logger, running = () => performance.now()) {
    this.database = database;
    this.log = log;
    this.running = running;
  }

  start(): void {
    this.timer = setInterval(() => void this.beatIfPossible(), BEAT_MS).unref();
  }

  /** Counts the last part of a minute, unless the database is away. */
  async stop(): Promise<void> {
    clearInterval(this.timer);
    await Promise.race([this.beatIfPossible(), pause(LAST_BEAT_MS, undefined, { ref: false })]);
  }

  /** Call this before anything is removed by its age: a clock that jumped a moment ago is noticed. */
  async check(): Promise<ClockState> {
    const state = await checkClock(this.database);
    this.tell(state);
    return state;
  }

  /** Notes a sign of life, unless another process noted one since the last look. */
  async beat(): Promise<void> {
    const at = this.running();
    const state = await this.check();
    const { last } = this;
    this.last = { at, beat: state.beat };
    if (last ? last.beat !== state.beat : isRecent(state)) return;
    // A process that was stopped or had no database did not run for so long.
    const ran = last ? Math.min(at - last.at, 2 * BEAT_MS) : 0;
    const waitMs = Math.max(0, Math.round(state.waitMs - ran));
    const reason = waitMs === 0 ? null : state.reason;
    // A clock that goes back by little each time is noticed by the sum.
    const seen = state.lastSign && state.lastSign > state.now ? state.lastSign : state.now;
    if (!(await note(this.database, state, { seen, waitMs, reason }))) return;
    this.last = { at, beat: state.beat + 1 };
    this.tell({ waitMs, reason });
  }

  private async beatIfPossible(): Promise<void> {
    await this.beat().catch((error) => this.log.debug({ err: error }, 'no sign of life was noted'));
  }

  private tell({ waitMs, reason }: Pick<ClockState, 'waitMs' | 'reason'>): void {
    const told = waitMs > 0 ? String(reason) : undefined;
    if (told !== undefined && told !== this.told) this.log.warn(waitingText({ waitMs, reason }));
    if (told === undefined && this.told !== undefined)
      this.log.info('the clock counts again: what is old is removed');
    this.told = told;
  }
}

const isRecent = ({ now, lastSign }: ClockState) =>
  lastSign !== undefined && now.getTime() - lastSign.getTime() < BEAT_MS;

/** One line for people. */
export const waitingText = ({ waitMs, reason }: Pick<ClockState, 'waitMs' | 'reason'>): string =>
  `${reason}: nothing is removed by its age for ${(waitMs / HOUR_MS).toFixed(1)} hours of running, ` +
  'or until `forecourt purge`';
