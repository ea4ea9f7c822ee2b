// One service for the whole run, with a private database, a storage, a free port and real worker threads. Root hooks
// start and stop it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEmployee, createOwner, type NewEmployee } from '../../../src/cli/new-garage.ts';
import { createKey } from '../../../src/platform/auth/key.ts';
import { type Base, openBase } from '../../../src/platform/base.ts';
import { type Config, readConfig } from '../../../src/platform/config.ts';
import { createLog } from '../../../src/platform/log.ts';
import { type Service, startService } from '../../../src/service.ts';
import type { OpenApi } from '../client/description.ts';
import { holdAgainst } from '../client/seen-answers.ts';
import { copyDatabase, QUICK_SERVER } from '../database/private-server.ts';
import { select } from '../database/sql.ts';
import { endLeftServices, processEnvironment } from '../process/process.ts';

export const PASSWORD = 'correct horse battery';

interface Running {
  readonly base: Base;
  readonly service: Service;
  readonly url: string;
  readonly folder: string;
}

let running: Running | undefined;

export function theService(): Running {
  if (!running) throw new Error('The service of the test run is not started');
  return running;
}

/** The environment of a command of the run's service. */
export const serviceEnvironment = (): NodeJS.ProcessEnv => {
  const { storage, config } = theService().base;
  return processEnvironment(storage.directory, { SIGNING_SECRET: config.signingSecret });
};

/** A path in the storage of the run's service. */
export const inStorage = (...path: string[]) => join(theService().base.storage.directory, ...path);

export const database = () => theService().base.database;

export const testConfig = (storage: string, overrides: NodeJS.ProcessEnv = {}): Config =>
  readConfig({
    DATABASE_SERVER: process.env.DATABASE_SERVER,
    PORT: '0',
    STORAGE_DIR: storage,
    WEBHOOK_ALLOW: '127.0.0.0/8,::1/128',
    LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
    JOB_THREADS: '2',
    SIGNING_SECRET: 'the signing secret of the tests',
    ...overrides,
  });

export const mochaHooks = {
  async beforeAll(this: Mocha.Context) {
    this.timeout(60_000);
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-test-'));
    const config = testConfig(join(folder, 'storage'));
    await copyDatabase(join(config.storageDir, 'database'));
    const base = await openBase(config, createLog(config), { serverSettings: QUICK_SERVER });
    const service = await startService(base);
    running = { base, service, url: `http://127.0.0.1:${service.port}`, folder };
  },
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    const left = endLeftServices();
    if (!running) return;
    const { url, service, base, folder } = running;
    const description = (await (await fetch(`${url}/v2/openapi.json`)).json()) as OpenApi;
    await service.stop();
    await base.close();
    await rm(folder, { recursive: true, force: true });
    holdAgainst(description);
    if (left > 0) throw new Error(`the tests left ${left} services running`);
  },
};

let usernames = 0;

/** A garage with one person who can log in. */
export interface Garage {
  readonly owner: number;
  readonly username: string;
  readonly apiKey: string;
  readonly webhookSecret: string;
  readonly token: string;
}

/** Makes a garage, a key and an employee, and logs in. */
export async function makeGarage(
  options: { allow?: string[]; role?: NewEmployee['role']; owner?: number } = {},
): Promise<Garage> {
  const { base } = theService();
  const owner = options.owner ?? (await createOwner(base.database, { name: 'Garage Test', demo: true }));
  usernames += 1;
  const username = `user${usernames}`;
  await createEmployee(base.database, {
    owner,
    username,
    password: PASSWORD,
    emailaddress: `${username}@garage.example`,
    role: options.role ?? 'ADMIN',
  });
  const key = await createKey(base.database, base.signingSecret, {
    party: 'tests',
    allow: options.allow ?? [],
  });
  const { service } = theService();
  const [row] = await select(base.database, 'SELECT id FROM employees WHERE username = ?', [username]);
  const { token } = await service.services.tokens.issue({ owner, employee: Number(row?.id), apiKey: key.id });
  return { owner, username, apiKey: key.api_key, webhookSecret: key.webhook_secret, token };
}
