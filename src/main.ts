// The process of the service. It reads the configuration, opens the database and listens. On a signal it drains, and
// the private database stops last. A failed start prints one line and exits with 1. With WORKERS this process only
// starts the workers; each of them runs this file too.
import { type DemoAccess, makeDemoOwner } from './cli/first-run.ts';
import { shareOfThreads } from './cluster/message.ts';
import { Workers } from './cluster/primary.ts';
import { Primary, workerSlot } from './cluster/worker.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createLog, terminalLines } from './log.ts';
import { type Base, openBase, startService } from './service.ts';

/** What listens: this process, or its workers. */
interface Listening {
  readonly url: string;
  /** `now` ends the waiting for DRAIN_SECONDS. */
  stop(now: AbortSignal): Promise<void>;
}

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config, await terminalLines());
  const base = await openBase(config, log);
  const listening = await orClose(base, async () => {
    const started = await (config.workers > 1 ? listenByWorkers(base) : listenHere(base));
    const demo = await makeDemoOwner(base);
    if (demo) process.stdout.write(welcome(demo, started.url));
    return started;
  });
  log.info({ workers: config.workers > 1 ? config.workers : undefined, url: listening.url }, 'listening');

  const now = new AbortController();
  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) {
      if (config.drainSeconds > 0) log.info({ signal }, 'closing now');
      now.abort();
      return;
    }
    stopping = true;
    log.info({ signal, seconds: config.drainSeconds }, 'draining');
    await listening.stop(now.signal);
    await base.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, (name) => void stop(name));
}

async function listenHere(base: Base): Promise<Listening> {
  const service = await startService(base);
  return { url: service.parts.publicUrl, stop: (now) => service.stop(now) };
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
    primary.tellListening(service.parts.publicUrl);
    await primary.toldToStop();
    await service.stop(primary.now);
    await base.close();
    process.exit(0);
  } catch (error) {
    await primary.tellFailed((error as Error).message);
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
running.catch((error: Error) => {
  const lines = error instanceof ConfigError ? error.message.split('\n') : [error.message];
  for (const line of lines) process.stderr.write(`forecourt: ${line}\n`);
  process.exit(1);
});
