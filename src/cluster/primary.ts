// Starts the workers, replaces a worker that ends, and stops them. Node's cluster module opens the port in this
// process, and the kernel gives each new connection to a worker that takes it.
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { AggregatorRegistry } from 'prom-client';
import type { Base } from '../platform/base.ts';
import type { ToPrimary, ToWorker } from './message.ts';

// By default the primary accepts the connections and hands them on in turn. If a worker is killed before it confirms
// one, the primary keeps this connection open, and the caller gets neither an answer nor a reset: each of 200 kills
// left such a caller. The price of the kernel is an uneven spread of kept connections. To hand on sockets by ourselves
// would keep the turns, but Node's HTTP server checks no timeouts of sockets that it has not accepted.
cluster.schedulingPolicy = cluster.SCHED_NONE;

/** A worker that ended sooner is started again after a pause: whatever ended it may need some time. */
const SHORT_LIFE_MS = 10_000;
const PAUSE_MS = 2_000;

export class Workers {
  private readonly log: Base['log'];
  private readonly running = new Map<number, Worker>();
  private readonly pauses = new Set<NodeJS.Timeout>();
  private readonly metrics = new AggregatorRegistry();
  /** What all workers were told. A worker hears nothing while it loads its code, so it is told again. */
  private readonly told: ToWorker[] = [];
  /** Whether a worker that ends is replaced: from the first one that listens until the end of the service. */
  private replaces = false;

  private constructor(log: Base['log']) {
    this.log = log;
  }

  /**
   * Starts WORKERS workers, and returns when they listen, with the address of the service. Throws the reason of the
   * first worker if that one can't start: then none can.
   */
  static async start({ config, log }: Base): Promise<{ workers: Workers; url: string }> {
    const workers = new Workers(log);
    const url = await workers.fork(1);
    workers.replaces = true;
    const others = Array.from({ length: config.workers - 1 }, (_, index) => workers.fork(index + 2));
    await Promise.allSettled(others);
    return { workers, url };
  }

  /** Stops all workers, each as a single process stops. `now` ends the waiting for DRAIN_SECONDS. */
  async stop(now: AbortSignal): Promise<void> {
    this.replaces = false;
    for (const pause of this.pauses) clearTimeout(pause);
    const ended = [...this.running.values()].map((worker) => once(worker, 'exit'));
    this.tellAll({ type: 'stop' });
    now.addEventListener('abort', () => this.tellAll({ type: 'stop-now' }));
    await Promise.all(ended);
  }

  /** Resolves with the address when the worker listens. Rejects if it ends before. */
  private fork(slot: number): Promise<string> {
    cluster.setupPrimary({ args: ['worker', String(slot)] });
    const worker = cluster.fork();
    const started = performance.now();
    this.running.set(slot, worker);
    return new Promise((resolve, reject) => {
      let reason: string | undefined;
      worker.on('message', (message: ToPrimary) => {
        if (message.type === 'listening') {
          for (const each of this.told) tell(worker, each);
          resolve(message.url);
        } else if (message.type === 'failed') reason = message.reason;
        else if (message.type === 'metrics') void this.answer(worker, message.question);
      });
      worker.once('exit', (code, signal) => {
        this.running.delete(slot);
        const how = { worker: slot, process: worker.process.pid, code, signal: signal ?? undefined, reason };
        if (this.replaces) {
          this.log.warn(how, 'a worker has ended, another one takes its place');
          this.replace(slot, performance.now() - started < SHORT_LIFE_MS ? PAUSE_MS : 0);
        }
        reject(new Error(reason ?? `The first worker ended before it listened: ${signal ?? code}`));
      });
    });
  }

  private replace(slot: number, afterMs: number): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      // A worker that can't start ends, and is replaced in turn.
      this.fork(slot).catch(() => {});
    }, afterMs);
    this.pauses.add(pause);
  }

  /** Adds up the metrics of all workers. A worker that ends meanwhile leaves the question without an answer. */
  private async answer(worker: Worker, question: number): Promise<void> {
    const text = await this.metrics.clusterMetrics().catch(() => undefined);
    tell(worker, { type: 'metrics', question, text });
  }

  private tellAll(message: ToWorker): void {
    this.told.push(message);
    for (const worker of this.running.values()) tell(worker, message);
  }
}

function tell(worker: Worker, message: ToWorker): void {
  // A worker that ends at this moment needs no message.
  if (worker.isConnected()) worker.send(message, () => {});
}
