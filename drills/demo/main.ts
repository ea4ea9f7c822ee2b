// `make demo`: runs the main scenario as an integrator would, on a service of its own with a free port, a temporary
// storage and its own certificate authority. Exits with 0 only if the downloaded archive passes all checks.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeCertificates } from '../../src/cli/certificates.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { childEnvironment } from '../../src/platform/config.ts';
import { verifyArchive } from '../../src/work/archive/verify.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const TIMEOUT_MS = 60_000;

type Json = Record<string, unknown>;

async function play(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-demo-'));
  const certificates = await makeCertificates();
  const caFile = join(folder, 'ca.pem');
  await writeFile(caFile, certificates.ca);
  const receiver = await openReceiver(certificates);
  step('Starting a service of its own (free port, temporary storage)');
  const service = await startService(join(folder, 'storage'), caFile);
  try {
    await story(service, receiver, folder);
    step('Done: every step worked.');
  } finally {
    receiver.close();
    service.process.kill('SIGTERM');
    await once(service.process, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function story(service: StartedService, receiver: Receiver, folder: string): Promise<void> {
  const { orderstatuses, ordertypes, linekinds, vatcodes, contactkinds, vehiclekinds, stockstatuses } = LISTS;
  const { url, apiKey, username, password } = service;

  step('Getting a token');
  const { token } = await request('POST', `${url}/v2/authenticate`, undefined, {
    api_key: apiKey,
    username,
    password,
  });
  const call = (method: string, path: string, body?: Json) =>
    request(method, `${url}/v2${path}`, String(token), body);
  const make = async (resource: string, body: Json) =>
    ((await call('POST', `/${resource}`, body)).data ?? {}) as Json;
  detail(`valid for 30 minutes: ${String(token).slice(0, 8)}…`);

  step('Adding a customer, a car and an order with three lines');
  const contact = await make('contact', {
    contact_kind: contactkinds.PERSON,
    first_name: 'Zoë',
    last_name: 'van den Berg',
    street: 'Lindelaan',
    huisnummer: 7,
    postcode: '3581 KL',
    city: 'Utrecht',
    country_id: 1,
    is_customer: 1,
  });
  const vehicle = await make('vehicle', {
    license_plate: 'gb001b',
    vehicle_kind: vehiclekinds.CAR,
    make: 'Volvo',
    model: 'V60',
    stock_status: stockstatuses.CUSTOMER,
  });
  const order = await make('order', {
    order_type: ordertypes.WORKSHOP,
    order_date: '2026-05-01',
    contact_id: contact.id,
    vehicle_id: vehicle.id,
    description: 'Grote beurt',
  });
  const line = (sort_order: number, description: string, quantity: number, price: number, vat_code: number) =>
    make('orderline', {
      order_id: order.id,
      sort_order,
      line_kind: linekinds.ARTICLE,
      description,
      quantity,
      price,
      vat_code,
    });
  await line(1, 'Arbeid', 2.5, 84.5, vatcodes.HIGH);
  await line(2, 'Motorolie 5W-30', 5.2, 11.95, vatcodes.HIGH);
  await line(3, 'Fietsreparatie', 1, 25, vatcodes.LOW);
  detail(
    `${contact.first_name} ${contact.last_name}, ${vehicle.make} ${vehicle.model} ${vehicle.license_plate}, order ${order.order_number}`,
  );

  step('Making it an invoice');
  const { data: invoice } = (await call('PUT', `/order/${order.id}`, {
    order_status: orderstatuses.INVOICE,
  })) as { data: Json };
  detail(
    `${invoice.invoice_number}: € ${invoice.total_net} net + € ${invoice.total_vat} VAT = € ${invoice.total_gross}`,
  );

  step('Asking for a backup of the garage');
  const asked = (await call('POST', '/backup/owner', { webhook_url: receiver.url })) as {
    successCode: number;
    data: Json;
  };
  detail(`answered ${asked.successCode} at once, job ${asked.data.job_id}`);

  step('Waiting for the callback over HTTPS');
  const secret = await withTimeout(receiver.called, 'the callback');
  detail(`called with id=${secret}`);

  step('Fetching the address of the archive');
  const { data: result } = (await call('GET', `/webhook?id=${secret}`)) as { data: Json };
  detail(String(result.url).replace(/signature=.*/, 'signature=…'));

  step('Downloading and verifying the archive');
  const download = await fetch(String(result.url));
  const bytes = Buffer.from(await download.arrayBuffer());
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  if (download.status !== 200 || sha256 !== result.sha256)
    throw new Error('the download does not match its SHA-256');
  const file = join(folder, 'backup.zip');
  await writeFile(file, bytes);
  const { rows } = await verifyArchive(file);
  const shown = Object.entries(rows).filter(([, count]) => count > 0);
  detail(
    `${bytes.length} bytes, SHA-256 correct; ${shown.map(([resource, count]) => `${count} ${resource}`).join(', ')}`,
  );
}

const step = (text: string) => process.stdout.write(`\n• ${text}\n`);
const detail = (text: string) => process.stdout.write(`    ${text}\n`);

async function request(method: string, url: string, token?: string, body?: Json): Promise<Json> {
  const answer = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...(token === undefined ? {} : { token }) },
    body: body && JSON.stringify(body),
  });
  const json = (await answer.json()) as Json;
  if (!answer.ok) throw new Error(`${method} ${new URL(url).pathname} was refused: ${json.message}`);
  return json;
}

