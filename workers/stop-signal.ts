// Lets a worker clean up before its thread ends: see src/jobs/pool.ts.
import type { MessagePort } from 'node:worker_threads';

/** Aborted when the engine wants the work to stop. The thread ends a moment later, whatever it does. */
export function stopSignal(port: MessagePort | undefined): AbortSignal {
  const stopping = new AbortController();
  port?.on('message', () => stopping.abort());
  port?.postMessage({ stops: true });
  return stopping.signal;
}
