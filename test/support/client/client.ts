// Requests to the service of the test run over real HTTP, as an integrator makes them.
import { type Garage, makeGarage, theService } from '../service/service.ts';
import { witness } from './seen-answers.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers have any shape; a test that reads a wrong one fails
  readonly body: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly data: any;
}

export interface Client {
  readonly garage: Garage;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  del(path: string, headers?: Record<string, string>): Promise<Answer>;
  request(
    method: string,
    path: string,
    options?: { body?: string; headers?: Record<string, string> },
  ): Promise<Answer>;
}

/** One request; paths are below /v2 unless they begin with http. */
export async function send(
  method: string,
  path: string,
  { body, headers = {} }: { body?: string | Uint8Array; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const url = path.startsWith('http') ? path : `${theService().url}/v2${path}`;
  const response = await fetch(url, { method, headers, body, redirect: 'manual' });
  const text = await response.text();
  const json =
    response.headers.get('content-type')?.startsWith('application/json') && text !== ''
      ? JSON.parse(text)
      : undefined;
  const answer = { status: response.status, headers: response.headers, text, body: json, data: json?.data };
  witness(method, url, answer);
  return answer;
}

export function clientOf(garage: Garage): Client {
  const call = (
    method: string,
    path: string,
    options: { body?: string; headers?: Record<string, string> } = {},
  ) => send(method, path, { ...options, headers: { token: garage.token, ...options.headers } });
  const withBody =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) =>
      call(method, path, {
        body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': 'application/json', ...headers },
      });
  return {
    garage,
    get: (path, headers) => call('GET', path, { headers }),
    post: withBody('POST'),
    put: withBody('PUT'),
    del: (path, headers) => call('DELETE', path, { headers }),
    request: call,
  };
}

/** A client of a garage of its own. */
export const newClient = async (options?: Parameters<typeof makeGarage>[0]): Promise<Client> =>
  clientOf(await makeGarage(options));
