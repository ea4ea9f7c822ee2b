// The only importer of Piscina: runs workers/<kind>.js in worker threads, never on the thread that answers.
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';

// Workers stream: their objects die young. A nursery of 16 MB takes 20 MB more than the smallest one and saves a tenth
// of a backup's processor time. V8 lets a heap with a low limit grow in small steps.
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
const WORKERS = new URL('../../workers/', import.meta.url);

export interface Work {
  readonly kind: string;
  /** JSON; the worker gets a `port` for its progress beside it. */
  readonly task: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

/** What a worker returns: expected failures are values, since errors lose their class between threads. */
export type WorkResult =
  | { ok: true; size: number; sha256: string }
  /** `passing`: another attempt may succeed. */
  | { ok: false; message: string; passing?: true };

export class Pool {
  private readonly piscina: Piscina;

  constructor(threads: number) {
    this.piscina = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 10_000,
      // An idle thread would sleep without turning its event loop, and keep the connection that its last task closed.
      atomics: 'disabled',
      resourceLimits: HEAP,
      // Whoever waits for an answer goes first.
      niceIncrement: 10,
    });
    // Without a listener, aborting a task that still answers would end the process.
    this.piscina.on('error', () => {});
  }

  /** Rejects where the worker threw, or where it was aborted: the thread is ended then. */
  async run({ kind, task, signal, onProgress }: Work): Promise<WorkResult> {
    const { port1, port2 } = new MessageChannel();
    const ended = new Promise((resolve) => port1.once('close', resolve));
    port1.on('message', ({ progress }: { progress: number }) => onProgress(progress));
    port1.unref();
    try {
      const filename = new URL(`${kind}.js`, WORKERS).href;
      return await this.piscina.run({ ...task, port: port2 }, { filename, signal, transferList: [port2] });
    } catch (error) {
      // An aborted thread is only told to end: until its port goes with it, it may still make its file.
      if (signal.aborted) {
        port2.close();
        await ended;
      }
      throw error;
    } finally {
      port1.close();
    }
  }

  /** Waiting and running tasks, and threads. */
  figures(): { waiting: number; threads: number } {
    return { waiting: this.piscina.queueSize, threads: this.piscina.threads.length };
  }

  close(): Promise<void> {
    return this.piscina.destroy();
  }
}
