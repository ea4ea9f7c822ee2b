// A search reads the texts on the index whose kinds may have the word. It must not leave out one that has the word.
import { escapedLike } from '../../../src/core/model/lists/condition.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { searchTextOf, wordingOf } from '../../../src/core/model/records/search-text.ts';
import { leastOf, MOST_RANGES, rangesOf } from '../../../src/core/model/records/text-runs.ts';
import { expect } from '../../support/client/expect.ts';

const VALUES = [
  '+31 (0)6 1234 5678',
  'ab1@c2.nl',
  'www.garage-jansen.nl',
  'Jan',
  'ÆØ1',
  'Van der 2e Straat',
  '12',
];

/** All parts of a text. */
const partsOf = (text: string): string[] =>
  Array.from(text, (_, from) =>
    Array.from(text.slice(from), (__, to) => text.slice(from, from + to + 1)),
  ).flat();

const runsOf = (name: string, word: string, looked: 'all' | 'named' = 'all') =>
  wordingOf(resourceNamed(name), word, { looked }, escapedLike).runs;

const isRead = (text: string, runs: ReturnType<typeof runsOf>) =>
  rangesOf(runs).some(([from, before]) => text >= from && text < before);

describe('the texts that a search reads', () => {
  const communication = (value: string) => searchTextOf(resourceNamed('contactcommunication'), { value });

  it('are all that have the word', () => {
    for (const value of VALUES)
      for (const word of partsOf(value))
        expect(
          isRead(communication(value), runsOf('contactcommunication', word)),
          `${word} in ${value}`,
        ).to.equal(true);
  });

  it('are all that have one of the words', () => {
    const runs = leastOf(['jansen', '12'].map((word) => runsOf('contactcommunication', word)));

    for (const value of VALUES) expect(isRead(communication(value), runs), value).to.equal(true);
  });

  it('are all names that have the word', () => {
    for (const make of ['Volvo', '1'])
      for (const license_plate of ['ZX-123-V', 'ABCD-1'])
        for (const word of partsOf(license_plate)) {
          const text = searchTextOf(resourceNamed('vehicle'), { license_plate, make });
          expect(isRead(text, runsOf('vehicle', word, 'named')), `${word} in ${license_plate}`).to.equal(
            true,
          );
        }
  });

  it('are none that cannot have the word', () => {
    const number = communication('06-1234 5678');
    const car = searchTextOf(resourceNamed('vehicle'), { license_plate: 'ZX-123-V', make: 'Volvo' });

    expect(isRead(number, runsOf('contactcommunication', 'an'))).to.equal(false);
    expect(isRead(communication('12345'), runsOf('contactcommunication', '0612345678'))).to.equal(false);
    expect(isRead(car, runsOf('vehicle', 'volvo', 'named'))).to.equal(false);
    expect(isRead(car, runsOf('vehicle', 'volvo'))).to.equal(true);
  });

  it('lie in as many ranges for each word, and the last range has the texts with the longest runs', () => {
    const text = searchTextOf(resourceNamed('contact'), { last_name: 'Jansen', postcode: '1234567890' });
    for (const word of ['an', 'jansen', '12', '12345', '0612345678', 'zx12345', 'a1234567890'])
      for (const looked of ['all', 'named'] as const) {
        const runs = runsOf('contact', word, looked);
        expect(rangesOf(runs), word).to.have.length(MOST_RANGES);
        expect(isRead(text, runs), word).to.equal(true);
      }
  });
});