interface StartedService {
  process: ChildProcess;
  url: string;
  apiKey: string;
  username: string;
  password: string;
}

/** Starts the service and reads the key and the login from its output, as a person would. */
async function startService(storage: string, caFile: string): Promise<StartedService> {
  const child = spawn(process.execPath, [MAIN], {
    // A process group of its own: Ctrl-C reaches only this process, which then stops the service.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({
      DATABASE_URL: '',
      HOST: '127.0.0.1',
      PORT: '0',
      PUBLIC_URL: '',
      STORAGE_DIR: storage,
      NODE_EXTRA_CA_CERTS: caFile,
      WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
      JOB_THREADS: '1',
      LOG_LEVEL: 'info',
    }),
  });
  const stopped = once(child, 'exit').then(() => {
    throw new Error('the service did not start');
  });
  const printed = new Map<string, string>();
  const listening = (async () => {
    for await (const text of createInterface({ input: child.stdout })) {
      const [, name, value] = /^ {4}(\S.*?) {2,}(\S+)$/.exec(text) ?? [];
      if (name && value) printed.set(name, value);
      const url = /"url":"([^"]+)","msg":"listening"/.exec(text)?.[1];
      if (url) return url;
    }
    return stopped;
  })();
  const url = await withTimeout(Promise.race([listening, stopped]), 'the service');
  stopped.catch(() => {});
  child.stdout.resume();
  const read = (name: string) => printed.get(name) ?? '';
  return {
    process: child,
    url,
    apiKey: read('API key'),
    username: read('username'),
    password: read('password'),
  };
}

interface Receiver {
  url: string;
  /** The secret of the first callback. */
  called: Promise<string>;
  close(): void;
}

async function openReceiver({ cert, key }: { cert: string; key: string }): Promise<Receiver> {
  const server = createServer({ cert, key });
  const called = new Promise<string>((resolve) => {
    server.on('request', (incoming, answer) => {
      answer.statusCode = 204;
      answer.end();
      resolve(new URL(incoming.url ?? '/', 'https://localhost').searchParams.get('id') ?? '');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/callback`, called, close: () => server.close() };
}

function withTimeout<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = pause(TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${what} did not come within ${TIMEOUT_MS / 1000} s`);
  });
  return Promise.race([promise, late]);
}

play().catch((error: Error) => {
  process.stderr.write(`\nforecourt demo: ${error.message}\n`);
  process.exitCode = 1;
});
