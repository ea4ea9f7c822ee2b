// Long work goes in pieces: two requests never do a piece in the same round of the event loop.
import { expect } from 'chai';
import { Pieces, sortedInPieces } from '../../../src/core/model/statements/piece.ts';
import { roundsDuring } from '../../support/service/rounds.ts';

describe('work in pieces', () => {
  it('leaves each round of the event loop to one of the requests', async () => {
    let round = 0;
    let isOver = false;
    const count = () => {
      round += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const rounds: number[] = [];
    const work = async () => {
      const pieces = new Pieces(10);
      for (let step = 0; step < 50; step += 1) {
        const pause = pieces.add();
        if (!pause) continue;
        await pause;
        rounds.push(round);
      }
    };

    await Promise.all([work(), work(), work()]);
    isOver = true;

    expect(rounds).to.have.length(15);
    expect(new Set(rounds).size).to.equal(15);
  });

  it('counts amounts of work', () => {
    const pieces = new Pieces(100);

    expect([40, 40, 40, 10].map((amount) => pieces.add(amount) !== undefined)).to.deep.equal([
      false,
      false,
      true,
      false,
    ]);
  });
});

describe('sortedInPieces', () => {
  const items = Array.from({ length: 5_000 }, (_, index) => ({ place: index, key: (index * 7919) % 613 }));
  const byKey = (one: { key: number }, other: { key: number }) => one.key - other.key;

  for (const length of [0, 1, 255, 256, 257, 511, 513, 5_000])
    it(`sorts ${length} items as toSorted does, and leaves equal ones in their order`, async () => {
      const some = items.slice(0, length);

      expect(await sortedInPieces(some, byKey)).to.deep.equal(some.toSorted(byKey));
    });

  it('leaves rounds of the event loop to others', async () => {
    const { rounds } = await roundsDuring(() => sortedInPieces(items, byKey));

    expect(rounds).to.be.at.least(10);
  });
});
