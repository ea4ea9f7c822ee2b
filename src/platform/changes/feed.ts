// The feed of changes within a process: gives changes their places, and wakes everybody who waits for a change. The
// process knows its own commits. While somebody waits, it asks the database twice a second about commits of other
// processes, with two statements for all.
import { setTimeout as pause } from 'node:timers/promises';
import { Problem, violation } from '../../core/errors.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { lastPlaces, ownersWithUnplaced, placeChanges } from './place.ts';

const ASK_MS = 500;
/** For the changes that an owner has without a place; the next request goes on. */
const PLACING_MS = 2_000;
const MOST_WAITING_OF_OWNER = 50;
const RETRY_AFTER_SECONDS = 25;

interface Waiter {
  /** The place up to which it has read. */
  readonly place: number;
  readonly wake: () => void;
}

/** A placing that runs, and the one that begins after it. */
interface Placings {
  readonly now: Promise<boolean>;
  next?: Promise<boolean>;
}

interface Waiting {
  readonly owner: number;
  readonly place: number;
  /** The value of `pulse` before the caller read. */
  readonly pulse: number;
  /** An instant of performance.now(). */
  readonly until: number;
  readonly signal: AbortSignal;
}

export class Feed {
  private readonly database: Database;
  /** How many transactions of this process have changed records of an owner. */
  private readonly pulses = new Map<number, number>();
  private readonly placings = new Map<number, Placings>();
  private readonly waiters = new Map<number, Set<Waiter>>();
  private asking = false;
  private closed = false;

  constructor(database: Database) {
    this.database = database;
    database.onChanges((owner) => {
      this.pulses.set(owner, this.pulse(owner) + 1);
      this.wake(owner);
    });
  }

  /** Goes up with each change that this process commits for the owner. */
  pulse(owner: number): number {
    return this.pulses.get(owner) ?? 0;
  }

  /**
   * Gives all changes that are committed now their places. Callers during a placing share the next one. Returns false
   * if some changes are left, because there were too many.
   */
  place(owner: number): Promise<boolean> {
    const running = this.placings.get(owner);
    if (!running) return this.startPlacing(owner);
    running.next ??= running.now.catch(() => false).then(() => this.startPlacing(owner));
    return running.next;
  }

  private startPlacing(owner: number): Promise<boolean> {
    const now = placeChanges(this.database, owner, { milliseconds: PLACING_MS }).finally(() => {
      if (this.placings.get(owner) === running) this.placings.delete(owner);
    });
    const running = { now };
    this.placings.set(owner, running);
    return now;
  }

  /** Whether nobody waits any more: the process drains. */
  get isClosed(): boolean {
    return this.closed;
  }

  /**
   * Resolves when the owner has a change behind `place`, when the time is up, when the signal is aborted, or when the
   * process drains. Holds no connection. Throws Problem: 429 if too many requests of the owner wait.
   */
  async wait({ owner, place, pulse, until, signal }: Waiting): Promise<void> {
    const milliseconds = until - performance.now();
    if (this.closed || signal.aborted || milliseconds <= 0 || this.pulse(owner) !== pulse) return;
    const group = this.waiters.get(owner) ?? new Set();
    if (group.size >= MOST_WAITING_OF_OWNER)
      throw new Problem(violation('too_many_waiting'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });
    this.waiters.set(owner, group);
    let waiter: Waiter | undefined;
    const end = new AbortController();
    const ended = new Promise<void>((wake) => {
      waiter = { place, wake };
      group.add(waiter);
      signal.addEventListener('abort', () => wake(), { once: true, signal: end.signal });
    });
    const timer = setTimeout(() => waiter?.wake(), milliseconds);
    void this.ask();
    await ended;
    clearTimeout(timer);
    end.abort();
    if (waiter) group.delete(waiter);
    if (group.size === 0 && this.waiters.get(owner) === group) this.waiters.delete(owner);
  }

  /** How many requests of an owner wait. */
  waitingCount(owner: number): number {
    return this.waiters.get(owner)?.size ?? 0;
  }

  /** Wakes everybody who waits, and lets nobody wait any more. */
  close(): void {
    this.closed = true;
    for (const owner of this.waiters.keys()) this.wake(owner);
  }

  /** Wakes everybody who has not read up to `last`. */
  private wake(owner: number, last = Number.POSITIVE_INFINITY): void {
    for (const { place, wake } of this.waiters.get(owner) ?? []) if (place < last) wake();
  }

  /** Asks about the changes of other processes while somebody waits. */
  private async ask(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    while (this.waiters.size > 0) {
      await pause(ASK_MS);
      await this.askOnce([...this.waiters.keys()]).catch(() => {
        // Ignored: the next poll, or the timeout, catches up.
      });
    }
    this.asking = false;
  }

  private async askOnce(owners: readonly number[]): Promise<void> {
    if (owners.length === 0) return;
    for (const owner of await ownersWithUnplaced(this.database, { owners })) this.wake(owner);
    for (const [owner, last] of await lastPlaces(this.database, owners)) this.wake(owner, last);
  }
}
