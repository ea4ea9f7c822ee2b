// A request that may fail: a process or a node may be gone. Each answer is counted.
import type { Answer, Json } from '../../test/support/client/client.ts';
import type { Tally } from './tally.ts';

const PATIENCE_MS = 30_000;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly token: string;
  readonly body?: Json;
  readonly headers?: Record<string, string>;
}

/** Undefined: the connection broke, or no answer came in time. `path` is below /v2. */
export async function attempt(
  url: string,
  { method, path, token, body, headers = {} }: Asked,
  tally: Tally,
): Promise<Answer | undefined> {
  const answer = await fetch(`${url}/v2${path}`, {
    method,
    headers: { 'content-type': 'application/json', token, ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
    .then(async (response): Promise<Answer> => {
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      const json = isJson ? JSON.parse(text) : undefined;
      return { status: response.status, headers: response.headers, text, body: json, data: json?.data };
    })
    .catch((error: Error) => {
      if (error.name === 'TimeoutError') tally.late += 1;
      return undefined;
    });
  tally.add(answer, `${method} ${path}`);
  return answer;
}
