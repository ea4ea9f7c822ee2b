// One run of load against one server, from a process of its own. `measure` adds what it cost the server and
// the database: CPU time a request says the same on a busy machine as on an idle one, requests a second don't.
import { cpuSeconds, memory, runProgram, type Server } from './process.ts';

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the server's address. */
  readonly path: string;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** Shared out between the connections; each goes through its own again and again. */
  readonly requests: readonly Request[];
}

export interface Answers {
  readonly requests: number;
  readonly seconds: number;
  /** Answers that were no 2xx, and connections that broke. */
  readonly failures: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export interface Figures extends Answers {
  /** Requests a second. */
  readonly rate: number;
  /** Microseconds of CPU a request: of the server, of the database. */
  readonly serverCpu: number;
  readonly databaseCpu: number;
  /** Megabytes that the server holds after the run. */
  readonly memory: number;
}

/** Throws where an answer was no 2xx. */
export async function measure(
  server: Server,
  databasePid: number,
  load: Omit<Load, 'url'>,
): Promise<Figures> {
  const before = [cpuSeconds(server.pid), cpuSeconds(databasePid)] as const;
  const answers = await runProgram<Answers>('load-client.js', { ...load, url: server.url });
  if (answers.failures > 0) throw new Error(`${answers.failures} requests failed at ${server.url}`);
  if (answers.requests === 0) throw new Error(`${server.url} answered nothing in ${load.seconds} seconds`);
  const each = (seconds: number) => (seconds / answers.requests) * 1e6;
  return {
    ...answers,
    rate: answers.requests / answers.seconds,
    serverCpu: each(cpuSeconds(server.pid) - before[0]),
    databaseCpu: each(cpuSeconds(databasePid) - before[1]),
    memory: memory(server.pid),
  };
}
