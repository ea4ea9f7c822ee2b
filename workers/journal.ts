// The job "journal": writes the postings of a period under the name that the engine gives. It reads one snapshot, in
// short statements, so the engine may end the thread at any moment and remove what was written.
import { writeExport } from '../src/export/write.ts';
import { JOURNAL, openJournal } from '../src/journal/journal-source.ts';
import type { Days } from '../src/journal/scope.ts';
import { defineJob } from './job.ts';

declare module '../src/jobs/kind.ts' {
  interface Kinds {
    /** `raw` 1: texts that look like formulas stay as they are. */
    journal: Days & { readonly raw: number };
  }
}

export default defineJob<'journal'>(
  ({ owner, from, to, raw }, { database, save, onProgress, signal }) =>
    database.snapshot(async (session) => {
      const source = await openJournal(session, owner, { from, to });
      const asked = { resource: JOURNAL, from, to };
      return writeExport(save, source, { format: 'csv', raw, asked, signal, onProgress });
    }),
  { stops: true },
);
