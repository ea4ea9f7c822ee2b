// The job "import": writes the rows of an uploaded file, and then its report under the name that the engine gives. The
// engine may end the thread at any moment. The next attempt goes on behind the last batch that was committed.
import type { MessagePort } from 'node:worker_threads';
import { type Failed, failed, failure } from '../src/archive/failure.ts';
import type { Save } from '../src/archive/write.ts';
import { connectDatabase } from '../src/database/connect.ts';
import type { ConnectionSettings } from '../src/database/settings.ts';
import type { Format } from '../src/import/file-row.ts';
import { importShape, type Mode } from '../src/import/import-options.ts';
import { writeReport } from '../src/import/import-report.ts';
import { runImport } from '../src/import/run-import.ts';
import { keepLease } from '../src/jobs/attempt.ts';
import type { Actor } from '../src/model/change-log.ts';
import { loadResources, resourceNamed } from '../src/model/registry.ts';
import type { Session } from '../src/model/session.ts';
import { storageOf } from '../src/storage/open.ts';
import type { StorageSettings } from '../src/storage/settings.ts';

export interface ImportTask {
  readonly job: string;
  readonly fence: number;
  /** Whether somebody has cancelled the import: only the report is written. */
  readonly isCancelled: boolean;
  /** The name of the zip among the archives. */
  readonly archive: string;
  readonly connection: ConnectionSettings;
  readonly storage: StorageSettings;
  readonly resource: string;
  readonly mode: Mode;
  readonly dry_run: boolean;
  readonly history: boolean;
  readonly format: Format;
  readonly forbidden_children: readonly string[];
  readonly actor: Actor;
  /** Gets `{ progress }`, 0 to 100. */
  readonly port?: MessagePort;
}

export type ImportResult = { ok: true; size: number; sha256: string } | Failed;

await loadResources(new URL('../src/resources/', import.meta.url));

/** Returns expected failures, throws all other errors. The connections are closed either way. */
export default async function importFile(task: ImportTask): Promise<ImportResult> {
  const { job, fence, isCancelled, archive, mode, format, actor, port } = task;
  const storage = await storageOf(task.storage);
  const database = connectDatabase(task.connection, storage.files);
  const save: Save = (chunks) => storage.archives.write(archive, chunks);
  const work = {
    id: job,
    format,
    options: {
      resource: importShape(resourceNamed(task.resource), task.history),
      mode,
      isDryRun: task.dry_run,
      // The audit leads from a change to its job.
      actor: { ...actor, requestId: job },
      forbiddenChildren: task.forbidden_children,
      leavesEmptyOut: format === 'csv',
    },
    open: async () => {
      const file = await storage.uploads.read(job);
      if (!file) throw failure('file_missing');
      return file as AsyncIterable<Buffer>;
    },
    hold: async (session: Session) => {
      if (!(await keepLease(session, { id: job, fence }))) throw failure('job_lost');
    },
    onProgress: (done: number, of: number) =>
      port?.postMessage({ progress: Math.floor((100 * done) / Math.max(1, of)) }),
  };
  try {
    if (!isCancelled) await runImport(database, work);
    const report = await writeReport(database, save, work, { isHistory: task.history, isCancelled });
    return { ok: true, size: report.archive.size, sha256: report.archive.sha256 };
  } catch (error) {
    return failed(error);
  } finally {
    await database.close();
    storage.close();
  }
}
