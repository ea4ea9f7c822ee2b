// The process of the service. It reads the configuration, opens the database and listens. On a signal it drains, and
// the private database stops last. A failed start prints one line and exits with 1.
import { type DemoAccess, makeDemoOwner } from './cli/first-run.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLog, terminalLines } from './log.ts';
import { openBase, type Service, startService } from './service.ts';

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config, await terminalLines());
  const base = await openBase(config, log);
  let service: Service;
  try {
    service = await startService(base);
    const demo = await makeDemoOwner(base);
    if (demo) process.stdout.write(welcome(demo, service.parts.publicUrl));
  } catch (error) {
    await base.close();
    throw error;
  }
  log.info({ url: service.parts.publicUrl }, 'listening');

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
    await service.stop(now.signal);
    await base.close();
    log.info('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, (name) => void stop(name));
}

const welcome = ({ api_key, webhook_secret, username, password }: DemoAccess, url: string) => `
  A demo garage was made. This is shown once:

    API key         ${api_key}
    username        ${username}
    password        ${password}
    webhook secret  ${webhook_secret}
    test page       ${url}/swagger/

`;

main().catch((error: Error) => {
  const lines = error instanceof ConfigError ? error.message.split('\n') : [error.message];
  for (const line of lines) process.stderr.write(`forecourt: ${line}\n`);
  process.exit(1);
});
