// Long work goes in pieces: two requests never do a piece in the same round of the event loop.
import { expect } from 'chai';
import { Pieces } from '../../../src/core/model/statements/piece.ts';

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
