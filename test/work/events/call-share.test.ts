// Which calls begin next: owners take turns, and slow receivers get few of the places.
import { expect } from 'chai';
import { type DueSubscription, type RunningCall, shareCalls } from '../../../src/work/events/call-share.ts';

const SINCE = '2026-05-01 10:00:00.000';

describe('the share of calls', () => {
  const due = (id: number, owner: number, more: Partial<DueSubscription> = {}): DueSubscription => ({
    id,
    owner,
    isSlow: false,
    since: SINCE,
    ...more,
  });
  const running = (count: number, subscription_id: number, owner_id: number, isSlow = false): RunningCall[] =>
    Array.from({ length: count }, () => ({ owner_id, subscription_id, isSlow }));
  const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('goes to owners with the fewest calls first, then to events that wait longest', () => {
    const waiting = [due(1, 1), due(2, 2, { since: '2026-05-01 09:00:00.000' }), due(3, 3)];

    expect([...shareCalls(waiting, running(1, 3, 3), 2)]).to.deep.equal([
      [2, 1],
      [1, 1],
    ]);
  });

  it('gives one subscription eight calls at most', () => {
    expect([...shareCalls([due(1, 1)], [], 20)]).to.deep.equal([[1, 8]]);
    expect([...shareCalls([due(1, 1)], running(7, 1, 1), 20)]).to.deep.equal([[1, 1]]);
    expect([...shareCalls([due(1, 1)], running(8, 1, 1), 20)]).to.deep.equal([]);
  });

  it('gives each subscription one call, also where its owner has used up its share', () => {
    const others = range(99).flatMap((owner) => running(5, owner, owner));
    const own = running(5, 1_000, 100);

    const shares = shareCalls([due(1_000, 100), due(1_001, 100)], [...others, ...own], 20);

    expect([...shares]).to.deep.equal([[1_001, 1]]);
  });

  it('leaves slow receivers 250 calls, and each owner one of its own', () => {
    const others = range(250).flatMap((id) => running(1, id, 1, true));
    const slow = [due(300, 1, { isSlow: true }), ...[301, 302].map((id) => due(id, 2, { isSlow: true }))];

    const shares = shareCalls([...slow, due(303, 1)], others, 20);

    expect([...shares]).to.deep.equal([
      [301, 1],
      [303, 1],
    ]);
  });
});
