// One run of load against one server, sent by another process. Also measures the CPU time and the statements that
// each request costs: unlike requests per second, they hardly depend on other work of the machine.
import { cpuSeconds, memory, type Server } from './process.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the server's address. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The process that sends the load, and the database server under all servers. */
export interface Meter {
  send(load: Load): Promise<Answers>;
  readonly databasePid: number;
  /** How many statements the database has run so far. */
  statements(): Promise<number>;
}

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** Divided among the connections. Each connection repeats its share until the run ends. */
  readonly requests: readonly Request[];
  readonly length: Length;
}

/** When a run ends: after so many seconds, or so many requests. */
export type Length = { readonly seconds: number } | { readonly amount: number };

export interface Answers {
  readonly requests: number;
  readonly seconds: number;
  /** Answers other than 2xx, and broken connections. */
  readonly failures: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Figures extends Answers {
  /** Requests per second. */
  readonly rate: number;
  /** Microseconds of CPU time per request. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  /** Per request, without those that idle services send meanwhile. */
  readonly statements: number;
  /** Megabytes that the server holds after the run. */
  readonly memory: number;
}

/** The cost of a second without requests. */
export interface Idle {
  readonly statements: number;
  /** Seconds of CPU time, as `databaseCpu`. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
}

const UNKNOWN: Idle = { statements: 0, serverCpu: 0, databaseCpu: 0 };

/** The cost of requests, without what `idle` servers do by themselves. Throws if any answer was not 2xx. */
export async function measure(
  server: Server,
  meter: Meter,
  load: Omit<Load, 'url'>,
  idle = UNKNOWN,
): Promise<Figures> {
  const { databasePid } = meter;
  const began = performance.now();
  const statements = await meter.statements();
  const before = [cpuSeconds(server.pid), cpuSeconds(databasePid)] as const;
  const answers = await meter.send({ ...load, url: server.url });
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed at ${server.url}`);
  if (answers.requests === 0) throw new Error(`${server.url} answered nothing`);
  const elapsed = (performance.now() - began) / 1000;
  const perRequest = (spent: number, idleRate: number) =>
    Math.max(0, spent - elapsed * idleRate) / answers.requests;
  const cpuOf = (pid: number, since: number, idleRate: number) =>
    perRequest(cpuSeconds(pid) - since, idleRate) * 1e6;
  return {
    ...answers,
    rate: answers.requests / answers.seconds,
    serverCpu: cpuOf(server.pid, before[0], idle.serverCpu),
    databaseCpu: cpuOf(databasePid, before[1], idle.databaseCpu),
    statements: perRequest((await meter.statements()) - statements, idle.statements),
    memory: memory(server.pid),
  };
}
