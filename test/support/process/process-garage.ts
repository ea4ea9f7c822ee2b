// Makes a garage with a user as the command line does, for tests that start processes. A process for each command would
// take longer than most of these tests.
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import { createEmployee, createOwner } from '../../../src/cli/new-garage.ts';
import { createKey } from '../../../src/platform/auth/key.ts';
import { openBase } from '../../../src/platform/base.ts';
import { type Config, readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type Answer, type Json, send } from '../client/client.ts';
import { copyDatabase } from '../database/private-server.ts';
import { PASSWORD } from '../service/service.ts';

export interface Tenant {
  readonly owner: number;
  readonly webhookSecret: string;
  /** How the user logs in. */
  readonly login: { readonly api_key: string; readonly username: string; readonly password: string };
  /** A request to the service at that address, with a token got there. */
  ask(url: string, method: string, path: string, body?: Json): Promise<Answer>;
  /** A request with a body that is not JSON. */
  send(url: string, path: string, type: string, body: string): Promise<Answer>;
  /** A token got at that address. */
  token(url: string): Promise<string>;
  /** Asks for a backup and answers the job's ID. */
  backup(url: string, webhookUrl: string): Promise<string>;
}

/** A token is valid for 30 minutes. */
const RENEW_MS = 20 * 60 * 1000;

let made = 0;

export async function openTenant(env: NodeJS.ProcessEnv, { orders = 0 } = {}): Promise<Tenant> {
  const { owner, key, username } = await makeTenant(readConfig({ ...env, LOG_LEVEL: 'silent' }), orders);
  const json = { 'content-type': 'application/json' };
  let token: { readonly text: string; readonly at: number } | undefined;
  const login = { api_key: key.api_key, username, password: PASSWORD };
  const logIn = async (url: string): Promise<string> => {
    const answer = await send('POST', `${url}/v2/authenticate`, {
      body: JSON.stringify(login),
      headers: json,
    });
    if (answer.status !== 200) throw new Error(`no token: ${answer.text}`);
    return answer.body.token;
  };
  const tokenAt = async (url: string) => {
    if (!token || performance.now() - token.at > RENEW_MS)
      token = { text: await logIn(url), at: performance.now() };
    return token.text;
  };
  const ask: Tenant['ask'] = async (url, method, path, body) => {
    return send(method, `${url}/v2${path}`, {
      headers: { ...json, token: await tokenAt(url) },
      body: body && JSON.stringify(body),
    });
  };
  return {
    owner,
    webhookSecret: key.webhook_secret,
    ask,
    login,
    send: async (url, path, type, body) =>
      send('POST', `${url}/v2${path}`, {
        headers: { 'content-type': type, token: await tokenAt(url) },
        body,
      }),
    token: tokenAt,
    backup: async (url, webhook_url) => {
      const answer = await ask(url, 'POST', '/backup/owner', { webhook_url });
      if (answer.status !== 202) throw new Error(`no backup: ${answer.text}`);
      return answer.data.job_id;
    },
  };
}

async function makeTenant(config: Config, orders: number) {
  if (!config.database) await copyDatabase(join(config.storageDir, 'database'));
  const base = await openBase(config, createLog(config));
  try {
    const { database, signingSecret } = base;
    const owner = await createOwner(database, { name: 'Garage', demo: true });
    const key = await createKey(database, signingSecret, { party: 'tests', allow: [] });
    made += 1;
    const username = `anna${made}`;
    const emailaddress = 'a@garage.example';
    await createEmployee(database, { owner, username, password: PASSWORD, emailaddress, role: 'ADMIN' });
    if (orders > 0) await seed(database, { owner, orders });
    return { owner, key, username };
  } finally {
    await base.close();
  }
}
