// Runs workers/<kind>.js in worker threads. The only file that imports Piscina.
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { JobResult, Kind, Task } from './kind.ts';

// Workers stream: their objects die young. A nursery of 16 MB takes 20 MB more than the smallest one and saves a tenth
// of a backup's processor time. V8 lets a heap with a low limit grow in small steps.
const HEAP = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 256 };
/** How long a worker that can stop by itself may take to clean up. */
const STOP_MS = 2_000;
const WORKERS = new URL('../../../workers/', import.meta.url);

interface Work {
  readonly kind: Kind;
  readonly task: Task<Kind>;
  readonly signal: AbortSignal;
  readonly onProgress: (percent: number) => void;
}

export class Pool {
  private readonly piscina: Piscina;

  constructor(threads: number) {
    this.piscina = new Piscina({
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: 10_000,
      // With atomics, an idle thread blocks its event loop, and the connection of its last task stays open.
      atomics: 'disabled',
      resourceLimits: HEAP,
      // Requests go before jobs.
      niceIncrement: 10,
    });
    // Without a listener, aborting a task whose answer is on its way ends the process.
    this.piscina.on('error', () => {});
  }

  /**
   * Rejects if the worker throws. After an abort it ends the thread and then rejects. A worker that can stop by itself
   * gets a message first, and keeps its thread if it stops in time.
   */
  async run({ kind, task, signal, onProgress }: Work): Promise<JobResult> {
    const { port1, port2 } = new MessageChannel();
    const ending = new AbortController();
    const ended = new Promise((resolve) => port1.once('close', resolve));
    let stops = false;
    let timer: NodeJS.Timeout | undefined;
    const end = () => ending.abort();
    const stop = () => {
      if (!stops) return end();
      port1.postMessage({ stop: true });
      timer = setTimeout(end, STOP_MS);
    };
    port1.on('message', (said: { progress?: number; stops?: true }) => {
      if (said.stops) stops = true;
      if (said.progress !== undefined) onProgress(said.progress);
    });
    port1.unref();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    try {
      const filename = new URL(`${kind}.js`, WORKERS).href;
      const options = { filename, signal: ending.signal, transferList: [port2] };
      return await this.piscina.run({ ...task, port: port2 }, options);
    } catch (error) {
      // An aborted thread ends a moment later and closes its port then. Until then it may still write its file.
      if (ending.signal.aborted) {
        port2.close();
        await ended;
      }
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
      port1.close();
    }
  }

  /** Tasks that wait for a thread, and threads. */
  figures(): { waiting: number; threads: number } {
    return { waiting: this.piscina.queueSize, threads: this.piscina.threads.length };
  }

  close(): Promise<void> {
    return this.piscina.destroy();
  }
}
