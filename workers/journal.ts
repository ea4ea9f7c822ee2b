// The job "journal": writes the postings of a period under the name that the engine gives. It reads one snapshot, in
// short statements, so the engine may end the thread at any moment and remove what was written.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed } from '../src/archive/failure.ts';
import type { Save } from '../src/archive/write.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import { writeExport } from '../src/export/write.ts';
import type { Days } from '../src/journal/period.ts';
import { JOURNAL, openJournal } from '../src/journal/source.ts';
import { loadResources } from '../src/model/registry.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';
import { stopSignal } from './stop-signal.ts';

export interface JournalTask extends Days {
  readonly owner: number;
  /** 1: texts that look like formulas stay as they are. */
  readonly raw: number;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type JournalResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function journal(task: JournalTask): Promise<JournalResult> {
  const { owner, archive, connection, port, from, to, raw } = task;
  const signal = stopSignal(port);
  const storage = await storageOf(task.storage);
  const database = connectDatabase(connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const onProgress = (progress: number) => port?.postMessage({ progress });
  try {
    const written = await database.snapshot(async (session) => {
      const source = await openJournal(session, owner, { from, to });
      const asked = { resource: JOURNAL, from, to };
      return writeExport(save, source, { format: 'csv', raw, asked, signal, onProgress });
    });
    return { ok: true, ...written };
  } catch (error) {
    signal.throwIfAborted();
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}
