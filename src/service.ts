// Starts and stops the service. The command line uses only `openBase`; the service and its tests also use
// `startService`. The order of stopping makes sure that no job is lost.
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { Throttle } from './auth/throttle.ts';
import { Tokens } from './auth/token.ts';
import { Feed } from './changes/feed.ts';
import { placeAllOwners } from './changes/retention.ts';
import type { Config } from './config.ts';
import { readClock, SignsOfLife } from './database/clock.ts';
import { connectDatabase } from './database/connect.ts';
import { isHeld, joinInstallation } from './database/installation.ts';
import { editedMigrations, migrate } from './database/migrate.ts';
import { joinPrivateServer } from './database/private-server.ts';
import { demandTables } from './database/schema-difference.ts';
import type { ConnectionSettings } from './database/settings.ts';
import { Events } from './events/delivery-loop.ts';
import { tidy } from './housekeeping.ts';
import { closeServer, limitsFor, listen, openServer } from './http/server/server.ts';
import { completeAllBooks } from './invoicing/invoice/book-date.ts';
import { callbackLoop } from './jobs/callback.ts';
import { Jobs } from './jobs/engine.ts';
import { createMail } from './mail.ts';
import { Metrics } from './metrics.ts';
import { createFinder } from './model/lists/find.ts';
import { loadResources } from './model/records/registry.ts';
import type { Database } from './model/statements/session.ts';
import type { Services } from './services.ts';
import { openStorage, type Storage } from './storage/open.ts';
import { installationId, signingSecret } from './storage/secret.ts';
import { MINUTE_MS } from './trade/time/duration.ts';

const TIDY_MS = 10 * MINUTE_MS;
const PLACING_MS = 5_000;
const HELD =
  'the database was copied from another installation: callbacks, events and mail are held until `forecourt release`';

/** The database and the way to it. Open, not migrated. */
export interface OpenDatabase {
  readonly connection: ConnectionSettings;
  readonly database: Database;
  close(): Promise<void>;
}

/** Storage and database, opened and migrated. The service and every command need them. */
export interface Base extends OpenDatabase {
  readonly config: Config;
  readonly log: Logger;
  readonly storage: Storage;
  readonly signingSecret: string;
  /** The installation ID of the storage. */
  readonly installation: string;
}

