// The chaos scripts that kill the service, in their shortest form.
import { kill } from '../../drills/chaos/kill.ts';
import { mirror } from '../../drills/chaos/mirror.ts';
import { CHAOS_MS, played } from '../support/process/chaos.ts';

describe('a service that is killed', function () {
  this.timeout(CHAOS_MS);

  it('during a backup and a document generation finishes each job once', async () => {
    await played((report, folder) =>
      kill(report, folder, { rounds: 1, orders: 1_000, documents: 100, hurry: true }),
    );
  });

  it('under writers has a feed that keeps a copy equal', async () => {
    await played((report, folder) =>
      mirror(report, folder, { milliseconds: 4_000, writers: 4, kills: 1, held: 0.2 }),
    );
  });
});
