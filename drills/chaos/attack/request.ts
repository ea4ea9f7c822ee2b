// Requests of the attacker, from an address of its own.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Target } from './part.ts';

export const ATTACKER = '127.0.0.2';
const POLL_MS = 500;
const OVER = ['done', 'failed', 'cancelled'];

interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer may have any shape
  readonly body: any;
}

interface Sent {
  readonly body?: string | Buffer;
  readonly type?: string;
}

/** Begins a request, each on a new connection. The caller writes the body and ends it. */
export function begin({ url, token }: Target, method: string, path: string, type = 'application/json') {
  const headers = { token, 'content-type': type };
  const sent = request(`${url}/v2${path}`, { method, agent: false, headers, localAddress: ATTACKER });
  const answer = new Promise<Answer>((resolve) => {
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(chunks) }));
      response.on('error', () => resolve({ status: 0, body: undefined }));
    });
    sent.on('error', () => resolve({ status: 0, body: undefined }));
  });
  return { sent, answer };
}

export function ask(target: Target, method: string, path: string, { body, type }: Sent = {}) {
  const { sent, answer } = begin(target, method, path, type);
  if (body !== undefined) sent.setHeader('content-length', Buffer.byteLength(body));
  sent.end(body);
  return answer;
}

/** Reads an answer of any length and throws it away; of a refusal it keeps the message. */
export function drain({ url, token }: Target, path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const options = { agent: false, headers: { token }, localAddress: ATTACKER };
    request(`${url}/v2${path}`, options, (response) => {
      const status = response.statusCode ?? 0;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => status !== 200 && chunks.push(chunk));
      response.on('end', () => resolve({ status, body: parsed(chunks) }));
      response.on('error', () => resolve({ status: 0, body: undefined }));
    })
      .on('error', () => resolve({ status: 0, body: undefined }))
      .end();
  });
}

function parsed(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

/** Asks again and again, some at once, until the time is over. */
export async function repeat(
  { milliseconds }: Target,
  senders: number,
  send: (turn: number) => Promise<unknown>,
): Promise<void> {
  const until = performance.now() + milliseconds;
  let turn = 0;
  const again = async () => {
    while (performance.now() < until) await send(turn++);
  };
  await Promise.all(Array.from({ length: senders }, again));
}

/** How a request ended. */
export interface Outcome {
  readonly status: number;
  /** The text of a refusal; empty for a good answer. */
  readonly message: string;
}

const LONGEST_MESSAGE = 60;

/** Counts answers by their status, and refusals also by their message. */
export class Tally {
  private readonly counts = new Map<string, { outcome: Outcome; count: number }>();

  add({ status, body }: Answer): void {
    const message = status >= 400 ? String(body?.message ?? '').slice(0, LONGEST_MESSAGE) : '';
    const what = `${status} ${message}`.trim();
    const { count = 0 } = this.counts.get(what) ?? {};
    this.counts.set(what, { outcome: { status, message }, count: count + 1 });
  }

  /** How many of the answers fit. */
  count(test: (outcome: Outcome) => boolean): number {
    const such = [...this.counts.values()].filter(({ outcome }) => test(outcome));
    return such.reduce((sum, { count }) => sum + count, 0);
  }

  toString(): string {
    return [...this.counts].map(([what, { count }]) => `${count} × ${what}`).join(', ') || 'none';
  }
}

/** A job as the API shows it. */
interface ShownJob {
  readonly status: string;
  readonly error: string | null;
  readonly url?: string;
  readonly size?: number;
}

/** Asks for a job and waits for its end. Throws if the request is refused or the end does not come. */
export async function runJob(
  target: Target,
  path: string,
  sent: Sent,
  patienceMs: number,
): Promise<ShownJob> {
  const answer = await ask(target, 'POST', path, sent);
  if (answer.status !== 202)
    throw new Error(`${path} answered ${answer.status} ${answer.body?.message ?? ''}`);
  return jobOver(target, answer.body.data.job_id, patienceMs);
}

async function jobOver(target: Target, id: string, patienceMs: number): Promise<ShownJob> {
  const end = performance.now() + patienceMs;
  while (performance.now() < end) {
    const { status, body } = await ask(target, 'GET', `/job/${id}`);
    if (status === 200 && OVER.includes(body.data.status)) return body.data;
    await pause(POLL_MS);
  }
  throw new Error(`the job did not end within ${patienceMs / 1000} s`);
}
