// Garages live through random months, and an arithmetic of its own looks at what the API shows of them. `make chaos
// ARGS=year` plays longer and more.
import { expect } from 'chai';
import { endFaults } from './ending.ts';
import { openStage, type Stage } from './play.ts';
import { shortest } from './shortest.ts';
import { stories, storyOf } from './story.ts';

const SEEDS = 30;
const STORIES = stories(3, 8);
const SHRINK_MS = 60_000;

describe('a random year', function () {
  this.timeout(600_000);
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage?.close());

  it('keeps the books, the cars and the plan right', async () => {
    const seeds = Array.from({ length: SEEDS }, (_, index) => 1 + index);

    const tales = await stage.play(seeds.map((seed) => storyOf(STORIES, seed)));

    // A month in which everything is refused has no faults.
    for (const name of ['order', 'payment', 'vehicle', 'appointment'])
      expect(
        tales.some(({ desk }) => desk.all(name).length > 0),
        name,
      ).to.equal(true);
    const index = tales.findIndex(({ faults }) => faults.length > 0);
    const told = tales[index];
    if (told) expect.fail(await shortest(stage, STORIES, { seed: seeds[index] ?? 0, told }, SHRINK_MS));
    expect(
      await endFaults(
        stage.service,
        tales.slice(-1).map(({ desk }) => desk),
      ),
    ).to.deep.equal([]);
    expect(stage.errors()).to.deep.equal([]);
  });
});
