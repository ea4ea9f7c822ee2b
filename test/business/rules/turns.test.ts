// Turns at work: one at a time, and no owner waits behind the many turns of another owner.

import { Turns } from '../../../src/business/rules/turns.ts';
import { Problem } from '../../../src/core/errors.ts';
import { expect } from '../../support/client/expect.ts';

describe('turns', () => {
  it('do one work at a time, and serve the owners in turn', async () => {
    const turns = new Turns();
    const done: string[] = [];
    let atOnce = 0;
    const work = (owner: number, name: string) =>
      turns.take(owner, async () => {
        atOnce += 1;
        expect(atOnce).to.equal(1);
        await Promise.resolve();
        done.push(name);
        atOnce -= 1;
      });

    await Promise.all([
      work(1, 'a1'),
      work(1, 'a2'),
      work(1, 'a3'),
      work(2, 'b1'),
      work(3, 'c1'),
      work(2, 'b2'),
    ]);

    expect(done).to.deep.equal(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('go on after work that fails', async () => {
    const turns = new Turns();

    const failing = turns.take(1, () => Promise.reject(new Error('no')));
    const next = turns.take(1, () => Promise.resolve('next'));

    expect(await failing.catch(String)).to.equal('Error: no');
    expect(await next).to.equal('next');
    expect(await turns.take(1, () => Promise.resolve('later'))).to.equal('later');
  });

  it('are refused to an owner of whom ten wait, and to nobody else', async () => {
    const turns = new Turns();
    const wait = (owner: number) => turns.take(owner, () => Promise.resolve(owner));
    const waiting = Array.from({ length: 11 }, () => wait(1));

    const refused: unknown = await wait(1).catch((error) => error);
    expect(refused)
      .to.be.instanceOf(Problem)
      .and.include({ message: 'Too many requests of this owner wait' });
    expect(await wait(2)).to.equal(2);
    expect(await Promise.all(waiting)).to.have.length(11);
  });
});
