// The job "owner-backup": writes the backup of an owner under the name that the engine gives. The engine may end the
// thread at any moment. Then the engine removes what was written.
import type { MessagePort } from 'node:worker_threads';
import { backUp } from '../src/archive/owner-backup.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { type Failed, failed } from '../src/job-failure.ts';
import type { OwnedTable } from '../src/model/table.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';
import type { Save } from '../src/zip/write.ts';

export interface OwnerBackupTask {
  readonly owner: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  /** The tables of owners. A parameter, because loading the resources in the thread would double the memory. */
  readonly tables: readonly OwnedTable[];
  readonly storage: StorageSettings;
  readonly serviceVersion: string;
  readonly level?: number;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type OwnerBackupResult =
  | { ok: true; size: number; sha256: string; rows: Readonly<Record<string, number>> }
  | Failed;

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function ownerBackup(task: OwnerBackupTask): Promise<OwnerBackupResult> {
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
