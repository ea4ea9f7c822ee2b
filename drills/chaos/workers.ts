// kill -9 of workers that share a port, while callers ask on new connections and on kept ones: each request ends, with
// an answer or with its connection, and no caller waits for a worker that is dead.
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/process/port.ts';
import { workersOf } from '../../test/support/process/workers.ts';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

interface WorkersOptions {
  readonly workers: number;
  readonly kills: number;
  /** Callers of each of the two kinds. */
  readonly callers: number;
  /** A request whose worker dies ends within this time. Not judged where the machine may be busy. */
  readonly mostCutMs?: number;
}

/** A request that is still open then has no end. */
const PATIENCE_MS = 10_000;
/** A new worker serves within this time, on a busy machine. */
const START_MS = 120_000;
/** A caller's longest pause between two requests: new workers need the machine to start. */
const MOST_BREAK_MS = 40;
/** The longest pause before a kill, so that it comes at any moment of a request. */
const MOST_PAUSE_MS = 200;

export async function workers(
  report: Report,
  folder: string,
  { workers: count, kills, callers, mostCutMs = Number.POSITIVE_INFINITY }: WorkersOptions,
): Promise<void> {
  const scene = await Scene.open(folder, {
    orders: 0,
    settings: { WORKERS: String(count), JOB_THREADS: '0', PORT: String(await freePort()) },
  });
  const calls = new Callers();
  try {
    await scene.start();
    const serving = servingOf(scene);
    const port = Number(new URL(scene.url).port);
    const asking = calls.start(port, callers);
    for (let kill = 0; kill < kills; kill += 1) {
      const slot = await until(async () => victim(serving), START_MS);
      await pause(Math.random() * MOST_PAUSE_MS);
      const pid = (await workersOf(scene.pid)).get(slot);
      if (pid === undefined) throw new Error(`worker ${slot} has ended by itself`);
      process.kill(pid, 'SIGKILL');
      calls.kills.push(performance.now());
      await until(async () => !serving.has(slot));
      if ((kill + 1) % 50 === 0) report.say(`  ${kill + 1} kills: ${calls.text()}`);
    }
    calls.stop();
    await asking;
    report.say(`${kills} kills of ${count} workers: ${calls.text()}`);
    report.demand(calls.endless === 0, `${calls.endless} requests without an end`);
    report.demand(
      calls.longestCut < mostCutMs,
      `a request was cut off ${seconds(calls.longestCut)} after the kill`,
    );
    report.demand(calls.answered > kills, `only ${calls.answered} requests were answered`);
  } finally {
    calls.stop();
    await scene.close();
  }
}

/** The workers that have answered a request since they started, as the log tells. */
function servingOf(scene: Scene): Set<number> {
  const serving = new Set<number>();
  const lines = createInterface({ input: scene.child?.stdout ?? process.stdin });
  lines.on('line', (line) => {
    const slot = Number(/"worker":(\d+)/.exec(line)?.[1]);
    if (line.endsWith('"msg":"request"}')) serving.add(slot);
    else if (line.includes('"msg":"a worker has ended')) serving.delete(slot);
  });
  return serving;
}

/** One of two workers or more. Undefined where only one serves. */
const victim = (serving: ReadonlySet<number>): number | undefined =>
  serving.size > 1 ? [...serving][Math.floor(Math.random() * serving.size)] : undefined;

/** Callers that ask one request after the other, and what became of the requests. */
class Callers {
  answered = 0;
  /** Requests whose connection ended without an answer. */
  cut = 0;
  endless = 0;
  /** The longest time from a kill to the end of a connection that it left without an answer. */
  longestCut = 0;
  readonly kills: number[] = [];
  private over = false;

  async start(port: number, callers: number): Promise<void> {
    const kept = new Agent({ keepAlive: true });
    const all = Array.from({ length: 2 * callers }, async (_, caller) => {
      const agent = caller % 2 === 0 ? kept : false;
      while (!this.over) {
        await this.ask(port, agent);
        await pause(Math.random() * MOST_BREAK_MS);
      }
    });
    await Promise.all(all);
    kept.destroy();
  }

  stop(): void {
    this.over = true;
  }

  text(): string {
    return (
      `${this.answered} requests answered, ${this.cut} cut off, ${seconds(this.longestCut)} after the kill at most, ` +
      `${this.endless} without an end`
    );
  }

  private ask(port: number, agent: Agent | false): Promise<void> {
    const began = performance.now();
    return new Promise((resolve) => {
      const end = (count: () => void) => {
        clearTimeout(patience);
        count();
        resolve();
      };
      const cut = () =>
        end(() => {
          this.cut += 1;
          const cause = this.kills.find((at) => at >= began) ?? began;
          this.longestCut = Math.max(this.longestCut, performance.now() - cause);
        });
      const asked = request({ host: '127.0.0.1', port, path: '/health/live', agent }, (answer) => {
        answer
          .resume()
          .on('end', () =>
            end(() => {
              this.answered += 1;
            }),
          )
          .on('error', cut);
      });
      const patience = setTimeout(() => {
        asked
          .removeAllListeners('error')
          .on('error', () => {})
          .destroy();
        end(() => {
          this.endless += 1;
        });
      }, PATIENCE_MS);
      asked.on('error', cut).end();
    });
  }
}
