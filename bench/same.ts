// Whether the baselines answer what the service answers. Without that no comparison of speed says anything.
import { deepStrictEqual } from 'node:assert';
import type { Request } from './load.ts';
import type { Point } from './points.ts';

const COMPARED_ANSWERS = 25;

/** An address and a token to call it with. */
export interface Caller {
  readonly url: string;
  readonly token: string;
}

/** Throws where the others do not answer the requests of a point as the first does. */
export async function demandSame(callers: readonly Caller[], { kind, series }: Point): Promise<void> {
  for (const { requests } of series) {
    if (kind === 'read') await demandSameText(callers, requests(0).slice(0, COMPARED_ANSWERS));
    else {
      const [before, request] = [requests(0)[0], requests(1)[0]];
      if (!before || !request) throw new Error('There is no record to write to');
      await demandSameWrites(callers, before, request);
    }
  }
}

export async function ask({ url, token }: Caller, { method, path, body }: Request): Promise<string> {
  const answer = await fetch(url + path, {
    method,
    body,
    headers: { token, 'content-type': 'application/json' },
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} is answered ${answer.status} by ${url}: ${text}`);
  return text;
}

/** Throws unless all answer a GET byte by byte as the first does. */
async function demandSameText(callers: readonly Caller[], requests: readonly Request[]): Promise<void> {
  for (const request of requests) {
    const [expected, ...others] = await Promise.all(callers.map((caller) => ask(caller, request)));
    for (const text of others) {
      if (text === expected) continue;
      deepStrictEqual(JSON.parse(text), JSON.parse(expected ?? ''));
      throw new Error(`${request.path}: the same values, written in another way`);
    }
  }
}

/**
 * Throws unless all answer a write with the same record, but for IDs and times. `before` is written in between,
 * so that each has something to change.
 */
async function demandSameWrites(
  callers: readonly Caller[],
  before: Request,
  request: Request,
): Promise<void> {
  let expected: unknown;
  for (const caller of callers) {
    await ask(caller, before);
    const answer = JSON.parse(await ask(caller, request)) as { data: Record<string, unknown> };
    const shown = { ...answer, data: { ...answer.data, id: 0, created_at: '', modified_at: '' } };
    expected ??= shown;
    deepStrictEqual(shown, expected);
  }
}
