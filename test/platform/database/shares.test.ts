// Shares of a pool: an owner waits behind its own work, and owners who wait for the pool get it in turn.
import { isAway, isTooSlow, mayBeCommitted } from '../../../src/platform/database/away.ts';
import { Shares } from '../../../src/platform/database/shares.ts';
import { expect } from '../../support/client/expect.ts';

describe('shares of a pool', () => {
  it('give what is free to the owners in turn, whoever had it before', async () => {
    const shares = new Shares({ ofOwner: 2, ofAll: 3 });
    const got: string[] = [];
    const take = (owner: number, name: string) => shares.take(owner).then(() => void got.push(name));
    await Promise.all([take(1, 'a1'), take(1, 'a2'), take(2, 'b1')]);
    const waiting = Promise.all([take(1, 'a3'), take(3, 'c1'), take(3, 'c2'), take(2, 'b2')]);

    for (const owner of [2, 1, 1, 3]) shares.release(owner);

    await waiting;
    expect(got).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'c2']);
  });

  it('leave out who has left', async () => {
    const shares = new Shares({ ofOwner: 1 });
    await shares.take(1);
    const leaving = new AbortController();
    const left = shares.take(1, leaving.signal).catch((error: unknown) => error);
    const next = shares.take(1).then(() => 'next');

    leaving.abort('left');
    shares.release(1);

    expect([await left, await next, shares.waitingCount]).to.deep.equal(['left', 'next', 0]);
  });

  it('tell an owner whose own work takes long from one who waits for others', async () => {
    const own = new Shares({ ofOwner: 1, longestMs: 1 });
    const all = new Shares({ ofOwner: 1, ofAll: 1, longestMs: 1 });
    await Promise.all([own.take(1), all.take(1)]);

    const errors = await Promise.all(
      [own.take(1), all.take(2)].map((taking) => taking.catch((error: unknown) => error)),
    );

    expect(errors.map(isTooSlow)).to.deep.equal([true, false]);
    expect(errors.map(isAway)).to.deep.equal([true, true]);
    expect(errors.map(mayBeCommitted)).to.deep.equal([false, false]);
  });
});
