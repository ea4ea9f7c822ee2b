// Garages live through random years, thousands of them, while the service is killed now and then. An arithmetic of its
// own looks at each garage after each month.
import { join } from 'node:path';
import { endFaults } from '../../test/year/ending.ts';
import { openStage, type Told } from '../../test/year/play.ts';
import { type Failed, shortest } from '../../test/year/shortest.ts';
import { stories, storyOf } from '../../test/year/story.ts';
import type { Report } from './report.ts';

const AT_ONCE = 30;
const MONTHS = 12;
const SHRINK_MS = 300_000;
/** More than one fault is seldom more than one cause. */
const MOST_TOLD = 3;
/** Garages that are moved to MySQL at the end. */
const MOVED = 3;

interface YearOptions {
  readonly seeds: number;
  readonly first: number;
  readonly steps: number;
}

export async function year(
  report: Report,
  folder: string,
  { seeds, first, steps }: YearOptions,
): Promise<void> {
  const arbitrary = stories(MONTHS, steps);
  const stage = await openStage();
  const failed: Failed[] = [];
  let last: readonly Told[] = [];
  try {
    for (let from = first; from < first + seeds; from += AT_ONCE) {
      const batch = Array.from(
        { length: Math.min(AT_ONCE, first + seeds - from) },
        (_, index) => from + index,
      );
      stage.killNext();
      const told = await stage.play(batch.map((seed) => storyOf(arbitrary, seed)));
      last = told;
      told.forEach((one, index) => {
        if (one.faults.length === 0) return;
        const seed = batch[index] ?? 0;
        failed.push({ seed, told: one });
        report.say(`seed ${seed}: ${one.faults.slice(0, MOST_TOLD).join(' | ')}`);
      });
      report.say(`${from - first + batch.length} years, ${failed.length} with faults`);
    }
    const [one] = failed;
    if (one) report.say(await shortest(stage, arbitrary, one, SHRINK_MS));
    const names = failed.map(({ seed }) => seed).join(', ');
    report.demand(failed.length === 0, `the years of the seeds ${names} have faults`);
    const others = { folder: join(folder, 'mysql'), settings: { DATABASE_SERVER: 'mysql' } };
    for (const fault of await endFaults(
      stage.service,
      last.slice(0, MOVED).map(({ desk }) => desk),
      others,
    ))
      report.demand(false, fault);
    const errors = stage.errors();
    report.demand(errors.length === 0, `the log has ${errors.length} errors: ${errors[0]}`);
  } finally {
    await stage.close();
  }
}
