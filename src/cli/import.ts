// The command `forecourt import`. It does what POST /import does, with a file of this machine. Its progress is kept
// under the digest of the file and the options, so the same command goes on where an earlier one was cut off.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Format } from '../work/import/file-row.ts';
import { MODES } from '../work/import/mode.ts';
import {
  command,
  counted,
  fileToWrite,
  flag,
  numberLines,
  optional,
  parseWord,
  required,
  requiredNumber,
  requireOwner,
  throwPlainly,
  UsageError,
  withDefault,
} from './command.ts';

const FORMATS: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export const importCommand = command({
  words: 'import <file>',
  summary: 'Add and change records from a file of CSV or JSON lines',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    resource: required('--resource <name>', 'what the rows are, such as contact'),
    mode: withDefault('--mode <mode>', `${MODES.join(', ')}`, 'insert'),
    dryRun: flag('--dry-run', 'check everything and write nothing'),
    history: flag(
      '--history',
      'take the readonly fields of old records, too: old invoices keep their numbers',
    ),
    report: optional(
      '--report <file>',
      'the zip with what became of each row; default: the name of the file and .report.zip',
    ),
  },
  example: 'import contacts.csv --owner 1 --resource contact --mode upsert --dry-run',
  handlesAbort: true,
  run: async (base, options, [file = ''], { signal, showProgress }) => {
    const { importable, importShape } = await import('../work/import/import-options.ts');
    const { writeReport } = await import('../work/import/import-report.ts');
    const { STATUSES } = await import('../work/import/outcome.ts');
    const { runImport } = await import('../work/import/run-import.ts');
    const { failure } = await import('../platform/job-failure.ts');
    const { removeProgress } = await import('../work/jobs/upload.ts');
    const { resourceNamed } = await import('../core/model/records/registry.ts');
    const { intoFile } = await import('../platform/storage/whole-file.ts');
    const { database } = base;
    const {
      owner,
      report = `${file}.report.zip`,
      dryRun: isDryRun = false,
      history: isHistory = false,
    } = options;
    const format = FORMATS[extname(file).toLowerCase()];
    if (!format) throw new UsageError(`${file} must end in ${Object.keys(FORMATS).join(', ')}`);
    const names = importable().map(({ name }) => name);
    const resource = resourceNamed(parseWord('--resource', names, options.resource));
    const mode = parseWord('--mode', MODES, options.mode);
    await requireOwner(base, owner);
    const path = await fileToWrite(report);
    const open = async () => createReadStream(resolve(file)) as AsyncIterable<Buffer>;
    const id = await digestOf(await open(), [owner, resource.name, mode, isDryRun, isHistory]);
    const work = {
      id,
      open,
      signal,
      options: {
        resource: importShape(resource, isHistory),
        mode,
        isDryRun,
        actor: { owner },
        forbiddenChildren: { POST: [], PUT: [] },
        unreadable: [],
        isHistory,
        format,
      },
    };
    const { summary, isWhole } = await showProgress('importing', async (onProgress) => {
      const isWhole = await runImport(database, { ...work, onProgress });
      const { summary } = await writeReport(database, intoFile(path), work);
      await removeProgress(database, id);
      return { summary, isWhole };
    }).catch(throwPlainly);
    if (!isWhole)
      throw new Error(`${failure('too_many_refused').message}: ${report} tells what became of each row`);
    const what = isDryRun ? 'was checked, nothing was written' : 'was imported';
    const counts = numberLines(Object.fromEntries(STATUSES.map((status) => [status, summary[status]])), 12);
    const text = `${file} ${what}: ${counted(summary.rows, 'row')}\n${counts}\n${report} tells what became of each row`;
    return { json: { ...summary, report }, text };
  },
});

async function digestOf(content: AsyncIterable<Buffer>, asked: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
