// Writes the rows of a source: as one file, or as a zip with the file and summary.json.
import { Lines } from '../../platform/zip/ndjson.ts';
import { rising } from '../../platform/zip/percent.ts';
import { type ArchiveEntry, type Save, writeArchive } from '../../platform/zip/write.ts';
import { CsvLines } from './csv-rows.ts';
import type { Source } from './list-source.ts';
import type { FileForm } from './request.ts';

export const SUMMARY = 'summary.json';

interface ExportOptions extends FileForm {
  /** The request, for summary.json. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Gets whole percents, rising to 100. */
  readonly onProgress?: (percent: number) => void;
}

/** The file of a source: `contact.csv`. `rows` counts the written rows. */
export function fileOf(
  source: Source,
  { format, raw, onProgress }: Pick<ExportOptions, 'format' | 'raw' | 'onProgress'>,
): Required<Pick<ArchiveEntry, 'path' | 'rows' | 'content'>> {
  const { columns, total } = source;
  const advance = rising(onProgress);
  const packer = format === 'csv' ? new CsvLines(columns, raw === 1) : new Lines(columns);
  return {
    path: `${source.name}.${format}`,
    rows: () => packer.count,
    content: async function* () {
      for await (const chunk of source.rows(packer)) {
        advance(packer.count / Math.max(1, total));
        yield chunk;
      }
    },
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
