// Removes old jobs, their archives and uploads, and stored files that no document has.
import type { Database } from '../../core/model/statements/session.ts';
import { type Tidier, type Tidying, untilNone } from '../../core/model/statements/tidier.ts';
import type { Storage } from '../../platform/storage/open.ts';
import { removeUnused } from '../../platform/storage/unused-file.ts';
import { Job } from './job.ts';
import { expireArchives, keepJobsNoLonger, removeOldJobs } from './job-archive.ts';
import { removeLeftOvers } from './left-over.ts';
import { tidyUploads } from './upload.ts';

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
    remove: ({ database, storage, waits }) => removeLeftOvers(database, storage, { waits }),
  },
  { name: 'unused_files', byAge: false, remove: ({ database }) => tidyFiles(database) },
];

/** Removes stored files without a document; none while a job on another node of a cluster may read them. */
export async function tidyFiles(database: Database): Promise<number> {
  const mayBeRead =
    (await database.isCluster()) &&
    (await Job.ofAllOwners('tidying', database).modify('running').resultSize()) > 0;
  return mayBeRead ? 0 : removeUnused(database);
}
