// Reads the text of PDFs with poppler's pdftotext, and leaves their pages as pictures in test-output/.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const OUTPUT = fileURLToPath(new URL('../../../test-output/', import.meta.url));

export interface ReadPdf {
  /** The text of each page, laid out as it stands there. */
  readonly pages: readonly string[];
  /** All text, with single spaces. */
  readonly text: string;
  /** As `pdfinfo` names it: Title, Author, Pages, … */
  readonly info: ReadonlyMap<string, string>;
}

/** Reads a PDF, and leaves it and its pages in test-output/ under that name. */
export async function readPdf(bytes: Buffer, name: string): Promise<ReadPdf> {
  await mkdir(OUTPUT, { recursive: true });
  const file = join(OUTPUT, `${name}.pdf`);
  await writeFile(file, bytes);
  const [{ stdout: text }, { stdout: info }] = await Promise.all([
    run('pdftotext', ['-layout', file, '-']),
    run('pdfinfo', ['-isodates', file]),
    run('pdftoppm', ['-png', '-r', '80', file, join(OUTPUT, name)]),
  ]);
  return {
    pages: text.split('\f').slice(0, -1),
    text: text.replace(/\s+/g, ' '),
    info: new Map(
      info.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[^:]*:\s*/, '')]),
    ),
  };
}
