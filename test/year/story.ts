// A story: how a garage keeps its books, and what it does, step by step. A step has its own chance, so it stays the
// same when other steps are left out.
import fc from 'fast-check';
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Setting } from './actions/opening.ts';
import { atOnce } from './actions/rush.ts';
import { ACTIONS, type ActionName, WEIGHTS } from './actions/table.ts';
import type { Desk } from './desk.ts';
import { Dice } from './dice.ts';

interface Step {
  readonly action: ActionName;
  readonly dice: readonly number[];
  /** Another step that comes at the same time. */
  readonly beside?: Step;
}

export interface Story {
  readonly setting: Setting;
  /** The steps of each month. */
  readonly months: readonly (readonly Step[])[];
}

const chance = fc.array(fc.nat(99_999_999), { minLength: 16, maxLength: 16 });
const names = (Object.keys(ACTIONS) as ActionName[]).map((value) => ({
  weight: WEIGHTS[value],
  arbitrary: fc.constant(value),
}));
const step = fc.record({ action: fc.oneof(...names), dice: chance });
const doubleStep: fc.Arbitrary<Step> = fc
  .tuple(step, fc.option(step, { freq: 8, nil: undefined }))
  .map(([one, beside]) => ({ ...one, ...(beside && { beside }) }));

const { marginmethods, vatperiods } = LISTS;

export const stories = (months: number, steps: number): fc.Arbitrary<Story> =>
  fc.record({
    setting: fc.record({
      margin_method: fc.constantFrom(marginmethods.GLOBAL, marginmethods.INDIVIDUAL),
      vat_period: fc.constantFrom(vatperiods.QUARTER, vatperiods.MONTH),
    }),
    months: fc.array(fc.array(doubleStep, { minLength: 0, maxLength: 2 * steps, size: 'max' }), {
      minLength: months,
      maxLength: months,
    }),
  });

/** The story of a seed: the same that `fc.assert` tries first with this seed. */
export const storyOf = (arbitrary: fc.Arbitrary<Story>, seed: number): Story => {
  const [story] = fc.sample(arbitrary, { seed, numRuns: 1 });
  if (!story) throw new Error('no story');
  return story;
};

export async function playStep(desk: Desk, { action, dice, beside }: Step): Promise<void> {
  desk.say(`${action}${beside ? ` and ${beside.action} at the same time` : ''}`);
  const one = ACTIONS[action](desk, new Dice(dice));
  if (!beside) return one;
  await atOnce(one, ACTIONS[beside.action](desk, new Dice(beside.dice)));
}
