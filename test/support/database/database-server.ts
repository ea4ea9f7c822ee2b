// A database server that a test stops, kills and starts under a service, which uses it by DATABASE_URL.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import type { PrivateServer } from '../../../src/platform/database/private-server.ts';
import { isRunning } from '../../../src/platform/process-name.ts';
import { freePort } from '../process/port.ts';
import { until } from '../service/until.ts';
import { NO_FILES } from './no-files.ts';
import { joinServer } from './private-server.ts';

export interface DatabaseServer {
  /** For DATABASE_URL. */
  readonly url: string;
  readonly port: number;
  /** The ID of the running process. */
  readonly pid: number;
  /** The tests' own way in; it finds the server again after it was away. */
  readonly database: Database;
  /** SIGTERM is an orderly end. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  /** Suspends the server, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  start(): Promise<void>;
  /** To be called when nobody else uses it any more. */
  close(): Promise<void>;
}

/** The name that the service notes of the server of a folder: its process ID, and when the process began. */
export const runningName = (directory: string): string => readFileSync(join(directory, 'running'), 'utf8');

/** Ends the process of that name at once, if it still runs. */
export function killServer(name: string): void {
  if (isRunning(name)) process.kill(Number.parseInt(name, 10), 'SIGKILL');
}

/** The ID of the server's process. */
export const serverPid = (directory: string): number => Number.parseInt(runningName(directory), 10);

export async function openDatabaseServer(
  directory: string,
  more: readonly string[] = [],
): Promise<DatabaseServer> {
  const port = await freePort();
  const settings = ['--skip-networking=0', '--bind-address=127.0.0.1', `--port=${port}`, ...more];
  const enter = () => joinServer(directory, settings);
  let server: PrivateServer = await enter();
  const { database: name } = server.connection;
  const url = `mysql://root@127.0.0.1:${port}/${name}`;
  const database = connectDatabase(
    { hosts: [{ host: '127.0.0.1', port }], user: 'root', database: name },
    NO_FILES,
  );
  return {
    url,
    port,
    get pid() {
      return serverPid(directory);
    },
    database,
    signal: (signal) => process.kill(serverPid(directory), signal),
    stop: async (signal) => {
      const name = runningName(directory);
      process.kill(serverPid(directory), signal);
      // A process that stayed joined would start it again at once.
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
