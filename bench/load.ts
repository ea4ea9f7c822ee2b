// One run of load against one server, sent by a process of its own. Also measures the CPU time and the statements that
// each request costs: unlike requests per second, they hardly depend on other work of the machine.
import { cpuSeconds, memory, runProgram, type Server } from './process.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the server's address. */
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The database server under all servers. */
export interface DatabaseMeter {
  readonly databasePid: number;
  /** How many statements it has run so far. */
  statements(): Promise<number>;
}

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Divided among the connections. Each connection repeats its share until the time is up. */
  readonly requests: readonly Request[];
  /** Sends each request once instead, however long that takes. */
  readonly once?: boolean;
}

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

/** Throws if any answer was not 2xx. `idleRate`: statements a second while nobody asks. */
export async function measure(
  server: Server,
  database: DatabaseMeter,
  load: Omit<Load, 'url'>,
  idleRate = 0,
): Promise<Figures> {
  const { databasePid } = database;
  const began = performance.now();
  const statements = await database.statements();
  const before = [cpuSeconds(server.pid), cpuSeconds(databasePid)] as const;
  const answers = await runProgram<Answers>('load-client.js', { ...load, url: server.url });
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed at ${server.url}`);
  if (answers.requests === 0) throw new Error(`${server.url} answered nothing in ${load.seconds} seconds`);
  const perRequest = (seconds: number) => (seconds / answers.requests) * 1e6;
  const [serverCpu, databaseCpu] = [cpuSeconds(server.pid) - before[0], cpuSeconds(databasePid) - before[1]];
  const seen = (await database.statements()) - statements;
  const idle = ((performance.now() - began) / 1000) * idleRate;
  return {
    ...answers,
    rate: answers.requests / answers.seconds,
    serverCpu: perRequest(serverCpu),
    databaseCpu: perRequest(databaseCpu),
    statements: Math.max(0, seen - idle) / answers.requests,
    memory: memory(server.pid),
  };
}
