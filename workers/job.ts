// The common part of the jobs in this folder: they open the storage and the database, write one archive, return
// expected failures, and close everything. `owner-backup` does without: it reads on a connection of its own.

import { loadResources } from '../src/core/model/records/registry.ts';
import type { Database } from '../src/core/model/statements/session.ts';
import { connectDatabase } from '../src/platform/database/connect.ts';
import { failed } from '../src/platform/job-failure.ts';
import { type Storage, storageOf } from '../src/platform/storage/open.ts';
import type { Save } from '../src/platform/zip/write.ts';
import type { JobResult, Kind, Task } from '../src/work/jobs/kind.ts';

interface JobTools {
  readonly database: Database;
  readonly storage: Storage;
  /** Keeps the archive. */
  readonly save: Save;
  readonly onProgress: (percent: number) => void;
  /** Aborted when a job that `stops` must stop. */
  readonly signal: AbortSignal;
}

interface JobOptions {
  /**
   * Whether the job can stop by itself and clean up. Then its thread goes on to the next job. The pool ends the threads
   * of all other jobs, and of a job that does not stop in time: see src/work/jobs/pool.ts.
   */
  readonly stops?: boolean;
  /**
   * Whether the archive reports what the job has written. Nobody can tell without it, so it may use the space that
   * other files leave free, and a job that finds none tries again.
   */
  readonly reports?: boolean;
}

await loadResources();

/**
 * The default export of a worker. It returns the archive of `work`, or its expected failure, and throws all other
 * errors. Once it is told to stop, it throws each failure, since the abort may have caused the failure. If `work` ends
 * well all the same, its archive counts.
 */
export function defineJob<K extends Kind>(
  work: (task: Task<K>, tools: JobTools) => Promise<Omit<JobResult & { ok: true }, 'ok'>>,
  { stops = false, reports = false }: JobOptions = {},
): (task: Task<K>) => Promise<JobResult> {
  return async (task) => {
    const { archive, port } = task;
    const stopping = new AbortController();
    if (stops) {
      port?.on('message', () => stopping.abort());
      port?.postMessage({ stops });
    }
    const { signal } = stopping;
    const storage = await storageOf(task.storage);
    const database = connectDatabase(task.connection, storage.files);
    const store = reports ? storage.reports : storage.archives;
    const save: Save = (chunks) => store.write(archive, chunks);
    const onProgress = (progress: number) => port?.postMessage({ progress });
    try {
      const { size, sha256, error } = await work(task, { database, storage, save, onProgress, signal });
      return { ok: true, size, sha256, error };
    } catch (error) {
      const failure = failed(error, { reports });
      signal.throwIfAborted();
      return failure;
    } finally {
      await database.close();
      storage.close();
    }
  };
}
