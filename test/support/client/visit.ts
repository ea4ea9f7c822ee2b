// A tour of the service: one real request for each method of each endpoint, and its answer. `make docs` writes it down,
// and tests compare it with the OpenAPI document.

import type { Method } from '../../../src/core/model/records/record.ts';
import { findResource } from '../../../src/core/model/records/registry.ts';
import { docOf, type Operation } from '../../../src/http/endpoint.ts';
import { TAG as LONG_RUNNING } from '../../../src/http/endpoints/long-running.ts';
import { endpoints } from '../../../src/http/endpoints/table.ts';
import { build, sampleBody } from '../build/build.ts';
import { openReceiver } from '../process/https-receiver.ts';
import { until } from '../service/until.ts';
import { type Answer, type Client, type Json, newClient, send } from './client.ts';
import { type Request, type SentFile, specialRequests } from './tour.ts';

export interface Stop {
  readonly method: Method;
  /** As in the table of endpoints: `/order`, with `/{id}` for one record. */
  readonly endpoint: string;
  readonly path: string;
  readonly body?: Json;
  /** A body that is not JSON. */
  readonly file?: SentFile;
  readonly answer: Answer;
}

const tagOf = (operation: Operation | undefined) => operation && docOf(operation.doc).tag;

/**
 * Visits everything that is served, in the order of the table of endpoints. Each plain endpoint has a garage of its
 * own, so that its answers do not depend on other endpoints. Calls `onEndpoint` before each of them.
 */
export async function tour(onEndpoint: () => void = () => {}): Promise<Stop[]> {
  const client = await newClient();
  const receiver = await openReceiver();
  const stops: Stop[] = [];
  const visit = async (garage: Client, method: Method, endpoint: string, request: Request) => {
    const [path, body, as = garage, file] = request;
    const answer = file
      ? await as.request(method, path, { body: file.text, headers: { 'content-type': file.type } })
      : await call(as, method, path, body);
    stops.push({ method, endpoint: pathOf(endpoint, path), path, body, file, answer });
    return answer;
  };
  const webhook_url = receiver.url('/other');
  try {
    const special = await specialRequests(client, receiver.url('/hook'), () =>
      until(async () => {
        const called = receiver.requests.find(({ url }) => url.startsWith('/hook'));
        return called && (new URL(called.url, 'https://localhost').searchParams.get('id') ?? '');
      }),
    );
    for (const { path, methods } of endpoints()) {
      const resource = findResource(path.slice(1));
      const own = await newClient();
      onEndpoint();
      for (const method of Object.keys(methods) as Method[]) {
        const requests = special[`${method} ${path}`];
        if (requests) for (const request of await requests()) await visit(client, method, path, request);
        else if (resource && method === 'GET') {
          if (methods.POST) await build(own, resource.name);
          const [first] = (await visit(own, method, path, [`${path}?page_size=2&sort=-id`])).data;
          await visit(own, method, path, [`${path}/${first.id}`]);
        } else if (resource && method === 'POST') {
          await visit(own, method, path, [path, await sampleBody(own, resource)]);
        } else if (tagOf(methods[method]) === LONG_RUNNING) {
          await visit(own, method, path, [path, { webhook_url }]);
        } else if (resource) {
          const { id } = await build(own, resource.name);
          await visit(own, method, path, [
            `${path}/${id}`,
            method === 'PUT' ? { external_id: 'shop-7' } : undefined,
          ]);
        } else
          throw new Error(
            `Add a request for ${method} ${path} to specialRequests in test/support/client/tour.ts`,
          );
      }
    }
  } finally {
    await receiver.close();
  }
  return stops;
}

function call(client: Client, method: Method, path: string, body?: Json): Promise<Answer> {
  if (path.startsWith('/authenticate') && path.includes('?')) return send(method, path);
  switch (method) {
    case 'GET':
      return client.get(path);
    case 'POST':
      return client.post(path, body);
    case 'PUT':
      return client.put(path, body);
    case 'DELETE':
      return client.del(path);
  }
}

/** The path as in the description: `{id}` for the ID behind the path of an endpoint. */
function pathOf(endpoint: string, path: string): string {
  if (endpoint === '/model') return '/model/{name}';
  const isOne = !endpoint.includes('{') && /\/[^/?]+/.test(path.slice(endpoint.length));
  return isOne ? `${endpoint}/{id}` : endpoint;
}
