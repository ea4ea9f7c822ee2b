// The servers under comparison. Each runs in processes of its own, on the same database.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConnectionSettings } from '../src/platform/database/settings.ts';
import type { Options } from './options.ts';
import { type Program, type Server, startServer } from './process.ts';

export interface ServerSettings {
  /** The service's STORAGE_DIR. */
  readonly storage: string;
  readonly connection: ConnectionSettings;
  /** The folder for the servers' output. */
  readonly logs: string;
}

/** Options for node, and environment variables. */
export type NodeSettings = Pick<Program, 'node' | 'environment'>;

interface ServiceSettings extends NodeSettings {
  readonly logLevel?: string;
  /** A built checkout of the project; without it, this one. */
  readonly checkout?: string;
}

/** Starts the service as `make run` does. */
export function startService(
  { storage, logs }: ServerSettings,
  { logLevel = 'info', checkout, node = [], environment = {} }: ServiceSettings = {},
): Promise<Server> {
  return startServer({
    file: checkout === undefined ? '../src/main.js' : join(checkout, 'dist/src/main.js'),
    log: join(logs, `${checkout === undefined ? 'service' : 'other'}-${logLevel}.log`),
    node,
    environment: {
      STORAGE_DIR: storage,
      DATABASE_URL: '',
      HOST: '127.0.0.1',
      PUBLIC_URL: '',
      // Backups call back to a port where nothing listens.
      WEBHOOK_ALLOW: '127.0.0.0/8',
      LOG_LEVEL: logLevel,
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '4194304',
      ...environment,
    },
  });
}

/** Starts one of the servers in bench/baseline. */
export const startBaseline = (
  { connection, logs }: ServerSettings,
  name: 'http' | 'koa' | 'logging',
  settings: NodeSettings = {},
): Promise<Server> =>
  startServer({
    ...settings,
    file: `baseline/${name === 'http' ? 'http' : 'koa'}-server.js`,
    args: [JSON.stringify(connection), ...(name === 'logging' ? ['log'] : [])],
    log: join(logs, `${name}.log`),
  });

/**
 * `other`: the service of another checkout. `quiet`: this one with LOG_LEVEL=warn. `logging`: Koa with a log of
 * changes, for writes only.
 */
export type ServerName = 'service' | 'other' | 'quiet' | 'http' | 'koa' | 'logging';
export type Servers = ReadonlyMap<ServerName, Server>;

/** Starts each server in so many processes. */
export async function startTeams(
  settings: ServerSettings,
  { processes, other }: Pick<Options, 'processes' | 'other'>,
): Promise<readonly Servers[]> {
  const teams: Servers[] = [];
  for (let team = 1; team <= processes; team += 1) {
    const logs = join(settings.logs, String(team));
    await mkdir(logs, { recursive: true });
    teams.push(await startServers({ ...settings, logs }, other));
  }
  return teams;
}

/** Starts all servers. With another checkout: only that service, this one, and the Koa baseline. */
async function startServers(settings: ServerSettings, checkout?: string): Promise<Servers> {
  const servers = new Map<ServerName, Server>([['service', await startService(settings)]]);
  if (checkout === undefined) {
    servers.set('quiet', await startService(settings, { logLevel: 'warn' }));
    servers.set('http', await startBaseline(settings, 'http'));
    servers.set('logging', await startBaseline(settings, 'logging'));
  } else servers.set('other', await startService(settings, { checkout }));
  return servers.set('koa', await startBaseline(settings, 'koa'));
}

export function serverOf(servers: Servers, name: ServerName): Server {
  const server = servers.get(name);
  if (!server) throw new Error(`No server ${name} is running`);
  return server;
}

export async function stopServers(teams: readonly Servers[]): Promise<void> {
  await Promise.all(teams.flatMap((servers) => [...servers.values()]).map((server) => server.stop()));
}
