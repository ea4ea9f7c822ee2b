// The job "journal": writes the postings of a period under the name that the engine gives. It reads one snapshot, in
// short statements, so the engine may end the thread at any moment and remove what was written.
import type { Days } from '../src/business/books/period.ts';
import { completeBooks } from '../src/business/invoicing/invoice/book-date.ts';
import { garageOf } from '../src/core/model/statements/garage.ts';
import { writeArchive } from '../src/platform/zip/write.ts';
import { SUMMARY } from '../src/work/export/write.ts';
import { JOURNAL, type JournalForm } from '../src/work/journal/form.ts';
import { openJournal } from '../src/work/journal/journal-source.ts';
import { JOURNALS } from '../src/work/journal/journals.ts';
import { defineJob } from './job.ts';

declare module '../src/work/jobs/kind.ts' {
  interface Kinds {
    /** An older version made jobs of CSV alone, without `format` and `decimal`, and jobs of all journals. */
    journal: Days & Pick<JournalForm, 'raw'> & Partial<JournalForm>;
  }
}

export default defineJob<'journal'>(
  async (
    { owner, from, to, raw, format = 'csv', decimal = '.', journals = JOURNALS },
    { database, save, onProgress, signal },
  ) => {
    await completeBooks(database, owner);
    return database.snapshot(async (session) => {
      const form = { format, decimal, raw, journals };
      const file = await openJournal(garageOf(session, owner), { from, to }, { form, onProgress });
      const { size, sha256 } = await writeArchive(save, [file], {
        signal,
        manifestPath: SUMMARY,
        manifest: ([written]) => ({
          ...{ resource: JOURNAL, from, to, format },
          file: written?.path,
          rows: written?.rows,
          bytes: written?.bytes,
          sha256: written?.sha256,
          ...file.summary(),
        }),
      });
      onProgress(100);
      return { size, sha256 };
    });
  },
  { stops: true },
);
