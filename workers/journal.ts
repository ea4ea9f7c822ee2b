// The job "journal": writes the postings of a period under the name that the engine gives. It reads one snapshot, in
// short statements, so the engine may end the thread at any moment and remove what was written.
import { writeExport } from '../src/export/write.ts';
import { JOURNAL, openJournal } from '../src/journal/journal-source.ts';
import type { Days } from '../src/journal/scope.ts';
import { type JobResult, type JobTask, runJob } from './job.ts';
import { stoppable } from './stop-signal.ts';

export interface JournalTask extends JobTask, Days {
  readonly owner: number;
  /** 1: texts that look like formulas stay as they are. */
  readonly raw: number;
}

export default (task: JournalTask): Promise<JobResult> =>
  stoppable(task.port, (signal) =>
    runJob(task, ({ database, save, onProgress }) =>
      database.snapshot(async (session) => {
        const { owner, from, to, raw } = task;
        const source = await openJournal(session, owner, { from, to });
        const asked = { resource: JOURNAL, from, to };
        return writeExport(save, source, { format: 'csv', raw, asked, signal, onProgress });
      }),
    ),
  );
