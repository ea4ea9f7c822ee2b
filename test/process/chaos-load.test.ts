// The chaos scripts of many garages and of mixed work, in their shortest form.
import { scale } from '../../drills/chaos/scale.ts';
import { soak } from '../../drills/chaos/soak.ts';
import { expect } from '../support/client/expect.ts';
import { CHAOS_MS, played } from '../support/process/chaos.ts';

describe('a service', function () {
  this.timeout(CHAOS_MS);

  it('is measured with more and more garages', async () => {
    const lines = await played((report, folder) =>
      scale(report, folder, { garages: [2, 4], orders: 5, idleMs: 200, requests: 4, samples: 2 }),
    );

    expect(lines.find((line) => line.includes('GET one'))).to.match(
      /^\| GET one( \| [\d.]+ \/ [\d.]+ ms){2} \|$/,
    );
  });

  it('loses no event and no invoice number under mixed work', async () => {
    await played((report, folder) => soak(report, folder, { minutes: 0.1, orders: 100 }));
  });
});
