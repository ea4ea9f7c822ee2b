// The baseline on node:http alone. No framework can be faster.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Baseline, Refused } from './database.ts';
import { addLine, changeLine, deleteLine } from './order-lines.ts';
import { getOrder, listOrders, type Query } from './orders.ts';
import { readJson, start } from './start.ts';

const ORDER = '/v2/order';
const LINE = '/v2/orderline';

start((baseline) => (request, response) => {
  answer(baseline, request).then(
    ([status, body]) => send(response, status, body),
    (error) => {
      const status = error instanceof Refused ? error.status : 500;
      send(response, status, JSON.stringify({ errorCode: status, message: String(error) }));
    },
  );
});

async function answer(baseline: Baseline, request: IncomingMessage): Promise<[number, string]> {
  const { method, url = '' } = request;
  const caller = await baseline.caller(request.headers.token);
  const { owner } = caller;
  const [path = '', query = ''] = url.split('?');
  if (method === 'GET' && path === ORDER) {
    const parameters = Object.fromEntries(new URLSearchParams(query)) as Query;
    return [200, await listOrders(baseline, owner, parameters)];
  }
  if (method === 'GET' && path.startsWith(`${ORDER}/`))
    return [200, await getOrder(baseline, owner, path.slice(ORDER.length + 1))];
  if (method === 'POST' && path === LINE)
    return [201, await addLine(baseline, caller, await readJson(request))];
  if (method === 'PUT' && path.startsWith(`${LINE}/`))
    return [200, await changeLine(baseline, caller, path.slice(LINE.length + 1), await readJson(request))];
  if (method === 'DELETE' && path.startsWith(`${LINE}/`))
    return [200, await deleteLine(baseline, caller, path.slice(LINE.length + 1))];
  throw new Refused(404, 'no such endpoint');
}

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
