// A client with connections that it keeps: half of its requests read a record, half make one with an Idempotency-Key.
// It never sends a request twice, so each failure shows.
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const TICK_MS = 10;
const CONNECTIONS = 64;
const MOST_SHOWN = 160;

export interface Tally {
  readonly sent: number;
  /** POSTs that were answered with 200 or 201. */
  readonly acknowledged: number;
  readonly not2xx: number;
  readonly resets: number;
  /** Each kind of failure, and how often it came. */
  readonly failures: ReadonlyMap<string, number>;
}

export class RollingLoad {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  private readonly url: string;
  private readonly token: string;
  private readonly counts = { sent: 0, acknowledged: 0, not2xx: 0, resets: 0 };
  private readonly failures = new Map<string, number>();
  private readonly open = new Set<Promise<void>>();
  private sending?: Promise<void>;
  private over = false;

  /** `url`: below it lie the paths of the API. */
  constructor(url: string, token: string) {
    this.url = url;
    this.token = token;
  }

  /** Sends so many requests a second until `stop`, or fewer if the answers take too long. */
  start(rate: number): void {
    this.sending = this.send(rate);
  }

  /** Waits for the answers that are on their way. */
  async stop(): Promise<Tally> {
    this.over = true;
    await this.sending;
    await Promise.all(this.open);
    this.agent.destroy();
    return { ...this.counts, failures: this.failures };
  }

  private async send(rate: number): Promise<void> {
    let owed = 0;
    for (let before = performance.now(); !this.over; await pause(TICK_MS)) {
      const now = performance.now();
      owed += ((now - before) / 1000) * rate;
      before = now;
      for (; owed >= 1 && this.open.size < CONNECTIONS; owed -= 1) {
        const ended = this.one(this.counts.sent % 2 === 0).finally(() => this.open.delete(ended));
        this.open.add(ended);
        this.counts.sent += 1;
      }
      // A machine that is too busy gets fewer requests, not all of them later.
      owed = Math.min(owed, CONNECTIONS);
    }
  }

  private async one(reads: boolean): Promise<void> {
    const began = new Date().toISOString();
    try {
      const { status, text } = reads
        ? await this.call('GET', '/country/1')
        : await this.call('POST', '/contact');
      if (status >= 200 && status < 300) this.counts.acknowledged += reads ? 0 : 1;
      else {
        this.counts.not2xx += 1;
        this.fail(`${status} ${text.slice(0, MOST_SHOWN)}`);
      }
    } catch (error) {
      this.counts.resets += 1;
      this.fail(`${(error as NodeJS.ErrnoException).code ?? error} at ${began}`);
    }
  }

  private fail(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }

  private call(method: 'GET' | 'POST', path: string): Promise<{ status: number; text: string }> {
    const body =
      method === 'POST'
        ? JSON.stringify({ contact_kind: 1, last_name: 'Rolling', country_id: 1 })
        : undefined;
    const headers = {
      token: this.token,
      ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
    };
    return new Promise((resolve, reject) => {
      const sending = request(`${this.url}${path}`, { method, headers, agent: this.agent }, (answer) => {
        answer
          .toArray()
          .then((chunks) => resolve({ status: answer.statusCode ?? 0, text: chunks.join('') }), reject);
      });
      sending.on('error', reject).end(body);
    });
  }
}
