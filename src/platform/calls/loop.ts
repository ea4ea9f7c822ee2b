// The loop of a process that calls receivers: it looks for due calls twice a second, or when it is woken, and makes
// many at once. What is due is in the database, so several processes share the calls and a restart loses none.
import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { RetryOptions } from '../database/away.ts';

const POLL_MS = 500;
/** Several wakes in this time are one. */
const WAKE_MS = 20;
/** Calls that begin together: the handshakes of more would hold up the thread that answers everybody. */
const PORTION = 20;

interface CallLoopOptions<Due extends { readonly id: unknown }> {
  /** As the log names the calls: `callback`. */
  readonly what: string;
  /** How many at once; default: as many as `claim` takes. */
  readonly most?: number;
  readonly log: Logger;
  /** Takes at most that many due calls. `running`: calls that this process is making; they are left out. */
  readonly claim: (most: number, running: ReadonlyMap<Due['id'], Due>) => Promise<readonly Due[]>;
  /** Makes one call and records how it ended. The signal aborts the call. */
  readonly make: (due: Due, retry: RetryOptions) => Promise<void>;
}

export class CallLoop<Due extends { readonly id: unknown }> {
  private readonly options: CallLoopOptions<Due>;
  private readonly running = new Map<Due['id'], Due>();
  private readonly calls = new Set<Promise<void>>();
  private readonly abort = new AbortController();
  private timer?: NodeJS.Timeout;
  private polling?: Promise<void>;
  private isWoken = false;

  constructor(options: CallLoopOptions<Due>) {
    this.options = options;
    // Each call adds a listener.
    setMaxListeners(0, this.abort.signal);
  }

  start(): void {
    this.pollIn(POLL_MS);
  }

  /** Looks for due calls now. Only after `start`. */
  wake(): void {
    if (this.timer === undefined || this.isWoken || this.abort.signal.aborted) return;
    this.isWoken = true;
    if (!this.polling) this.pollIn(WAKE_MS);
  }

  /** Makes no more calls and aborts the running ones; another process makes the aborted calls again. */
  async drain(): Promise<void> {
    clearTimeout(this.timer);
    this.abort.abort();
    await this.polling;
    await Promise.all(this.calls);
  }

  private pollIn(milliseconds: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isWoken = false;
      this.polling = this.callDue()
        .catch((error) =>
          this.options.log.error({ err: error }, `due ${this.options.what}s could not be read`),
        )
        .finally(() => {
          this.polling = undefined;
          if (!this.abort.signal.aborted) this.pollIn(this.isWoken ? WAKE_MS : POLL_MS);
        });
    }, milliseconds).unref();
  }

  private async callDue(): Promise<void> {
    const { claim, most = Number.POSITIVE_INFINITY } = this.options;
    const free = Math.min(PORTION, most - this.running.size);
    if (free <= 0) return;
    const taken = await claim(free, this.running);
    for (const due of taken) {
      this.running.set(due.id, due);
      const call = this.make(due);
      this.calls.add(call);
      call.finally(() => this.calls.delete(call));
    }
    // More may be due than one portion.
    if (taken.length > 0) this.isWoken = true;
  }

  private async make(due: Due): Promise<void> {
    const { what, log, make } = this.options;
    try {
      await make(due, { log, draining: this.abort.signal });
    } catch (error) {
      log.error({ err: error, [what]: due.id }, `the result of a ${what} could not be recorded`);
    } finally {
      this.running.delete(due.id);
    }
  }
}
