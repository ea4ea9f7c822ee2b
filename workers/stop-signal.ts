// Lets a worker clean up before its thread ends: see src/jobs/pool.ts.
import type { MessagePort } from 'node:worker_threads';
import type { JobResult } from './job.ts';

/**
 * Runs work that stops when its signal is aborted. Then it rejects, whatever the work has made of the abort. The thread
 * ends a moment later.
 */
export async function stoppable(
  port: MessagePort | undefined,
  work: (signal: AbortSignal) => Promise<JobResult>,
): Promise<JobResult> {
  const stopping = new AbortController();
  port?.on('message', () => stopping.abort());
  port?.postMessage({ stops: true });
  const result = await work(stopping.signal);
  if (!result.ok) stopping.signal.throwIfAborted();
  return result;
}
