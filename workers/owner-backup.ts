// The job "owner-backup": writes an owner's backup to the part file that the engine names. Its thread may be
// ended at any moment; the engine takes the part file away then.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import { backUp } from '../src/archive/owner-backup.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import type { Table } from '../src/model/table.ts';

export interface OwnerBackupTask {
  readonly owner: number;
  /** Where the zip is written; renamed by the caller. */
  readonly file: string;
  readonly connection: ConnectionSettings;
  /** Those of owners: handed over, since to load the resources would take as much memory as all else. */
  readonly tables: readonly Table[];
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

/** Returns expected failures; throws on unforeseen ones. The connection is closed either way. */
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
