// The chaos script that kills workers, in its shortest form.
import { workers } from '../../drills/chaos/workers.ts';
import { CHAOS_MS, played } from '../support/process/chaos.ts';

describe('two workers that are killed under callers', function () {
  this.timeout(CHAOS_MS);

  it('leave no request without an end', async () => {
    await played((report, folder) => workers(report, folder, { workers: 2, kills: 6, callers: 8 }));
  });
});
