// The command `forecourt rolling-restart`: restarts the units forecourt@PORT one after the other. It is here because
// systemctl restarts units but does not wait until the service behind one is ready, and no library does that.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { command, parseWholeNumber, withDefault } from './command.ts';

const POLL_MS = 100;
const PROBE_MS = 2_000;
/** A unit that is down counts too: while another one restarts, perhaps nobody would serve. */
const STATES = ['active', 'reloading', 'activating', 'deactivating', 'failed'];

export const rollingRestart = command({
  words: 'rolling-restart',
  summary: 'Restart the systemd units forecourt@PORT one after the other, so that one always serves',
  options: {
    wait: withDefault('--wait <seconds>', 'how long a process may take until it is ready', '60'),
    pause: withDefault(
      '--pause <seconds>',
      "between two processes: longer than the proxy's health checks take",
      '3',
    ),
  },
  example: 'rolling-restart',
  offline: true,
  run: async (_base, { wait, pause }, _args, { config, signal, showProgress }) => {
    const units = await startedUnits();
    const restarted = [...units.keys()];
    await showProgress('restarting', (report) =>
      restartInTurn(restarted, {
        restart: async (unit) => void (await systemctl('restart', `${unit}.service`)),
        isReady: (unit) => isReady(config.host, units.get(unit) ?? 0),
        addressOf: (unit) => addressOf(config.host, units.get(unit) ?? 0),
        waitMs: parseWholeNumber('--wait', wait) * 1000,
        pauseMs: parseWholeNumber('--pause', pause) * 1000,
        signal,
        onRestarted: (done) => report(done, units.size),
      }),
    );
    return { json: { restarted }, text: `Restarted, each one ready: ${restarted.join(', ')}` };
  },
});

export interface RollingOptions {
  /** Stops a process, which drains, and starts it again. */
  readonly restart: (name: string) => Promise<void>;
  readonly isReady: (name: string) => Promise<boolean>;
  /** Where `isReady` asks: after a change of HOST, a process still listens elsewhere. */
  readonly addressOf?: (name: string) => string;
  /** How long a process may take until it is ready. */
  readonly waitMs: number;
  /** After a process is ready: the proxy must have noticed that before the next one drains. */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
  readonly onRestarted?: (done: number) => void;
}

/** Restarts one process after the other. Throws, before it touches the next one, if a process does not become ready. */
export async function restartInTurn(names: readonly string[], options: RollingOptions): Promise<void> {
  const { restart, isReady, addressOf, waitMs, pauseMs, signal, onRestarted } = options;
  const notReady = (name: string) => `is not ready${addressOf ? ` at ${addressOf(name)}` : ''}`;
  for (const name of names)
    if (!(await isReady(name))) throw new Error(`${name} ${notReady(name)}: nothing was restarted`);
  for (const [index, name] of names.entries()) {
    if (index > 0) await sleep(pauseMs, undefined, { signal });
    await restart(name);
    const end = performance.now() + waitMs;
    while (!(await isReady(name))) {
      if (performance.now() > end) {
        const waited = `${notReady(name)} after ${waitMs / 1000} s`;
        throw new Error(`${name} was restarted and ${waited}${notRestarted(names.slice(index + 1))}`);
      }
      await sleep(POLL_MS, undefined, { signal });
    }
    onRestarted?.(index + 1);
  }
}

const notRestarted = (left: readonly string[]) =>
  left.length > 0 ? `; not restarted: ${left.join(', ')}` : '';

/** Whether the process at that port takes requests. */
export async function isReady(host: string, port: number): Promise<boolean> {
  const url = `http://${addressOf(host, port)}/health/ready`;
  return fetch(url, { signal: AbortSignal.timeout(PROBE_MS) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

function addressOf(host: string, port: number): string {
  const local = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `${local.includes(':') ? `[${local}]` : local}:${port}`;
}

/** The units that run or should run, with their ports. */
async function startedUnits(): Promise<Map<string, number>> {
  const states = `--state=${STATES.join()}`;
  const listed = await systemctl('list-units', states, '--plain', '--no-legend', 'forecourt@*');
  const ports = [...listed.matchAll(/^forecourt@(\d+)\.service\s/gm)].map(([, port]) => Number(port));
  if (ports.length === 0) throw new Error('No unit forecourt@PORT is active');
  return new Map(ports.map((port) => [`forecourt@${port}`, port]));
}

async function systemctl(...words: string[]): Promise<string> {
  try {
    return (await promisify(execFile)('systemctl', words)).stdout;
  } catch (error) {
    const { code, stderr, message } = error as Error & { code: string | number; stderr?: string };
    if (code === 'ENOENT') throw new Error('There is no systemctl here: this command needs systemd');
    throw new Error(`systemctl ${words[0]}: ${stderr?.trim() || message}`);
  }
}
