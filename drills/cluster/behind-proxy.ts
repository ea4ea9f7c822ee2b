// Processes of the service behind haproxy, on one database and one storage, that are restarted one after the other.
import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isReady, restartInTurn } from '../../src/cli/rolling-restart.ts';
import { freePort } from '../../test/support/process/port.ts';
import {
  COMPILED,
  processEnvironment,
  type StartedProcess,
  startProcess,
} from '../../test/support/process/process.ts';
import { until } from '../../test/support/service/until.ts';

const HOST = '127.0.0.1';
const START_MS = 60_000;
/** haproxy asks every 200 ms whether a process is ready. */
const PAUSE_MS = 1_000;

interface BehindProxy {
  /** The address of the proxy. */
  readonly url: string;
  /** The environment of the first process, for the command line. */
  readonly environment: NodeJS.ProcessEnv;
  /** Starts all processes and the proxy. `compiled`: the folder of another version. */
  start(compiled?: string): Promise<void>;
  /** Restarts so many processes in turn, with this version. */
  restart(times: number): Promise<void>;
  /** The lines of the logs about errors, of each run that has ended. */
  errors(): readonly string[];
  close(): Promise<void>;
}

/** `environments`: one for each process. */
export async function behindProxy(
  folder: string,
  environments: readonly NodeJS.ProcessEnv[],
): Promise<BehindProxy> {
  const proxyPort = await freePort();
  const processes: Restartable[] = [];
  for (const changes of environments) {
    const port = await freePort();
    const env = processEnvironment(join(folder, 'storage'), { HOST, PORT: String(port), ...changes });
    processes.push(new Restartable(port, env));
  }
  let proxy: ChildProcess | undefined;
  return {
    url: `http://${HOST}:${proxyPort}`,
    environment: processes[0]?.env ?? {},
    start: async (compiled) => {
      for (const process of processes) await process.start(compiled);
      proxy = await startProxy(
        folder,
        proxyPort,
        processes.map(({ port }) => port),
      );
    },
    restart: (times) => restartAll(processes, times),
    errors: () => processes.flatMap(({ errors }) => errors),
    close: async () => {
      proxy?.kill('SIGKILL');
      for (const process of processes) await process.stop();
    },
  };
}

/** As `forecourt rolling-restart` does it, with a signal in place of systemctl. */
function restartAll(processes: readonly Restartable[], restarts: number): Promise<void> {
  const named = new Map(processes.map((process) => [String(process.port), process]));
  const names = Array.from({ length: restarts }, (_, index) => [...named.keys()][index % named.size] ?? '');
  return restartInTurn(names, {
    restart: async (name) => named.get(name)?.restart(),
    isReady: (name) => isReady(HOST, Number(name)),
    waitMs: START_MS,
    pauseMs: PAUSE_MS,
    signal: new AbortController().signal,
  });
}

class Restartable {
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  /** The lines of its log about errors, of each run that has ended. */
  readonly errors: string[] = [];
  private started?: StartedProcess;

  constructor(port: number, env: NodeJS.ProcessEnv) {
    this.port = port;
    this.env = env;
  }

  async start(compiled = COMPILED): Promise<void> {
    this.started = await startProcess(this.env, compiled);
  }

  async stop(): Promise<void> {
    await this.started?.kill('SIGTERM');
    const lines = this.started?.output().split('\n') ?? [];
    this.errors.push(...lines.filter((line) => line.startsWith('{"level":50')));
    this.started = undefined;
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
}

async function startProxy(folder: string, port: number, to: readonly number[]): Promise<ChildProcess> {
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration(port, to));
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended with ${child.exitCode}`);
    return isReady(HOST, port);
  });
  return child;
}

/**
 * No retries of requests, so that nothing hides a failure of the service. Without `timeout check` a process that takes
 * longer than 200 ms for once would count as down.
 */
const configuration = (port: number, to: readonly number[]): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout http-keep-alive 60s
  timeout check 5s
  option redispatch

frontend callers
  bind ${HOST}:${port}
  default_backend processes

backend processes
  balance roundrobin
  http-reuse always
  option httpchk GET /health/ready
  http-check expect status 200
  default-server check inter 200ms fall 1 rise 1
${to.map((each) => `  server process${each} ${HOST}:${each}`).join('\n')}
`;
