// The result of an import: a zip with the outcome of each row, and with the refused rows to correct and send again.

import type { Database } from '../../core/model/statements/session.ts';
import { type Save, textEntry, type WrittenArchive, writeArchive } from '../../platform/zip/write.ts';
import { headerOf } from './file-row.ts';
import { lastBatch, tallyOfImport, textsOf } from './import-batch.ts';
import type { Counts } from './outcome.ts';
import type { ImportWork } from './run-import.ts';

interface Summary extends Counts {
  readonly resource: string;
  readonly mode: string;
  readonly dry_run: 0 | 1;
  readonly history: 0 | 1;
  /** 1: cancelled before the last row. */
  readonly cancelled: 0 | 1;
  /** Rows that were dealt with; null of `rows_total`: the file was not looked through. */
  readonly rows: number;
  readonly rows_total: number | null;
}

interface Ending {
  /** Before the last row. */
  readonly isCancelled?: boolean;
  /** Cancelled or given up: perhaps before the file was looked through. */
  readonly isStopped?: boolean;
}

/** Writes the zip of an import that is over. */
export async function writeReport(
  database: Database,
  save: Save,
  { id, options, open }: Pick<ImportWork, 'id' | 'options' | 'open'>,
  { isCancelled = false, isStopped = false }: Ending = {},
): Promise<{ archive: WrittenArchive; summary: Summary }> {
  const last = await lastBatch(database, id);
  const { refused_length, ...counts } = await tallyOfImport(database, id);
  const summary: Summary = {
    resource: options.resource.name,
    mode: options.mode,
    dry_run: options.isDryRun ? 1 : 0,
    history: options.isHistory ? 1 : 0,
    cancelled: isCancelled ? 1 : 0,
    rows: last?.rowsDone ?? 0,
    rows_total: last?.rowsTotal ?? (isStopped ? null : 0),
    ...counts,
  };
  const refused = async function* () {
    yield Buffer.from(await headerOf(open, options));
    yield* textsOf(database, id, 'refused');
  };
  const entries = [
    { path: 'report.ndjson', content: () => textsOf(database, id, 'report') },
    { path: `refused.${options.format}`, content: refused },
    textEntry('summary.json', JSON.stringify(summary)),
  ];
  return { archive: await writeArchive(save, entries), summary };
}
