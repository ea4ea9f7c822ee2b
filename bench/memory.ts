// The peak of memory of a service that makes a backup, for a garage and for one five times as large: each in a
// fresh process, since Linux keeps the highest that a process ever had.
import type { Ground } from './ground.ts';
import { backUp } from './jobs.ts';
import { memory } from './process.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type Place, startService } from './servers.ts';
import { median, spread } from './statistics.ts';

const MOST_MEGABYTES = 200;
/** What is still "the same": a tenth more. */
const SAME = 1.1;

interface Run {
  readonly before: number;
  readonly peak: number;
  readonly seconds: number;
}

export async function measureMemory(
  ground: Ground,
  place: Place,
  { rounds }: { rounds: number },
): Promise<Measured> {
  const garages = [ground.garage, await ground.largeGarage()];
  const runs: Run[][] = garages.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, garage] of garages.entries()) {
      const service = await startService(place);
      try {
        const before = memory(service.pid, 'VmHWM');
        const token = await ground.token(garage);
        const seconds = await backUp(ground, service.url, token);
        runs[index]?.push({ before, peak: memory(service.pid, 'VmHWM'), seconds });
      } finally {
        await service.stop();
      }
    }
  }
  const peaks = runs.map((of) => spread(of.map(({ peak }) => peak)));
  const rows = garages.map(({ orders }, index) => {
    const of = runs[index] ?? [];
    const seconds = median(of.map((run) => run.seconds)).toFixed(2);
    return [
      `${orders} orders`,
      shown(spread(of.map(({ before }) => before)), 0),
      shown(peaks[index] ?? spread([]), 0),
      seconds,
    ];
  });
  const [small, large] = peaks.map((peak) => peak.median);
  const growth = (large ?? Number.NaN) / (small ?? Number.NaN);
  return {
    text: section(
      'Memory of the service during a backup (`memory`)',
      tableText([['', 'peak before, MB', 'peak, MB', 'seconds from 202 to done'], ...rows]),
    ),
    verdicts: [
      verdict(
        'Peak of memory during a backup, MB',
        `≤ ${MOST_MEGABYTES}`,
        shown(peaks[1] ?? spread([]), 0),
        (large ?? 0) <= MOST_MEGABYTES,
      ),
      verdict('The same for five times the rows', `≤ ${SAME}`, growth.toFixed(2), growth <= SAME),
    ],
  };
}
