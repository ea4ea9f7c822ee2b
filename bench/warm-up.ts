// Before a server is measured, V8 compiles the code of its requests. Meanwhile a request takes up to twice its usual
// time, and the more code a server has, the longer that lasts. A service runs for weeks, so it is measured afterwards.
import type { Figures } from './load.ts';

const REQUESTS = 10_000;
/** For requests that take milliseconds. */
const MOST_SECONDS = 10;
const RUN_SECONDS = 2;

/** Repeats runs of that many seconds until the server is warm. */
export async function warmUp(run: (seconds: number) => Promise<Pick<Figures, 'requests'>>): Promise<void> {
  let requests = 0;
  for (let seconds = 0; seconds < MOST_SECONDS && requests < REQUESTS; seconds += RUN_SECONDS)
    requests += (await run(RUN_SECONDS)).requests;
}
