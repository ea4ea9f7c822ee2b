// Whatever happens after a close: each amount, day, number and row about the closed days stays the same in the journal,
// the VAT return with its lines, the ICP statement and the debtors. STORIES=100 tells more stories, STORY=7 only one.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { type Closed, close, closedBooks, closedJournal } from '../../support/books/closed.ts';
import { Story } from '../../support/books/story.ts';
import { AFTERWARDS, type Move, TRADE } from '../../support/books/story-moves.ts';
import { dayOf } from '../../support/build/day.ts';
import type { Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';

const { INDIVIDUAL, GLOBAL } = LISTS.marginmethods;
const { MONTH, QUARTER } = LISTS.vatperiods;
const STORIES = Number(process.env.STORIES ?? 3);
const ONE = process.env.STORY;
const PHASES = [35, 35, 40];
const MOVES_A_PHASE = 14;
const MOVES_AFTERWARDS = 60;
const MOVES_BETWEEN_LOOKS = 20;
const MONTHS = 6;

/** How garages count their margins. */
const GARAGES: readonly Json[] = [
  { margin_method: GLOBAL, vat_period: MONTH },
  { margin_method: INDIVIDUAL, vat_period: QUARTER },
  { margin_method: GLOBAL, vat_period: QUARTER },
];

/** The first days of the last months, this one included; of quarters every third. */
function periodsBefore(unit: number): { from: string; to: string }[] {
  const months = unit === QUARTER ? 3 : 1;
  const today = new Date(`${dayOf()}T00:00:00Z`);
  const first = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth(), 1));
  first.setUTCMonth(Math.floor(first.getUTCMonth() / months) * months);
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return Array.from({ length: MONTHS / months }, (_, index) => {
    const at = (back: number, days = 0) =>
      day(new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - back * months, 1 + days)));
    return { from: at(index + 1), to: at(index, -1) };
  }).reverse();
}

async function play(story: Story, moves: readonly Move[], count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await story.random.pick(moves)(story);
}

describe('the books of closed days', () => {
  const numbers = ONE === undefined ? Array.from({ length: STORIES }, (_, index) => index) : [Number(ONE)];
  for (const number of numbers)
    it(`stay the same whatever happens later: story ${number}`, async () => {
      const garage = GARAGES[number % GARAGES.length] ?? {};
      const story = await Story.open(`closed ${number}`, garage);
      for (const days of PHASES) {
        await play(story, TRADE, MOVES_A_PHASE);
        await story.passTime(days);
      }
      const periods = periodsBefore(Number(garage.vat_period));
      const days = { from: String(periods[0]?.from), to: String(periods.at(-1)?.to) };
      await close(story.client, days.to);
      story.told.push(`closed until ${days.to}`);
      const look = async (): Promise<Closed[]> => {
        const found: Closed[] = [];
        for (const { from, to } of periods) found.push(await closedBooks(story.client, from, to));
        return found;
      };
      const filed = await look();
      const journal = await closedJournal(story.client, days.from, days.to);
      expect(journal, story.told.join('\n')).to.not.have.lengthOf(0);

      for (let done = 0; done < MOVES_AFTERWARDS; done += MOVES_BETWEEN_LOOKS) {
        await play(story, AFTERWARDS, MOVES_BETWEEN_LOOKS);
        expect(await look()).to.deep.equal(filed, story.told.join('\n'));
      }

      expect(await closedJournal(story.client, days.from, days.to), story.told.join('\n')).to.deep.equal(
        journal,
      );
    }).timeout(60_000);
});