export async function openBase(
  config: Config,
  log: Logger,
  options: { migrate?: boolean; serverSettings?: string[] } = {},
): Promise<Base> {
  const storage = await openStorage(config);
  const opened = await openDatabase(config, storage, log, options.serverSettings);
  const { connection, database } = opened;
  const close = async () => {
    await opened.close();
    storage.close();
  };
  try {
    const installation = await installationId(storage);
    if (options.migrate !== false) {
      await migrate(database.knex, { log: (line) => log.warn(line) });
      for (const sentence of await editedMigrations(database.knex)) log.warn(sentence);
      await demandTables(database.knex);
      await joinInstallation(database, installation);
    }
    return {
      config,
      log,
      storage,
      connection,
      database,
      signingSecret: await signingSecret(storage, config.signingSecret),
      installation: installation.id,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts the private server if DATABASE_URL is not set. Throws an error of one line if no server answers. */
export async function openDatabase(
  config: Config,
  storage: Storage,
  log: Logger,
  serverSettings?: string[],
): Promise<OpenDatabase> {
  const { connection, leave } = await findServer(config, storage, log, serverSettings);
  const database = connectDatabase(connection, storage.files, {
    ...config,
    onMove: (server) => log.warn({ server }, 'the database server has failed, another one is used'),
  });
  const close = async () => {
    await database.close();
    await leave();
  };
  try {
    await loadResources();
    await reach(database, config);
    return { connection, database, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The server of DATABASE_URL, or the private one. Call `leave` after every connection is closed. */
async function findServer(
  { database, databaseServer }: Config,
  storage: Storage,
  log: Logger,
  settings?: string[],
): Promise<{ connection: ConnectionSettings; leave: () => Promise<void> }> {
  if (database) return { connection: database, leave: async () => {} };
  const { connection, leave } = await joinPrivateServer({
    directory: storage.database,
    log: (line) => log.info(line),
    settings,
    kind: databaseServer,
  });
  return { connection, leave };
}

async function reach(database: Database, config: Config): Promise<void> {
  try {
    await database.knex.select(1);
  } catch (error) {
    const where = config.database ? 'DATABASE_URL' : 'The private database';
    throw new Error(
      `${where} can't be used: ${(error as Error).message || (error as { code?: string }).code}`,
    );
  }
}

export interface Service {
  readonly services: Services;
  readonly port: number;
  /**
   * Serves for DRAIN_SECONDS more, or until `now` is aborted, and takes no more jobs. Then finishes requests, releases
   * running jobs, and closes everything except the base.
   */
  stop(now?: AbortSignal): Promise<void>;
}

/**
 * Starts listening and running jobs. Throws if the port is taken. `readAllMetrics`: the text of /metrics if several
 * processes share the port.
 */
export async function startService(
  base: Base,
  { readAllMetrics }: { readAllMetrics?: () => Promise<string> } = {},
): Promise<Service> {
  const { config, database, connection, storage, log } = base;
  const held = () => isHeld(database, base.installation);
  const metrics = new Metrics(database, {
    jobs: () => services.jobs,
    isHeld: held,
    waitMs: async () => (await readClock(database)).waitMs,
    readAll: readAllMetrics,
  });
  const http = openServer({ log, onAnswer: (seen) => metrics.onAnswer(seen) }, limitsFor(config));
  let draining = false;
  const signs = new SignsOfLife(database, log);
  await signs.beat();
  const tidyNow = async () => tidy(database, storage, config, await signs.check());
  await tidyNow();
  await completeAllBooks(database);
  const port = await listen(http.server, config);
  const services: Services = {
    config,
    publicUrl: config.publicUrl || `http://${urlHost(config.host)}:${port}`,
    version: manifest.version,
    database,
    finder: createFinder(database),
    feed: new Feed(database),
    storage,
    signingSecret: base.signingSecret,
    tokens: new Tokens(database),
    throttle: new Throttle(database.knex, connection.database),
    jobs: new Jobs({
      database,
      connection,
      storage,
      threads: config.jobThreads,
      version: manifest.version,
      log,
    }),
    mail: createMail(config, storage, { log, isHeld: held }),
    metrics,
    isDraining: () => draining,
    log,
  };
  http.server.on('request', createApp(services).callback());
  const calls = {
    database,
    signingSecret: base.signingSecret,
    allow: config.webhookAllow,
    log,
    isHeld: held,
  };
  const callbacks = callbackLoop({ ...calls, onAttempt: (outcome) => metrics.onCallback(outcome) });
  const events = new Events({
    ...calls,
    mail: services.mail,
    onAttempt: (outcome) => metrics.onDelivery(outcome),
  });
  signs.start();
  const tidying = setInterval(
    () =>
      tidyNow()
        .then(() => placeAllOwners(database, PLACING_MS))
        .then(() => completeAllBooks(database))
        .catch((error) => log.error({ err: error }, 'tidying failed')),
    TIDY_MS,
  ).unref();
  if (await held()) log.warn(HELD);
  services.jobs.start();
  if (config.jobThreads > 0) {
    callbacks.start();
    events.start();
  }
  return {
    services,
    port,
    stop: async (now) => {
      draining = true;
      http.announceClose();
      services.jobs.takeNoMore();
      await pause(config.drainSeconds * 1000, undefined, { signal: now }).catch(() => {});
      clearInterval(tidying);
      services.feed.close();
      const cut = () => log.warn('requests are still open, they are cut off');
      // All at once: slow requests must not delay the release of jobs to another process.
      await Promise.all([
        closeServer(http, cut),
        services.jobs.drain(),
        callbacks.drain(),
        events.drain(),
        signs.stop(),
      ]);
    },
  };
}

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);
