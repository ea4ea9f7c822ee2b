// Starts and stops the service over an open base. The order of stopping makes sure that no job is lost.
import { setTimeout as pause } from 'node:timers/promises';
import manifest from '../package.json' with { type: 'json' };
import { createApp } from './app.ts';
import { completeAllBooks } from './business/invoicing/invoice/book-date.ts';
import { createFinder } from './core/model/lists/find.ts';
import { foldAllTexts } from './core/model/writes/unfolded.ts';
import { MINUTE_MS } from './core/trade/time/duration.ts';
import { closeServer, limitsFor, listen, openServer } from './http/server/server.ts';
import { secretProblem } from './platform/auth/key.ts';
import { Throttle } from './platform/auth/throttle.ts';
import { Tokens } from './platform/auth/token.ts';
import type { Base } from './platform/base.ts';
import { Feed } from './platform/changes/feed.ts';
import { placeAllOwners } from './platform/changes/retention.ts';
import { senderProblem } from './platform/config.ts';
import { readClock, SignsOfLife } from './platform/database/clock.ts';
import { isHeld } from './platform/database/installation.ts';
import { createMail } from './platform/mail.ts';
import { Events } from './work/events/delivery-loop.ts';
import { tidy } from './work/housekeeping.ts';
import { callbackLoop } from './work/jobs/callback.ts';
import { Jobs } from './work/jobs/engine.ts';
import { Metrics } from './work/metrics.ts';
import type { Services } from './work/services.ts';

const TIDY_MS = 10 * MINUTE_MS;
const PLACING_MS = 5_000;
/** How long the start waits for the first tidying. After AUDIT_DAYS was lowered, a tidying may take minutes. */
const FIRST_TIDYING_MS = 5_000;
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
  const { config, database, log } = base;
  const held = () => isHeld(database, base.installation);
  const metrics = new Metrics(database, {
    version: manifest.version,
    jobs: () => services.jobs,
    isHeld: held,
    waitMs: async () => (await readClock(database)).waitMs,
    readAll: readAllMetrics,
  });
  const http = openServer({ log, onAnswer: (seen) => metrics.onAnswer(seen) }, limitsFor(config));
  let draining = false;
  const signs = new SignsOfLife(database, log);
  await signs.beat();
  /** Completes what a process of the release before has written: no request may miss that. */
  const complete = async () => {
    await completeAllBooks(database);
    metrics.onFolded(await foldAllTexts(database));
  };
  await complete();
  const port = await listen(http.server, config);
  const services = servicesOf(base, { port, metrics, held, isDraining: () => draining });
  http.serve(createApp(services).callback());
  const calls = callsOf(base, services, held);
  signs.start();
  const house = startKeepingHouse(base, signs, complete);
  await warn(base, held);
  services.jobs.start();
  if (config.jobThreads > 0) for (const loop of calls) loop.start();
  // The port is open, and a signal must be able to stop the service soon.
  await Promise.race([house.tidy(), pause(FIRST_TIDYING_MS, undefined, { ref: false })]);
  return {
    services,
    port,
    stop: (now) => {
      draining = true;
      return stopAll({ services, http, house, calls, signs }, now);
    },
  };
}

type Held = () => Promise<boolean>;

function servicesOf(
  base: Base,
  {
    port,
    metrics,
    held,
    isDraining,
  }: Pick<Services, 'metrics' | 'isDraining'> & { port: number; held: Held },
): Services {
  const { config, database, connection, storage, log } = base;
  const { version } = manifest;
  return {
    config,
    publicUrl: config.publicUrl || `http://${urlHost(config.host)}:${port}`,
    version,
    database,
    finder: createFinder(database),
    feed: new Feed(database),
    storage,
    signingSecret: base.signingSecret,
    tokens: new Tokens(database),
    throttle: new Throttle(database.knex, connection.database),
    jobs: new Jobs({ database, connection, storage, threads: config.jobThreads, version, log }),
    mail: createMail(config, storage, { log, isHeld: held }),
    metrics,
    isDraining,
    log,
  };
}

const urlHost = (host: string) => (host.includes(':') ? `[${host}]` : host);

/** The loops of the callbacks and of the events. */
function callsOf({ config, database, signingSecret, log }: Base, { mail, metrics }: Services, held: Held) {
  const calls = { database, signingSecret, allow: config.webhookAllow, log, isHeld: held };
  return [
    callbackLoop({ ...calls, onAttempt: (outcome) => metrics.onCallback(outcome) }),
    new Events({ ...calls, mail, onAttempt: (outcome) => metrics.onDelivery(outcome) }),
  ];
}

/** Tidies, gives places and completes every ten minutes. The caller begins the first tidying. */
function startKeepingHouse(
  { config, database, storage, log }: Base,
  signs: SignsOfLife,
  complete: () => Promise<void>,
) {
  const tidyNow = async () => tidy(database, storage, config, await signs.check());
  const place = () => placeAllOwners(database, PLACING_MS);
  /** A failure, such as a right that the keys of a bucket lack, ends neither the service nor the work behind it. */
  const keepHouse = async (...works: (() => Promise<unknown>)[]) => {
    for (const work of works) await work().catch((error) => log.error({ err: error }, 'tidying failed'));
  };
  const timer = setInterval(() => void keepHouse(tidyNow, place, complete), TIDY_MS).unref();
  return { tidy: () => keepHouse(tidyNow), stop: () => clearInterval(timer) };
}

async function warn({ config, database, signingSecret, log }: Base, held: Held): Promise<void> {
  if (await held()) log.warn(HELD);
  const lacking = senderProblem(config);
  if (lacking !== undefined) log.warn(lacking);
  const unsigned = await secretProblem(database, signingSecret);
  if (unsigned !== undefined) log.warn(`the signing secret ${unsigned}`);
}

interface Running {
  readonly services: Services;
  readonly http: ReturnType<typeof openServer>;
  readonly house: ReturnType<typeof startKeepingHouse>;
  readonly calls: ReturnType<typeof callsOf>;
  readonly signs: SignsOfLife;
}

async function stopAll(
  { services: { config, jobs, feed, log }, http, house, calls, signs }: Running,
  now?: AbortSignal,
): Promise<void> {
  http.announceClose();
  jobs.takeNoMore();
  await pause(config.drainSeconds * 1000, undefined, { signal: now }).catch(() => {});
  house.stop();
  feed.close();
  const cut = () => log.warn('requests are still open, they are cut off');
  // All at once: slow requests must not delay the release of jobs to another process.
  await Promise.all([
    closeServer(http, cut),
    jobs.drain(),
    ...calls.map((loop) => loop.drain()),
    signs.stop(),
  ]);
}
