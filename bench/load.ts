// One run of load against one server, sent by a process of its own. Also measures the CPU time that each request costs
// server and database: unlike requests per second, CPU time hardly depends on other work of the machine.
import { cpuSeconds, memory, runProgram, type Server } from './process.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the server's address. */
  readonly path: string;
  readonly body?: string;
  /** The header Accept-Encoding. */
  readonly accepts?: string;
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
  /** Megabytes that the server holds after the run. */
  readonly memory: number;
}

/** Throws if any answer was not 2xx. */
export async function measure(
  server: Server,
  databasePid: number,
  load: Omit<Load, 'url'>,
): Promise<Figures> {
  const before = [cpuSeconds(server.pid), cpuSeconds(databasePid)] as const;
  const answers = await runProgram<Answers>('load-client.js', { ...load, url: server.url });
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed at ${server.url}`);
  if (answers.requests === 0) throw new Error(`${server.url} answered nothing in ${load.seconds} seconds`);
  const perRequest = (seconds: number) => (seconds / answers.requests) * 1e6;
  return {
    ...answers,
    rate: answers.requests / answers.seconds,
    serverCpu: perRequest(cpuSeconds(server.pid) - before[0]),
    databaseCpu: perRequest(cpuSeconds(databasePid) - before[1]),
    memory: memory(server.pid),
  };
}
