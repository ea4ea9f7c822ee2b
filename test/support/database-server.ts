// A database server that a test stops, kills and starts under a service, which uses it by DATABASE_URL.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { connectDatabase } from '../../src/database/connect.ts';
import { joinPrivateServer, type PrivateServer } from '../../src/database/private-server.ts';
import { settingsOfUrl } from '../../src/database/settings.ts';
import type { Database } from '../../src/model/session.ts';
import { isRunning } from '../../src/process-name.ts';
import { NO_FILES } from './no-files.ts';
import { until } from './until.ts';

export interface DatabaseServer {
  /** For DATABASE_URL. */
  readonly url: string;
  /** The tests' own way in; it finds the server again after it was away. */
  readonly database: Database;
  /** SIGTERM is an orderly end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(): Promise<void>;
  /** To be called when nobody else uses it any more. */
  close(): Promise<void>;
}

export async function openDatabaseServer(directory: string): Promise<DatabaseServer> {
  const port = await freePort();
  const settings = ['--skip-networking=0', '--bind-address=127.0.0.1', `--port=${port}`];
  const enter = () => joinPrivateServer({ directory, settings });
  let server: PrivateServer = await enter();
  const url = `mysql://root@127.0.0.1:${port}/${server.connection.database}`;
  const database = connectDatabase(settingsOfUrl(url), NO_FILES);
  return {
    url,
    database,
    stop: async (signal) => {
      const name = readFileSync(join(directory, 'running'), 'utf8');
      process.kill(Number.parseInt(name, 10), signal);
      // Whoever stays in it starts it again at once.
      await server.leave();
      await until(async () => !isRunning(name), 60_000);
    },
    start: async () => {
      server = await enter();
    },
    close: async () => {
      await database.close();
      await server.leave();
    },
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
