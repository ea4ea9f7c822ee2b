// The servers that are compared, each a process of its own on the same database.
import { join } from 'node:path';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { type Program, type Server, startServer } from './process.ts';

export interface Place {
  /** The service's STORAGE_DIR. */
  readonly storage: string;
  readonly connection: ConnectionSettings;
  /** Where the servers' output goes. */
  readonly logs: string;
}

/** Options of node, and variables of the environment. */
export type How = Pick<Program, 'node' | 'environment'>;

/** The service, as `make run` starts it. */
export function startService(
  { storage, logs }: Place,
  { logLevel = 'info', node = [], environment = {} }: How & { logLevel?: string } = {},
): Promise<Server> {
  return startServer({
    file: '../src/main.js',
    log: join(logs, `service-${logLevel}.log`),
    node,
    environment: {
      STORAGE_DIR: storage,
      DATABASE_URL: '',
      HOST: '127.0.0.1',
      PUBLIC_URL: '',
      // The backups' callbacks go to a port where nobody listens.
      WEBHOOK_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: logLevel,
      MALLOC_ARENA_MAX: '2',
      ...environment,
    },
  });
}

/** One of the baselines of bench/baseline. */
export const startBaseline = (
  { connection, logs }: Place,
  name: 'http' | 'koa',
  how: How = {},
): Promise<Server> =>
  startServer({
    ...how,
    file: `baseline/${name}-server.js`,
    args: [JSON.stringify(connection)],
    log: join(logs, `${name}.log`),
  });

export interface Servers {
  readonly service: Server;
  /** The same, but for its log: LOG_LEVEL=warn. */
  readonly quiet: Server;
  readonly http: Server;
  readonly koa: Server;
}

export async function startServers(place: Place): Promise<Servers> {
  return {
    service: await startService(place),
    quiet: await startService(place, { logLevel: 'warn' }),
    http: await startBaseline(place, 'http'),
    koa: await startBaseline(place, 'koa'),
  };
}

export async function stopServers(servers: Servers): Promise<void> {
  await Promise.all(Object.values(servers).map((server: Server) => server.stop()));
}
