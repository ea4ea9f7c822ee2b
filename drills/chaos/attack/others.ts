// Somebody at another address who uses the service during an attack, each request on a new connection, and must hardly
// notice the attack.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Json } from '../../../test/support/client/client.ts';
import { cli } from '../../../test/support/process/process.ts';
import type { Tenant } from '../../../test/support/process/process-garage.ts';
import { PASSWORD } from '../../../test/support/service/service.ts';

const PATIENCE_MS = 5_000;

export interface User {
  readonly tenant: Tenant;
  /** The body of a log-in. */
  readonly login: Json;
  readonly contact: number;
}

/** Makes a user of a garage that can log in again. */
export async function makeUser(
  env: NodeJS.ProcessEnv,
  url: string,
  tenant: Tenant,
  username: string,
): Promise<User> {
  const { api_key } = await cli(env, 'key', 'create', '--party', username);
  const owner = ['--owner', String(tenant.owner), '--role', 'USER', '--email', `${username}@garage.example`];
  await cli(env, 'employee', 'create', '--username', username, '--password', PASSWORD, ...owner);
  const [contact] = (await tenant.ask(url, 'GET', '/contact?page_size=1')).data;
  return { tenant, login: { api_key, username, password: PASSWORD }, contact: contact.id };
}

interface Kind {
  readonly name: string;
  readonly everyMs: number;
  readonly status: number;
  readonly body?: (user: User) => Json;
}

const KINDS: readonly Kind[] = [
  { name: 'GET /v2/contact?page_size=5', everyMs: 25, status: 200 },
  {
    name: 'POST /v2/order',
    everyMs: 250,
    status: 201,
    body: ({ contact }) => ({ order_type: 1, order_date: '2026-05-01', contact_id: contact }),
  },
  { name: 'POST /v2/authenticate', everyMs: 500, status: 200, body: ({ login }) => login },
  { name: 'GET /health/ready', everyMs: 250, status: 200 },
];

/** The times of requests, in milliseconds. */
export interface Figures {
  readonly requests: number;
  /** How many were answered with another status than they should, or not at all. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  /** The slowest of each kind, and how requests failed. */
  readonly details: string;
}

/** Sends requests of all kinds, one of each kind at a time, until `during` is over. */
export async function measure(url: string, user: User, during: Promise<unknown>): Promise<Figures> {
  const token = await user.tenant.token(url);
  let isOver = false;
  const over = during.finally(() => {
    isOver = true;
  });
  const all: number[] = [];
  const failures = new Map<string, number>();
  const ask = async ({ name, everyMs, status, body }: Kind) => {
    let slowest = 0;
    while (!isOver) {
      const began = performance.now();
      const answer = await send(`${url}${name.split(' ')[1]}`, name.split(' ')[0], token, body?.(user));
      const took = performance.now() - began;
      all.push(took);
      slowest = Math.max(slowest, took);
      if (answer !== status) {
        const how = `${name} ${answer || 'without an answer'}`;
        failures.set(how, (failures.get(how) ?? 0) + 1);
      }
      await pause(everyMs);
    }
    return `${name} ${slowest.toFixed(0)}`;
  };
  const [slowest] = await Promise.all([Promise.all(KINDS.map(ask)), over]);
  all.sort((one, other) => one - other);
  const at = (share: number) => all[Math.min(all.length - 1, Math.floor(all.length * share))] ?? 0;
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  const details = [
    `slowest in ms: ${slowest.join(', ')}`,
    ...[...failures].map(([how, count]) => `failed: ${count} × ${how}`),
  ].join('; ');
  return { requests: all.length, failed, p50: at(0.5), p99: at(0.99), details };
}

/** The status; 0 if no answer came. */
const send = (url: string, method: string | undefined, token: string, body?: Json) =>
  new Promise<number>((resolve) => {
    const headers = { token, ...(body && { 'content-type': 'application/json' }) };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const sent = request(url, { method, agent: false, headers, signal }, (answer) => {
      answer.on('error', () => resolve(0));
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body && JSON.stringify(body));
  });
