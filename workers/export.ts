// The job "export": writes the rows of a list under the name that the engine gives. The engine asks the thread to stop
// before it ends it, because a statement that sorts goes on at the server when its connection has ended.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import type { Save } from '../src/archive/write.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { fanOut } from '../src/events/fan-out.ts';
import { type FileForm, type ListAsked, readListAsked } from '../src/export/request.ts';
import { openList } from '../src/export/source.ts';
import { writeExport } from '../src/export/write.ts';
import { loadResources } from '../src/model/registry.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';
import { stopSignal } from './stop-signal.ts';

export interface ExportTask extends ListAsked, FileForm {
  readonly owner: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type ExportResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function exportRecords(task: ExportTask): Promise<ExportResult> {
  const { owner, archive, connection, port, resource, filter, fields, sort, format, raw } = task;
  const signal = stopSignal(port);
  const storage = await storageOf(task.storage);
  const database = connectDatabase(connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const asked = { resource, filter, fields, sort };
    const query = readListAsked(owner, asked);
    const source = await openList(query, { database, connection, owner, onPlaced: fanOut, signal });
    try {
      const options = { format, raw, asked: { ...asked, format, raw }, signal, onProgress };
      return { ok: true, ...(await writeExport(save, source, options)) };
    } finally {
      source.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}
