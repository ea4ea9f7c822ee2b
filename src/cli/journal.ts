// The command `forecourt journal`. It writes the file of POST /export of the journal without a zip, directly to its
// path: for the operator's cron.
import type { Days } from '../business/books/period.ts';
import { Problem } from '../core/errors.ts';
import type { Garage } from '../core/model/statements/garage.ts';
import { DECIMALS, JOURNAL_FORMATS, type JournalForm } from '../work/journal/form.ts';
import { JOURNALS } from '../work/journal/journals.ts';
import {
  command,
  counted,
  fileToWrite,
  flag,
  parseDays,
  parseWord,
  required,
  requiredNumber,
  requireOwner,
  throwPlainly,
  withDefault,
} from './command.ts';
import type { Report } from './progress.ts';

export const journalCommand = command({
  words: 'journal',
  summary: 'Write the postings of a period to a file for the bookkeeper',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    from: required('--from <day>', 'the first day, such as 2026-01-01'),
    to: required('--to <day>', 'the last day'),
    out: required('--out <file>', 'the file appears only when it is complete'),
    format: withDefault('--format <name>', JOURNAL_FORMATS.join(', '), 'csv'),
    decimal: withDefault('--decimal <sign>', 'of csv: a comma also sets ; and DD-MM-YYYY', '.'),
    journals: withDefault('--journals <names>', 'out of the default', JOURNALS.join()),
    raw: flag('--raw', 'leave texts that look like formulas as they are'),
  },
  example: 'journal --owner 1 --from 2026-01-01 --to 2026-01-31 --format snelstart --out january.csv',
  handlesAbort: true,
  run: async (base, options, _args, { signal, showProgress }) => {
    const { completeBooks } = await import('../business/invoicing/invoice/book-date.ts');
    const { openJournal } = await import('../work/journal/journal-source.ts');
    const { garageOf } = await import('../core/model/statements/garage.ts');
    const { writeSummed } = await import('./summed-file.ts');
    const { owner, out: file } = options;
    const days = parseDays(options.from, options.to);
    const format = parseWord('--format', JOURNAL_FORMATS, options.format);
    const form = {
      format,
      decimal: parseWord('--decimal', DECIMALS, options.decimal),
      raw: options.raw ? 1 : 0,
      journals: options.journals.split(',').map((name) => parseWord('--journals', JOURNALS, name)),
    };
    await requireOwner(base, owner);
    const path = await fileToWrite(file);
    await completeBooks(base.database, owner);
    const write = (report: Report) =>
      base.database.snapshot(async (session) => {
        await requireAll(garageOf(session, owner), days, form);
        const onProgress = (percent: number) => report(percent, 100);
        const journal = await openJournal(garageOf(session, owner), days, { form, onProgress });
        const written = await writeSummed(path, journal.content(), signal);
        return { rows: journal.rows(), ...written, ...journal.summary() };
      });
    const made = await showProgress('writing', write).catch((error) => {
      signal.throwIfAborted();
      return throwPlainly(error);
    });
    const text = `${file} was written, ${counted(made.rows, 'posting')}, ${made.bytes} bytes, SHA-256 ${made.sha256}`;
    const warnings = made.warnings.map(({ message }) => `! ${message}`);
    return { json: { file, format, ...made }, text: [text, ...warnings].join('\n') };
  },
});

/** Throws a Problem that names all that the period lacks, each with its record. */
async function requireAll(garage: Garage, days: Days, { journals }: JournalForm) {
  const { missingForJournal } = await import('../work/journal/missing.ts');
  const { readScope } = await import('../work/journal/scope.ts');
  const found = await missingForJournal(await readScope(garage, days, journals));
  if (found.length === 0) return;
  throw new Problem(found.map((one) => ({ ...one, message: `${one.message}: ${one.resource} [${one.id}]` })));
}
