// Removes old jobs, their archives and uploads, and stored files that no document has.
import { latestNow } from '../../core/model/statements/fragment.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { type Tidier, type Tidying, untilNone } from '../../core/model/statements/tidier.ts';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import type { Storage } from '../../platform/storage/open.ts';
import { removeUnused } from '../../platform/storage/unused-file.ts';
import { Job } from './job.ts';
import { expireArchives, keepJobsNoLonger, removeOldJobs } from './job-archive.ts';
import { removeLeftOvers } from './left-over.ts';
import { tidyUploads } from './upload.ts';

/** The other tidiers wait meanwhile. */
const LONGEST_MS = 60_000;
const LONG_AGO = databaseTime(new Date(0));

type WithStorage = Tidying & { readonly storage: Storage };

/** Before the files, since the files of old archives go too. */
export const JOB_TIDIERS: readonly Tidier<WithStorage>[] = [
  {
    name: 'archives',
    byAge: true,
    remove: async ({ database, storage: { archives }, at, archiveDays }) => {
      await keepJobsNoLonger(database);
      return untilNone(async () => {
        const names = await expireArchives(database, at, archiveDays);
        for (const name of names) await archives.remove(name);
        return names.length;
      });
    },
  },
  {
    name: 'jobs',
    byAge: true,
    remove: ({ database, at }) => untilNone(() => removeOldJobs(database, at)),
  },
];

export const JOB_FILE_TIDIERS: readonly Tidier<WithStorage>[] = [
  {
    name: 'uploads',
    byAge: false,
    remove: ({ database, storage, at, waits }) => tidyUploads(database, storage, { at, waits }),
  },
  {
    name: 'left_over_files',
    byAge: false,
    remove: ({ database, storage, at, waits, archiveDays }) => {
      const before = new Date(at.getTime() - archiveDays * DAY_MS);
      return removeLeftOvers(database, storage, { waits, before });
    },
  },
  { name: 'unused_files', byAge: false, remove: ({ database }) => tidyFiles(database, LONGEST_MS) },
];

/**
 * Removes stored files without a document; on a cluster no file that a running job may read. `longestMs`: for so long;
 * if nothing is said, a hundred files at most.
 */
export const tidyFiles = (database: Database, longestMs?: number): Promise<number> =>
  removeUnused(database, { longestMs, firstReader: () => firstStart(database) });

/** When the first of the running jobs began; undefined: no job runs. */
async function firstStart(database: Database): Promise<string | undefined> {
  const starts = () => Job.ofAllOwners('tidying', database).select('started_at').modify('running');
  // A clock that ran ahead has dated it: it may have begun at any time.
  if (await starts().where('started_at', '>', latestNow()).first()) return LONG_AGO;
  const first = await starts().orderBy('started_at').first();
  return first?.started_at === null ? LONG_AGO : first?.started_at;
}
