// The service as a process with a private database, both on a clock that the test moves.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import type { PrivateServer } from '../../../src/platform/database/private-server.ts';
import { type Answer, type Json, send } from '../client/client.ts';
import { killServer, runningName } from '../database/database-server.ts';
import { NO_FILES } from '../database/no-files.ts';
import { copyDatabase, joinServer } from '../database/private-server.ts';
import { type FakeClock, openFakeClock } from './fake-clock.ts';
import { processEnvironment, type StartedProcess, startProcess } from './process.ts';
import { openTenant, type Tenant } from './process-garage.ts';

export interface ClockedService {
  readonly clock: FakeClock;
  readonly environment: NodeJS.ProcessEnv;
  readonly storage: string;
  readonly tenant: Tenant;
  /** The test's own way into the database. */
  readonly database: Database;
  /** For a connection of the test that needs its own. */
  readonly connection: PrivateServer['connection'];
  readonly process: StartedProcess;
  /** Starts the process again, after it was killed. */
  start(): Promise<void>;
  /** A token of the present. */
  logIn(): Promise<string>;
  /** A request, with a token of the present if none is given: a token of another time may have ended. */
  ask(method: string, path: string, body?: Json, token?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** The clock shows the true time at first. */
export async function openClockedService(changes: NodeJS.ProcessEnv = {}): Promise<ClockedService> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-clock-'));
  const storage = join(folder, 'storage');
  const directory = join(storage, 'database');
  const clock = await openFakeClock(folder);
  const environment = processEnvironment(storage, { ...clock.environment, ...changes });
  await copyDatabase(directory);
  let service = await startProcess(environment);
  // Keeps the server when the service is killed.
  const server = await joinServer(directory);
  const database = connectDatabase(server.connection, NO_FILES);
  const tenant = await openTenant(environment);
  const post = (path: string, body: Json, headers = {}) =>
    send('POST', `${service.url}/v2${path}`, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const logIn = async () => {
    const { status, text, body } = await post('/authenticate', tenant.login);
    if (status !== 200) throw new Error(`no token: ${text}`);
    return String(body.token);
  };
  return {
    clock,
    environment,
    storage,
    tenant,
    database,
    connection: server.connection,
    get process() {
      return service;
    },
    start: async () => {
      service = await startProcess(environment);
    },
    logIn,
    ask: async (method, path, body, token) =>
      send(method, `${service.url}/v2${path}`, {
        headers: { 'content-type': 'application/json', token: token ?? (await logIn()) },
        body: body && JSON.stringify(body),
      }),
    close: async () => {
      await service.kill('SIGTERM');
      await database.close();
      const running = runningName(directory);
      await server.leave();
      // A server whose clock has jumped may wait for days before it stops.
      killServer(running);
      await clock.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
