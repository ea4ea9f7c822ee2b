// The messages between processes that share a port. The primary starts the workers; a worker serves requests.

export type ToWorker =
  | { readonly type: 'stop' }
  /** Ends the waiting for DRAIN_SECONDS. */
  | { readonly type: 'stop-now' }
  /** The answer to a worker's question. Without text: the metrics can't be read. */
  | { readonly type: 'metrics'; readonly question: number; readonly text?: string };

export type ToPrimary =
  | { readonly type: 'listening'; readonly url: string }
  /** Why the worker can't start. It ends by itself. */
  | { readonly type: 'failed'; readonly reason: string }
  | { readonly type: 'metrics'; readonly question: number };

/** The job threads of worker `slot` (1 to `workers`): all workers together have `threads`. */
export const shareOfThreads = (threads: number, workers: number, slot: number): number =>
  Math.floor(threads / workers) + (slot <= threads % workers ? 1 : 0);
