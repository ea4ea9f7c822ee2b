// A receiver of callbacks and events, for `forecourt listen`: an HTTPS server that judges the signature of each call,
// and answers as it is told.
import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { type Sign, type Signed, signatureOf } from '../platform/calls/exchange.ts';
import { PAUSES } from '../platform/calls/turn.ts';
import { eventSign, isEventSecret } from '../work/events/event-call.ts';
import { callbackSign } from '../work/jobs/callback-call.ts';
import type { Certificates } from './certificates.ts';

const HOST = '127.0.0.1';
/** No call of the service is longer. */
const LONGEST_BODY = 64 * 1024;
/** The libraries of Standard Webhooks refuse older and newer calls. */
const RECENT_SECONDS = 300;
/** Calls whose tries are counted. */
const MOST_KNOWN = 10_000;
/** A 410 tells the service that nobody wants its events any more. */
const GONE = 410;

/** `unchecked`: no secret for such a call is known. */
export type Verdict = 'right' | 'wrong' | 'too old' | 'unchecked';

/** One call, and the answer to it. */
export interface ReceivedCall {
  readonly kind: 'callback' | 'event';
  readonly url: string;
  readonly id: string;
  /** The body of an event. */
  readonly body: string;
  readonly signature: Verdict;
  /** From 1. */
  readonly attempt: number;
  readonly status: number;
  /** Seconds until the service tries again; null: it does not. */
  readonly nextTry: number | null;
}

interface Answers {
  readonly status: number;
  /** How many tries of each call are answered by it, before 204; Infinity: all. */
  readonly times: number;
}

export interface Receiver {
  readonly port: number;
  close(): Promise<void>;
}

/** Throws an error of one line if the port is in use. */
export async function openReceiver(
  {
    certificates: { cert, key },
    port,
    answers,
    secrets,
  }: {
    readonly certificates: Certificates;
    readonly port: number;
    readonly answers: Answers;
    /** Secrets of keys and of subscriptions. More may come while it listens. */
    readonly secrets: ReadonlySet<string>;
  },
  onCall: (call: ReceivedCall) => void,
): Promise<Receiver> {
  const attempts = new Map<string, number>();
  const server = createServer({ cert, key }, async (request, response) => {
    const body = await bodyOf(request).catch(() => '');
    const id = String(request.headers['webhook-id'] ?? '');
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    const [oldest] = attempts.keys();
    if (attempts.size > MOST_KNOWN && oldest !== undefined) attempts.delete(oldest);
    const status = attempt <= answers.times ? answers.status : 204;
    response.writeHead(status, { 'content-length': 0 }).end();
    const call = { ...read(request, body), id, body, attempt, status };
    onCall({ ...call, signature: judge(request, call, secrets), nextTry: nextTry(call) });
  });
  server.listen(port, HOST);
  await once(server, 'listening').catch((error) => {
    throw new Error(`Port ${port} can't be listened on (${error.code}): choose another one by --port`);
  });
  return {
    port,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length <= LONGEST_BODY) chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

type Read = Pick<ReceivedCall, 'kind' | 'url'> & { readonly content: string };

/** A callback is a GET and signs its address. An event is a POST and signs its body. */
function read({ method, url = '/', headers }: IncomingMessage, body: string): Read {
  const address = `https://${headers.host}${url}`;
  return method === 'POST'
    ? { kind: 'event', url: address, content: body }
    : { kind: 'callback', url: address, content: address };
}

function judge(
  { headers }: IncomingMessage,
  { kind, content, id }: Read & { readonly id: string },
  secrets: ReadonlySet<string>,
): Verdict {
  const timestamp = String(headers['webhook-timestamp'] ?? '');
  const given = String(headers['webhook-signature'] ?? '');
  const signs = [...secrets].flatMap((secret): Sign[] =>
    isEventSecret(secret) === (kind === 'event')
      ? [kind === 'event' ? eventSign(secret) : callbackSign(secret)]
      : [],
  );
  if (signs.length === 0) return 'unchecked';
  if (!signs.some((sign) => isSigned({ id, timestamp, content }, given, sign))) return 'wrong';
  return Math.abs(Date.now() / 1_000 - Number(timestamp)) < RECENT_SECONDS ? 'right' : 'too old';
}

/** A call may bear several signatures. */
function isSigned(signed: Signed, given: string, sign: Sign): boolean {
  const expected = Buffer.from(signatureOf(signed, sign));
  return given
    .split(' ')
    .map((one) => Buffer.from(one))
    .some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}

function nextTry({
  kind,
  status,
  attempt,
}: Pick<ReceivedCall, 'kind' | 'status' | 'attempt'>): number | null {
  const isDelivered = status >= 200 && status < 300;
  if (isDelivered || (kind === 'event' && status === GONE)) return null;
  return PAUSES[attempt - 1] ?? null;
}
