// Garages live through random months, and an arithmetic of its own looks at what the API shows of them.
import { expect } from 'chai';
import fc from 'fast-check';
import { openStage, type Stage, type Told } from './play.ts';
import { stories, storyOf } from './story.ts';

const SEEDS = Number(process.env.YEAR_SEEDS ?? 30);
const FIRST_SEED = Number(process.env.YEAR_FIRST ?? 1);
const STORIES = stories(Number(process.env.YEAR_MONTHS ?? 3), Number(process.env.YEAR_STEPS ?? 8));

describe('a random year', function () {
  this.timeout(Number(process.env.YEAR_TIMEOUT ?? 300_000));
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('keeps the books, the cars and the plan right', async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index);

    const told = await stage.play(seeds.map((seed) => storyOf(STORIES, seed)));

    const failed = told.findIndex(({ faults }) => faults.length > 0);
    if (process.env.YEAR_ALL) for (const [index, { faults }] of told.entries()) if (faults.length) console.log(`seed ${seeds[index]}: ${faults.slice(0, 3).join(' | ')}`);
    if (failed >= 0) expect.fail(await shortest(seeds[failed] ?? 0));
    expect(stage.errors()).to.deep.equal([]);
  });

  /** The shortest story that fails like the story of a seed. */
  async function shortest(seed: number): Promise<string> {
    let last: Told | undefined;
    const property = fc.asyncProperty(STORIES, async (story) => {
      const [told] = await stage.play([story]);
      if (!told || told.faults.length === 0) return;
      last = told;
      throw new Error(told.faults.join('\n'));
    });
    await fc.check(property, { seed, numRuns: 1, unbiased: true, interruptAfterTimeLimit: Number(process.env.YEAR_SHRINK_MS ?? 120_000) });
    return last ? `seed ${seed} fails:\n${last.faults.join('\n')}\n\n${last.desk.script.join('\n')}` : `seed ${seed} failed once only`;
  }
});
