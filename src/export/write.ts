// Writes the rows of a source: as one file, or as a zip with the file and summary.json.
import { Lines } from '../zip/ndjson.ts';
import type { Packer } from '../zip/rows.ts';
import { type ArchiveEntry, type Save, writeArchive } from '../zip/write.ts';
import { CsvLines } from './csv-rows.ts';
import type { Source } from './list-source.ts';
import type { FileForm } from './request.ts';

export const SUMMARY = 'summary.json';
const PROGRESS_MS = 250;

export interface ExportOptions extends FileForm {
  /** What was asked for, for summary.json. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Gets whole percents, rising to 100, at most four times a second. */
  readonly onProgress?: (percent: number) => void;
}

/** The file of a source: `contact.csv`. `rows` counts what was written. */
export function fileOf(
  source: Source,
  { format, raw, onProgress }: Pick<ExportOptions, 'format' | 'raw' | 'onProgress'>,
): Required<Pick<ArchiveEntry, 'path' | 'rows' | 'content'>> {
  const { columns } = source;
  const advance = progress(source.total, onProgress);
  const packer: Packer<Buffer> & { count: number } =
    format === 'csv'
      ? new CsvLines({ columns, raw: raw === 1, onChunk: advance })
      : new Lines({ columns }, () => advance(packer.count));
  return {
    path: `${source.name}.${format}`,
    rows: () => packer.count,
    content: () => source.rows(packer),
  };
}

/** Writes the zip by `save`. Rejects like writeArchive. */
export async function writeExport(
  save: Save,
  source: Source,
  options: ExportOptions,
): Promise<{ size: number; sha256: string }> {
  const { signal, asked, onProgress } = options;
  const { size, sha256 } = await writeArchive(save, [fileOf(source, options)], {
    signal,
    manifestPath: SUMMARY,
    manifest: ([file]) => ({
      ...asked,
      file: file?.path,
      rows: file?.rows,
      bytes: file?.bytes,
      sha256: file?.sha256,
      ...source.summary,
    }),
  });
  onProgress?.(100);
  return { size, sha256 };
}

/** Makes percents from numbers of rows. Stops at 99, since the file has to be completed after the last row. */
function progress(total: number, onProgress: (percent: number) => void = () => {}): (rows: number) => void {
  let last = 0;
  let lastAt = 0;
  return (rows) => {
    const percent = Math.min(99, Math.floor((100 * rows) / Math.max(1, total)));
    if (percent <= last || performance.now() < lastAt + PROGRESS_MS) return;
    last = percent;
    lastAt = performance.now();
    onProgress(percent);
  };
}
