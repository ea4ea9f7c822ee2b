// The chaos scripts of a database that goes away, and of imports that are killed, in their shortest form.
import { database } from '../../drills/chaos/database.ts';
import { importing } from '../../drills/chaos/import.ts';
import { CHAOS_MS, played } from '../support/process/chaos.ts';

describe('a service', function () {
  this.timeout(CHAOS_MS);

  it('whose database goes away and comes back answers 503, recovers, and finishes its job', async () => {
    await played((report, folder) => database(report, folder, { orders: 1_000 }));
  });

  it('that is killed during imports loses no row and doubles none', async () => {
    await played((report, folder) =>
      importing(report, folder, { rows: 12_000, kills: 1, lifeMs: 200, hurry: true }),
    );
  });
});
