// What the jobs of this folder have in common: they open the storage and the database, write one archive, return expected
// failures, and close everything. `owner-backup` does without: it reads on a connection of its own.
import type { MessagePort } from 'node:worker_threads';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { type Failed, failed } from '../src/job-failure.ts';
import { loadResources } from '../src/model/registry.ts';
import type { Database } from '../src/model/session.ts';
import { type Storage, storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';
import type { Save } from '../src/zip/write.ts';

/** What the engine gives to each job. */
export interface JobTask {
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export interface JobTools {
  readonly database: Database;
  readonly storage: Storage;
  /** Keeps the archive. */
  readonly save: Save;
  readonly onProgress: (percent: number) => void;
}

export type JobResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources();

/** Returns the archive of `work`, or its expected failure. Throws all other errors. */
export async function runJob(
  { archive, connection, storage: settings, port }: JobTask,
  work: (tools: JobTools) => Promise<{ size: number; sha256: string }>,
): Promise<JobResult> {
  const storage = await storageOf(settings);
  const database = connectDatabase(connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const { size, sha256 } = await work({ database, storage, save, onProgress });
    return { ok: true, size, sha256 };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}
