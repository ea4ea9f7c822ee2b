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

/** Repeats runs of that many seconds until the server is warm. */
export async function warmUp(
  { kind }: Point,
  run: (seconds: number) => Promise<Pick<Figures, 'requests'>>,
): Promise<void> {
  const enough = ENOUGH[kind];
  let requests = 0;
  for (let seconds = 0; seconds < enough.seconds && requests < enough.requests; seconds += RUN_SECONDS)
    requests += (await run(RUN_SECONDS)).requests;
}
