// The baseline on node:http alone. No framework can be faster.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { compressed } from './compress.ts';
import { type Baseline, Refused } from './database.ts';
import { login } from './login.ts';
import { addLine, changeLine, deleteLine } from './order-lines.ts';
import { getOrder, listOrders, type Query } from './orders.ts';
import { readJson, start } from './start.ts';

const ORDER = '/v2/order';
const LINE = '/v2/orderline';

start((baseline) => (request, response) => {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  answer(baseline, request).then(
    async ([status, body]) => send(response, status, body, await compressed(body, accepted)),
    (error) => {
      const status = error instanceof Refused ? error.status : 500;
      send(response, status, JSON.stringify({ errorCode: status, message: String(error) }));
    },
  );
});

async function answer(baseline: Baseline, request: IncomingMessage): Promise<[number, string]> {
  const { method, url = '' } = request;
  if (method === 'POST' && url === '/v2/authenticate')
    return [200, await login(baseline, await readJson(request), String(request.socket.remoteAddress))];
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

function send(response: ServerResponse, status: number, body: string, packed?: Buffer): void {
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': packed?.length ?? Buffer.byteLength(body),
    Vary: 'Accept-Encoding',
    ...(packed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(packed ?? body);
}
