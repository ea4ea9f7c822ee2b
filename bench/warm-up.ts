// Before a server is measured, V8 compiles the code of its requests. Meanwhile a request takes up to twice its usual
// time, and the more code a server has, the longer that lasts. A service runs for weeks, so it is measured afterwards.
import type { Figures } from './load.ts';
import type { Point } from './points.ts';

const RUN_SECONDS = 2;

/** Enough runs of either number. A request that writes runs many times the code of one that reads. */
const ENOUGH: Readonly<Record<Point['kind'], { readonly requests: number; readonly seconds: number }>> = {
  read: { requests: 10_000, seconds: 10 },
  login: { requests: 10_000, seconds: 10 },
  own: { requests: 10_000, seconds: 10 },
  write: { requests: 40_000, seconds: 40 },
  delete: { requests: 40_000, seconds: 40 },
};

/** A run of that many seconds against one server. */
type Run = (seconds: number) => Promise<Pick<Figures, 'requests'>>;

/**
 * Repeats the runs in turn until all servers are warm. None waits long for the others: V8 forgets the code of a server
 * that has nothing to do.
 */
export async function warmUp({ kind }: Point, runs: readonly Run[]): Promise<void> {
  const enough = ENOUGH[kind];
  const answered = runs.map(() => 0);
  const isWarm = () => answered.every((requests) => requests >= enough.requests);
  for (let seconds = 0; seconds < enough.seconds && !isWarm(); seconds += RUN_SECONDS)
    for (const [index, run] of runs.entries())
      answered[index] = (answered[index] ?? 0) + (await run(RUN_SECONDS)).requests;
}
