// Asks one process the same thing again and again, and notes when it works and when it fails.
import { setTimeout as pause } from 'node:timers/promises';
import { LISTS } from '../../src/core/trade/lists.ts';
import { type Asked, attempt } from './request.ts';
import type { Scene } from './scene.ts';
import { Tally } from './tally.ts';

const ASK_MS = 100;
/** An answer that takes longer counts as a failure. */
const SLOW_MS = 3_000;

export class Asker {
  readonly name: string;
  readonly tally = new Tally();
  /** Milliseconds. */
  slowest = 0;
  /** By performance.now(). */
  lastFailure?: number;
  private firstSuccess?: number;
  private askedAt = 0;
  private phase?: Tally;
  private isStopped = false;
  private readonly running: Promise<void>;

  constructor(name: string, url: string, asked: Asked) {
    this.name = name;
    this.running = this.ask(url, asked);
  }

  /** Counts the requests that begin from now on, beside the count of all. */
  startPhase(): Tally {
    this.phase = new Tally();
    return this.phase;
  }

  /** Since when it works, by performance.now(); 0: it never failed; undefined: it does not work. */
  worksSince(): number | undefined {
    if (performance.now() - this.askedAt > SLOW_MS) return undefined;
    return this.lastFailure === undefined ? 0 : this.firstSuccess;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
  }

  private async ask(url: string, asked: Asked): Promise<void> {
    while (!this.isStopped) {
      const { phase } = this;
      this.askedAt = performance.now();
      const answer = await attempt(url, asked, this.tally);
      phase?.add(answer);
      const now = performance.now();
      const took = now - this.askedAt;
      this.slowest = Math.max(this.slowest, took);
      if (!answer || answer.status >= 300 || took > SLOW_MS)
        [this.lastFailure, this.firstSuccess] = [now, undefined];
      else this.firstSuccess ??= now;
      await pause(ASK_MS);
    }
  }
}

/** Two askers at each process, one that reads and one that writes. Stop them all. */
export async function startAskers(scene: Scene): Promise<Asker[]> {
  const body = { contact_kind: LISTS.contactkinds.PERSON, last_name: 'de Boer', country_id: 1 };
  const token = await scene.tenant.token(scene.process(0).url);
  return scene.processes.flatMap(({ name, url }) => [
    new Asker(`${name} GET`, url, { method: 'GET', path: '/contact?page_size=1', token }),
    new Asker(`${name} POST`, url, { method: 'POST', path: '/contact', token, body }),
  ]);
}
