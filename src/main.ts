// The process of the service. It reads the configuration, opens the database and listens. On a signal it drains, and
// the private database stops last. A failed start prints one line and exits with 1. With WORKERS this process only
// starts the workers; each of them runs this file too.

import { errorLine } from './cli/error-line.ts';
import { type DemoAccess, makeDemoOwner } from './cli/first-run.ts';
import { shareOfThreads } from './cluster/message.ts';
import { Workers } from './cluster/primary.ts';
import { Primary, workerSlot } from './cluster/worker.ts';
import { type Base, openBase } from './platform/base.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { createLog, terminalLines } from './platform/log.ts';
import { startService } from './service.ts';

/** The listening side: this process, or its workers. */
interface Listening {
  readonly url: string;
  /** `now` ends the waiting for DRAIN_SECONDS. */
  stop(now: AbortSignal): Promise<void>;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config, await terminalLines());
  // From here on, so that a signal during the start never leaves the private database running.
  const { first, second } = signals();
  const base = await openBase(config, log);
  const listening = await orClose(base, async () => {
    const started = await (config.workers > 1 ? listenByWorkers(base) : listenHere(base));
    const demo = await makeDemoOwner(base);
    if (demo) process.stdout.write(welcome(demo, started.url));
    return started;
  });
  second.addEventListener('abort', () => {
    if (config.drainSeconds > 0) log.info('closing now');
  });
  log.info({ workers: config.workers > 1 ? config.workers : undefined, url: listening.url }, 'listening');

  log.info({ signal: await first, seconds: config.drainSeconds }, 'draining');
  await listening.stop(second);
  await base.close();
  log.info('stopped');
  process.exit(0);
}

/** `first`: the signal that stops this process. `second`: aborted by the signal after that. */
function signals(): { first: Promise<NodeJS.Signals>; second: AbortSignal } {
  const second = new AbortController();
  let count = 0;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(name, (signal) => {
        count += 1;
        resolve(signal);
        if (count > 1) second.abort();
      });
  });
  return { first, second: second.signal };
}

async function listenHere(base: Base): Promise<Listening> {
  const service = await startService(base);
  return { url: service.services.publicUrl, stop: (now) => service.stop(now) };
}

async function listenByWorkers(base: Base): Promise<Listening> {
  const { workers, url } = await Workers.start(base);
  return { url, stop: (now) => workers.stop(now) };
}

async function work(slot: number): Promise<void> {
  const primary = new Primary();
  try {
    const config = configOfWorker(slot);
    const log = createLog(config, await terminalLines(), slot);
    const base = await openBase(config, log, { migrate: false });
    const service = await orClose(base, () => startService(base, { readAllMetrics: primary.readAllMetrics }));
    primary.tellListening(service.services.publicUrl);
    await primary.toldToStop();
    await service.stop(primary.now);
    await base.close();
    process.exit(0);
  } catch (error) {
    await primary.tellFailed(errorLine(error));
    process.exit(1);
  }
}

function configOfWorker(slot: number): Config {
  const config = readConfig();
  return { ...config, jobThreads: shareOfThreads(config.jobThreads, config.workers, slot) };
}

async function orClose<T>(base: Base, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    await base.close();
    throw error;
  }
}

const welcome = ({ api_key, webhook_secret, username, password }: DemoAccess, url: string) => `
  A demo garage was made. This is shown once:

    API key         ${api_key}
    username        ${username}
    password        ${password}
    webhook secret  ${webhook_secret}
    test page       ${url}/swagger/

`;

const slot = workerSlot();
const running = slot === undefined ? main() : work(slot);
running.catch((error: unknown) => {
  const lines = error instanceof ConfigError ? error.message.split('\n') : [errorLine(error)];
  for (const line of lines) process.stderr.write(`forecourt: ${line}\n`);
  process.exit(1);
});
