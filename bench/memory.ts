// Peak memory of a service that makes a backup, for a garage and for one with a fifth of the orders. Each run is a
// fresh process, because Linux only knows the highest value of a process's whole life.
import type { Dataset } from './dataset.ts';
import { backUp } from './jobs.ts';
import { memory } from './process.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type ServerSettings, startService } from './servers.ts';
import { median, spread } from './statistics.ts';

const MAX_MEGABYTES = 200;
/** Memory counts as flat if five times the rows need at most a tenth more. */
const MAX_GROWTH = 1.1;

interface Run {
  readonly before: number;
  readonly peak: number;
  readonly seconds: number;
}

export async function measureMemory(
  dataset: Dataset,
  settings: ServerSettings,
  { rounds }: { rounds: number },
): Promise<Measured> {
  const garages = [await dataset.smallGarage(), dataset.garage];
  const runs: Run[][] = garages.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, garage] of garages.entries()) {
      const service = await startService(settings);
      try {
        const before = memory(service.pid, 'VmHWM');
        const token = await dataset.token(garage);
        const seconds = await backUp(dataset, service.url, token);
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
  const [small = [], large = []] = runs;
  const growth = spread(large.map(({ peak }, round) => peak / (small[round]?.peak ?? Number.NaN)));
  return {
    text: section(
      'Memory of the service during a backup (`memory`)',
      tableText([['', 'peak before, MB', 'peak, MB', 'seconds from 202 to done'], ...rows]),
    ),
    verdicts: [
      verdict('Peak memory during a backup, MB', peaks[1] ?? spread([]), { most: MAX_MEGABYTES }, 0),
      verdict('Peak memory for five times the rows, relative', growth, { most: MAX_GROWTH }),
    ],
  };
}
