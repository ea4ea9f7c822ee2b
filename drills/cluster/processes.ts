// The processes of the service, one for each node of the cluster: the n-th uses the n-th node as long as it can. Each
// keeps its port when it starts again.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../test/support/process/port.ts';
import { processEnvironment } from '../../test/support/process/process.ts';
import { until } from '../../test/support/service/until.ts';
import { type Child, startChild } from './child.ts';

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url));
const PATIENCE_MS = 120_000;
/** Pino's number for errors. */
const ERROR = 50;
/** Characters of an error: the database puts the whole statement before its complaint. */
const MOST_SHOWN = 160;

export class ServiceProcess {
  readonly name: string;
  readonly port: number;
  readonly env: NodeJS.ProcessEnv;
  private readonly folder: string;
  /** One for each start, the last one last. */
  private readonly runs: Child[] = [];

  private constructor(name: string, port: number, folder: string, env: NodeJS.ProcessEnv) {
    this.name = name;
    this.port = port;
    this.folder = folder;
    this.env = env;
  }

  /** `folder`: for its logs. */
  static async make(
    name: string,
    folder: string,
    { storage, changes }: { storage: string; changes: NodeJS.ProcessEnv },
  ): Promise<ServiceProcess> {
    const port = await freePort();
    const env = processEnvironment(storage, { PORT: String(port), ...changes });
    return new ServiceProcess(name, port, folder, env);
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Starts the process, which soon listens. `changes`: of the environment, for this start. */
  launch(changes: NodeJS.ProcessEnv = {}): void {
    const { name } = this;
    const log = join(this.folder, `${name}-${this.runs.length + 1}.log`);
    const env = { ...this.env, ...changes };
    this.runs.push(startChild({ name, command: process.execPath, args: [MAIN], log, env }));
  }

  /** Waits until the process listens. If it ends, throws with its output. */
  async listening(): Promise<void> {
    await until(async () => {
      const output = this.runs.at(-1)?.output() ?? '';
      if (!this.isRunning()) throw new Error(`${this.name} ended: ${complaints(output)}`);
      return output.includes('"msg":"listening"');
    }, PATIENCE_MS);
  }

  /** The status of /health/live or /health/ready; 0: no answer. */
  async health(path: 'live' | 'ready'): Promise<number> {
    const answer = await fetch(`${this.url}/health/${path}`).catch(() => undefined);
    await answer?.body?.cancel();
    return answer?.status ?? 0;
  }

  get pid(): number {
    return this.runs.at(-1)?.pid ?? 0;
  }

  isRunning(): boolean {
    return this.runs.at(-1)?.isRunning() ?? false;
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    await this.runs.at(-1)?.end(signal);
  }

  /** The errors in the logs of all its runs, and how often each is there. */
  errors(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const line of this.runs.flatMap((run) => run.output().split('\n'))) {
      if (!line.startsWith(`{"level":${ERROR}`)) continue;
      const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
      const what = [msg, err?.message]
        .filter(Boolean)
        .map((text) => text?.slice(-MOST_SHOWN))
        .join(': ');
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
    return counts;
  }
}

/** The output of a failed start. */
const complaints = (output: string): string =>
  [...output.matchAll(/^forecourt: (.*)$/gm)].map(([, text]) => text?.slice(-MOST_SHOWN)).join('; ');
