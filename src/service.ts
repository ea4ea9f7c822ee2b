// Starts and stops the service over an open base. The order of stopping makes sure that no job is lost.
import { setTimeout as pause } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { Throttle } from './auth/throttle.ts';
import { Tokens } from './auth/token.ts';
import type { Base } from './base.ts';
import { Feed } from './changes/feed.ts';
import { placeAllOwners } from './changes/retention.ts';
import { readClock, SignsOfLife } from './database/clock.ts';
import { isHeld } from './database/installation.ts';
import { Events } from './events/delivery-loop.ts';
import { tidy } from './housekeeping.ts';
import { closeServer, limitsFor, listen, openServer } from './http/server/server.ts';
import { completeAllBooks } from './invoicing/invoice/book-date.ts';
import { callbackLoop } from './jobs/callback.ts';
import { Jobs } from './jobs/engine.ts';
import { createMail } from './mail.ts';
import { Metrics } from './metrics.ts';
import { createFinder } from './model/lists/find.ts';
import { foldAllTexts } from './model/writes/unfolded.ts';
import type { Services } from './services.ts';
import { MINUTE_MS } from './trade/time/duration.ts';

const TIDY_MS = 10 * MINUTE_MS;
const PLACING_MS = 5_000;
const HELD =
  'the database was copied from another installation: callbacks, events and mail are held until `forecourt release`';

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
  /** Completes what a process of the release before has written. */
  const complete = async () => {
    await completeAllBooks(database);
    metrics.onFolded(await foldAllTexts(database));
  };
  await complete();
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
        .then(complete)
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
