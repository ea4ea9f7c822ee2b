// Finds the shortest story that fails, and tells it as commands that a reader can play again.
import fc from 'fast-check';
import type { Stage, Told } from './play.ts';
import type { Story } from './story.ts';

export interface Failed {
  readonly seed: number;
  /** How the story failed beside others. */
  readonly told: Told;
}

/** A story of a seed that failed, made shorter for so long. The sentences about it, then its commands. */
export async function shortest(
  stage: Stage,
  stories: fc.Arbitrary<Story>,
  { seed, told }: Failed,
  milliseconds: number,
): Promise<string> {
  let last: Told | undefined;
  const property = fc.asyncProperty(stories, async (story) => {
    const [told] = await stage.play([story]);
    if (!told || told.faults.length === 0) return;
    last = told;
    throw new Error(told.faults.join('\n'));
  });
  await fc.check(property, { seed, numRuns: 1, interruptAfterTimeLimit: milliseconds });
  const { faults, desk } = last ?? told;
  const where = last ? '' : ' beside others only';
  return [`seed ${seed} fails${where}:`, ...faults, '', ...desk.script].join('\n');
}
