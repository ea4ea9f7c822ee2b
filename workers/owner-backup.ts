// The job "owner-backup": writes the backup of an owner under the name that the engine gives. The engine may end the
// thread at any moment. Then the engine removes what was written.

import { failed } from '../src/platform/job-failure.ts';
import { storageOf } from '../src/platform/storage/open.ts';
import type { Save } from '../src/platform/zip/write.ts';
import { type BackupOptions, backUp } from '../src/work/archive/owner-backup.ts';
import type { JobResult, Task } from '../src/work/jobs/kind.ts';

declare module '../src/work/jobs/kind.ts' {
  interface Kinds {
    /** `level`: of the compression. */
    'owner-backup': Pick<BackupOptions, 'level'>;
  }
}

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function ownerBackup(task: Task<'owner-backup'>): Promise<JobResult> {
  const { owner, archive, tables, serviceVersion, level, port } = task;
  const storage = await storageOf(task.storage);
  const { documents, archives } = storage;
  try {
    const onProgress = (progress: number) => port?.postMessage({ progress });
    const options = { tables, documents, serviceVersion, level, onProgress };
    const save: Save = (chunks) => archives.write(archive, chunks);
    return { ok: true, ...(await backUp(task.connection, owner, save, options)) };
  } catch (error) {
    return failed(error);
  } finally {
    storage.close();
  }
}
