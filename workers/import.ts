// The job "import": writes the rows of an uploaded file, and then its report under the name that the engine gives. The
// engine may end the thread at any moment. The next attempt goes on behind the last batch that was committed.

import { resourceNamed } from '../src/core/model/records/registry.ts';
import type { Actor } from '../src/core/model/statements/session.ts';
import { failure, withoutSpace } from '../src/platform/job-failure.ts';
import type { Format } from '../src/work/import/file-row.ts';
import { importShape } from '../src/work/import/import-options.ts';
import { writeReport } from '../src/work/import/import-report.ts';
import type { Mode } from '../src/work/import/mode.ts';
import { type ImportWork, runImport } from '../src/work/import/run-import.ts';
import { keepLease } from '../src/work/jobs/attempt.ts';
import { defineJob } from './job.ts';

declare module '../src/work/jobs/kind.ts' {
  interface Kinds {
    import: {
      readonly resource: string;
      readonly mode: Mode;
      readonly dry_run: boolean;
      readonly history: boolean;
      readonly format: Format;
      /** The digest of the file. Two files make two jobs. */
      readonly sha256: string;
      readonly forbidden_children: readonly string[];
      /** Missing in a job of 1.0.0, and so is `unreadable`. */
      readonly unchangeable_children?: readonly string[];
      readonly unreadable?: readonly string[];
      readonly actor: Actor;
    };
  }
}

const refusal = (isWhole: boolean) => (isWhole ? undefined : failure('too_many_refused'));

export default defineJob<'import'>(
  async (task, { database, storage, save, onProgress }) => {
    const { job, fence, isCancelled, givenUpFor, mode, history, format, actor } = task;
    const work: ImportWork = {
      id: job,
      options: {
        resource: importShape(resourceNamed(task.resource), history),
        mode,
        isDryRun: task.dry_run,
        isHistory: history,
        format,
        // The audit leads from a change to its job.
        actor: { ...actor, requestId: job },
        forbiddenChildren: { POST: task.forbidden_children, PUT: task.unchangeable_children ?? [] },
        unreadable: task.unreadable ?? [],
      },
      open: async () => {
        const file = await storage.uploads.read(job);
        if (!file) throw failure('file_missing');
        return file as AsyncIterable<Buffer>;
      },
      hold: async (session) => {
        if (!(await keepLease(session, { id: job, fence }))) throw failure('job_lost');
      },
      onProgress: (done, of) => onProgress(Math.floor((100 * done) / Math.max(1, of))),
    };
    const isStopped = isCancelled || givenUpFor !== undefined;
    const stop = isStopped ? undefined : await runImport(database, work).then(refusal, withoutSpace);
    const { archive } = await writeReport(database, save, work, { isCancelled, isStopped });
    return { ...archive, error: stop?.message ?? givenUpFor };
  },
  { reports: true },
);
