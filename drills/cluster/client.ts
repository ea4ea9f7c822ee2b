// A client that does not give up: it sends a request again until it is acknowledged or refused, a POST with the same
// Idempotency-Key. Some clients use the proxy, the others all processes in turn.
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Json } from '../../test/support/client/client.ts';
import type { Ledger, Marked } from './ledger.ts';
import { attempt } from './request.ts';
import type { Scene } from './scene.ts';

const PATIENCE_MS = 120_000;
const AGAIN_MS = 300;

interface Outcome {
  readonly answer: Answer;
  /** How often it was sent. */
  readonly sent: number;
}

/** The request was never acknowledged. */
export class Unanswered extends Error {}

export class PersistentClient {
  readonly ledger: Ledger;
  /** Milliseconds that the slowest request took to be acknowledged. */
  slowest = 0;
  /** When each failed try ended, by performance.now(). */
  readonly failures: number[] = [];
  /** When each request was acknowledged, by performance.now(). */
  readonly acknowledged: number[] = [];
  private readonly scene: Scene;
  private readonly token: string;
  private readonly index: number;
  private turn = 0;

  constructor(scene: Scene, ledger: Ledger, { index, token }: { index: number; token: string }) {
    this.scene = scene;
    this.ledger = ledger;
    this.index = index;
    this.token = token;
  }

  /** Adds a record with a mark and answers its ID; undefined: refused. */
  async add(resource: Marked, mark: string, body: Json): Promise<number | undefined> {
    const { answer } = await this.send('POST', `/${resource}`, body);
    if (answer.status === 201) this.ledger.added(resource, mark, answer.data.id);
    else this.ledger.refuse(resource, mark);
    return answer.data?.id;
  }

  /** Changes a record. False: refused. */
  async change(resource: Marked, id: number, body: Json): Promise<boolean> {
    const { answer, sent } = await this.send('PUT', `/${resource}/${id}`, body);
    // If an earlier try made the invoice and its answer was lost, the refusal says so.
    const isDone = sent > 1 && answer.body?.code === 'record_frozen';
    if (answer.status !== 200 && !isDone) return false;
    this.ledger.changed(resource, id, body);
    return true;
  }

  /** Throws Unanswered if no answer comes. */
  async send(method: string, path: string, body?: Json): Promise<Outcome> {
    const headers: Record<string, string> =
      method === 'POST' ? { 'idempotency-key': crypto.randomUUID() } : {};
    const began = performance.now();
    for (let sent = 1; performance.now() - began < PATIENCE_MS; sent += 1) {
      const asked = { method, path, token: this.token, body, headers };
      const answer = await attempt(this.url(), asked, this.scene.tally);
      if (answer && isFinal(answer)) {
        const now = performance.now();
        this.slowest = Math.max(this.slowest, now - began);
        this.acknowledged.push(now);
        return { answer, sent };
      }
      this.failures.push(performance.now());
      await pause(AGAIN_MS);
    }
    this.ledger.unanswered.push(`${method} ${path}`);
    throw new Unanswered();
  }

  private url(): string {
    this.turn += 1;
    return this.index % 2 === 0 ? this.scene.proxy.url : this.scene.process(this.turn).url;
  }
}

/** Whether there is nothing to gain from sending it again. */
const isFinal = ({ status, body }: Answer) => status < 500 && body?.code !== 'idempotency_key_running';
