// The command `forecourt import`. It does what POST /import does, with a file of this machine. Its progress is kept under the
// digest of the file and the options, so the same command goes on where an earlier one was cut off.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { extname, resolve } from 'node:path';
import type { Format } from '../import/file-row.ts';
import { importable, importShape, MODES } from '../import/import-options.ts';
import { type Summary, writeReport } from '../import/import-report.ts';
import { STATUSES } from '../import/outcome.ts';
import { runImport } from '../import/run-import.ts';
import { expectedFailure } from '../job-failure.ts';
import { removeProgress } from '../jobs/upload.ts';
import type { Base } from '../service.ts';
import { intoFile } from '../storage/whole-file.ts';
import { type CliCommand, type Options, parseWholeNumber, requireOwner, UsageError } from './command.ts';
import { progressBar } from './progress.ts';

const FORMATS: Readonly<Record<string, Format>> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' };

export const importCommand: CliCommand = {
  words: 'import <file>',
  summary: 'Add and change records from a file of CSV or JSON lines',
  required: [
    ['--owner <id>', 'the garage'],
    ['--resource <name>', 'what the rows are, such as contact'],
  ],
  options: [
    ['--mode <mode>', `${MODES.join(', ')}`, 'insert'],
    ['--dry-run', 'check everything and write nothing'],
    ['--history', 'take the readonly fields of old records, too: old invoices keep their numbers'],
    [
      '--report <file>',
      'the zip with what became of each row; default: the name of the file and .report.zip',
    ],
  ],
  example: 'import contacts.csv --owner 1 --resource contact --mode upsert --dry-run',
  handlesAbort: true,
  run: async (base, options, [file = ''], { signal }) => {
    const report = String(options.report ?? `${file}.report.zip`);
    const summary = await importFile(base, file, options, report, signal);
    const counts = STATUSES.map((status) => `  ${status.padEnd(12)}${summary[status]}`).join('\n');
    const what = summary.dry_run ? 'was checked, nothing was written' : 'was imported';
    const text = `${file} ${what}: ${summary.rows} rows\n${counts}\n${report} tells what became of each row`;
    return { json: { ...summary, report }, text };
  },
};

async function importFile(
  base: Base,
  file: string,
  options: Options,
  report: string,
  signal: AbortSignal,
): Promise<Summary> {
  const { database } = base;
  const { owner, resource, mode, format, isDryRun, isHistory } = read(file, options);
  await requireOwner(base, owner);
  const open = async () => createReadStream(resolve(file)) as AsyncIterable<Buffer>;
  const id = await digestOf(await open(), [owner, resource.name, mode, isDryRun, isHistory]);
  const bar = progressBar('importing', options.json === true);
  const work = {
    id,
    open,
    signal,
    onProgress: (done: number, of: number) => bar.update(done, of),
    options: {
      resource: importShape(resource, isHistory),
      mode,
      isDryRun,
      actor: { owner },
      forbiddenChildren: [],
      isHistory,
      format,
    },
  };
  try {
    await runImport(database, work);
    const { summary } = await writeReport(database, intoFile(resolve(report)), work, false);
    await removeProgress(database, id);
    return summary;
  } catch (error) {
    throw expectedFailure(error) ?? error;
  } finally {
    bar.stop();
  }
}

function read(file: string, options: Options) {
  const format = FORMATS[extname(file).toLowerCase()];
  if (!format) throw new UsageError(`${file} must end in ${Object.keys(FORMATS).join(', ')}`);
  const resource = importable().find(({ name }) => name === options.resource);
  const names = importable().map(({ name }) => name);
  if (!resource)
    throw new UsageError(`--resource must be one of ${names.join(', ')}, not "${options.resource}"`);
  const mode = MODES.find((one) => one === options.mode);
  if (!mode) throw new UsageError(`--mode must be one of ${MODES.join(', ')}, not "${options.mode}"`);
  return {
    format,
    resource,
    mode,
    owner: parseWholeNumber('--owner', options.owner),
    isDryRun: options.dryRun === true,
    isHistory: options.history === true,
  };
}

async function digestOf(content: AsyncIterable<Buffer>, asked: readonly unknown[]): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(asked));
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}
