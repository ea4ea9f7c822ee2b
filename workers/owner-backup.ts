// The job "owner-backup": writes the backup of an owner to the part file that the engine names. The engine may end the
// thread at any moment. Then the engine removes the part file.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import { backUp } from '../src/archive/owner-backup.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import type { OwnedTable } from '../src/model/table.ts';

export interface OwnerBackupTask {
  readonly owner: number;
  /** The path of the zip. The caller renames it. */
  readonly file: string;
  readonly connection: ConnectionSettings;
  /** The tables of owners. A parameter, because loading the resources in the thread would double the memory. */
  readonly tables: readonly OwnedTable[];
  /** The folder of the stored files. */
  readonly documents: string;
  readonly serviceVersion: string;
  readonly level?: number;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type OwnerBackupResult =
  | { ok: true; size: number; sha256: string; rows: Readonly<Record<string, number>> }
  | Failed;

/** Returns expected failures, throws all other errors. The connection is closed either way. */
export default async function ownerBackup(task: OwnerBackupTask): Promise<OwnerBackupResult> {
  const { owner, file, tables, documents, serviceVersion, level, port } = task;
  try {
    const onProgress = (progress: number) => port?.postMessage({ progress });
    const options = { tables, documents, serviceVersion, level, onProgress };
    return { ok: true, ...(await backUp(task.connection, owner, file, options)) };
  } catch (error) {
    return failed(error);
  }
}
