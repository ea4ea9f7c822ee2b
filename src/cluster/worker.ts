// The side of a worker: it hears when to stop, tells that it listens or why it can't, and asks for the metrics of all
// workers.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { problem } from '../core/errors.ts';
import type { ToPrimary, ToWorker } from './message.ts';

/** The number of this worker, 1 to WORKERS. Undefined if this process is no worker. */
export const workerSlot = (): number | undefined =>
  cluster.isWorker ? Number(process.argv.at(-1)) : undefined;

export class Primary {
  private readonly stopping = new AbortController();
  private readonly hurrying = new AbortController();
  private readonly questions = new Map<number, (text?: string) => void>();
  private asked = 0;

  /** Aborted when this worker must not wait for DRAIN_SECONDS. */
  readonly now = this.hurrying.signal;

  constructor() {
    process.on('message', (message: ToWorker) => {
      if (message.type === 'stop') this.stopping.abort();
      else if (message.type === 'stop-now') this.hurrying.abort();
      else if (message.type === 'metrics') this.questions.get(message.question)?.(message.text);
    });
    // Ctrl-C reaches all processes of a terminal. Only the primary counts signals.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => this.stopping.abort());
  }

  /** Resolves when this worker must stop, also by a signal of its own. */
  async toldToStop(): Promise<void> {
    if (!this.stopping.signal.aborted) await once(this.stopping.signal, 'abort');
  }

  tellListening(url: string): void {
    tell({ type: 'listening', url });
  }

  /** Resolves when the primary has got the reason. */
  tellFailed(reason: string): Promise<void> {
    return new Promise((resolve) => tell({ type: 'failed', reason }, resolve));
  }

  /** The text of /metrics for all workers. Throws Problem 503 if one of them ended meanwhile. */
  readonly readAllMetrics = async (): Promise<string> => {
    this.asked += 1;
    const question = this.asked;
    const text = await new Promise<string | undefined>((resolve) => {
      this.questions.set(question, resolve);
      tell({ type: 'metrics', question });
    });
    this.questions.delete(question);
    if (text === undefined) throw problem('service_unavailable');
    return text;
  };
}

function tell(message: ToPrimary, sent: () => void = () => {}): void {
  process.send?.(message, undefined, undefined, () => sent());
}
