// Checks that all servers give the same answers. A comparison of speed means nothing otherwise.
import { deepStrictEqual } from 'node:assert';
import type { Request } from './load.ts';
import type { Point, Series } from './points.ts';

const COMPARED_READS = 25;
/** Long enough for one DELETE request for each server. */
const SHORT_RUN_SECONDS = 0.01;

/** A server's address and a token for it. */
export interface Caller {
  readonly url: string;
  readonly token: string;
}

/** A server whose points are made long before they are measured: a token is valid for half an hour. */
export interface LastingCaller {
  readonly url: string;
  readonly newToken: () => Promise<string>;
}

/** Throws unless all callers get the same answers to the requests of a point. */
export async function demandSame(callers: readonly Caller[], { kind, series }: Point): Promise<void> {
  for (const { requests } of series) await CHECKS[kind](callers, requests);
}

type Check = (callers: readonly Caller[], requests: Series['requests']) => Promise<void>;

const CHECKS: Readonly<Record<Point['kind'], Check>> = {
  read: demandSameReads,
  write: demandSameWrites,
  delete: demandSameDeletes,
  login: demandTokens,
  own: async () => {},
};

/** Sends a request and returns the text of the answer. Throws if the status is not 2xx. */
export async function send(caller: Caller, request: Request): Promise<string> {
  const { status, text } = await call(caller, request);
  if (status >= 200 && status < 300) return text;
  throw new Error(`${caller.url} answered ${status} to ${request.method} ${request.path}: ${text}`);
}

/** The answer's headers and its text, which `fetch` has decoded. */
async function call({ url, token }: Caller, { method, path, body, headers: more }: Request) {
  const headers = { token, 'content-type': 'application/json', ...more };
  const answer = await fetch(url + path, { method, body, headers });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

/** Compares the answers byte by byte. */
async function demandSameReads(callers: readonly Caller[], requests: Series['requests']): Promise<void> {
  for (const request of (await requests(0, 1)).slice(0, COMPARED_READS)) {
    const [expected, ...others] = await Promise.all(callers.map((caller) => send(caller, request)));
    for (const text of others) {
      if (text === expected) continue;
      deepStrictEqual(JSON.parse(text), JSON.parse(expected ?? ''));
      throw new Error(`${request.path}: equal values, but different text`);
    }
  }
}

/**
 * Compares the records in the answers, except for IDs and times. Each caller sends the request of run 0 before
 * the request of run 1, so that each has something to change.
 */
async function demandSameWrites(callers: readonly Caller[], requests: Series['requests']): Promise<void> {
  const [[before], [request]] = [await requests(0, 1), await requests(1, 1)];
  if (!before || !request) throw new Error('There is no record to write to');
  let expected: unknown;
  for (const caller of callers) {
    await send(caller, before);
    const answer = JSON.parse(await send(caller, request)) as { data: Record<string, unknown> };
    const shown = { ...answer, data: { ...answer.data, id: 0, created_at: '', modified_at: '' } };
    expected ??= shown;
    deepStrictEqual(shown, expected);
  }
}

/** Each caller gives a token. */
async function demandTokens(callers: readonly Caller[], requests: Series['requests']): Promise<void> {
  const [request] = await requests(0, 1);
  if (!request) throw new Error('There is no login');
  for (const caller of callers) {
    const { token, expires_at } = JSON.parse(await send(caller, request)) as Record<string, unknown>;
    if (typeof token !== 'string' || typeof expires_at !== 'string')
      throw new Error(`${caller.url} gave no token`);
  }
}

/** Each caller deletes a record of its own. The answers may differ in the ID only, and the record must be gone. */
async function demandSameDeletes(callers: readonly Caller[], requests: Series['requests']): Promise<void> {
  const deletes = await requests(0, SHORT_RUN_SECONDS);
  let expected: string | undefined;
  for (const [index, caller] of callers.entries()) {
    const request = deletes[index];
    if (!request) throw new Error('There is no record to delete');
    const id = request.path.slice(request.path.lastIndexOf('/') + 1);
    const shown = (await send(caller, request)).replace(`"id":${id}`, '"id":0');
    expected ??= shown;
    deepStrictEqual(shown, expected);
    const again = await call(caller, request);
    if (again.status !== 404) throw new Error(`${caller.url} did not delete ${request.path}`);
  }
}
