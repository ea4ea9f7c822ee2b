// Reads PDFs with poppler: their text, their structure, and what their pages show. Leaves the pages as pictures in
// test-output/.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import jsQR from 'jsqr';
import sharp from 'sharp';

const run = promisify(execFile);
const OUTPUT = fileURLToPath(new URL('../../../../test-output/', import.meta.url));

interface ReadPdf {
  /** The text of each page, laid out as it stands there. */
  readonly pages: readonly string[];
  /** All text, with single spaces. */
  readonly text: string;
  /** As `pdfinfo` names it: Title, Author, Pages, … */
  readonly info: ReadonlyMap<string, string>;
}

/** Reads a PDF, and leaves it and its pages in test-output/ under that name. */
export async function readPdf(bytes: Buffer, name: string): Promise<ReadPdf> {
  const file = await written(bytes, name);
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

/** Only the text of each page, which takes a tenth of the time. */
export async function readPages(bytes: Buffer, name: string): Promise<string[]> {
  const { stdout } = await run('pdftotext', ['-layout', await written(bytes, name), '-']);
  return stdout.split('\f').slice(0, -1);
}

/** The tree of the structure, as `pdfinfo` writes it: two spaces a level. Its texts take half a second a page. */
export async function readStructure(bytes: Buffer, name: string, texts = true): Promise<string> {
  return (await run('pdfinfo', [texts ? '-struct-text' : '-struct', await written(bytes, name)])).stdout;
}

/** The pictures of a PDF: `[width, height, color]`, such as `[600, 120, 'rgb']`. */
export async function readPictures(bytes: Buffer, name: string): Promise<[number, number, string][]> {
  const { stdout } = await run('pdfimages', ['-list', await written(bytes, name)]);
  const rows = stdout.trim().split('\n').slice(2);
  return rows
    .map((row) => row.trim().split(/\s+/))
    .map((cell) => [Number(cell[3]), Number(cell[4]), String(cell[5])]);
}

/** The text of the QR code on the first page, read as a camera reads it. Undefined if there is none. */
export async function readCode(bytes: Buffer, name: string): Promise<string | undefined> {
  const file = await written(bytes, name);
  const { stdout } = await run('pdftoppm', ['-png', '-r', '110', '-singlefile', file], {
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  });
  const { data, info } = await sharp(stdout).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height, {
    inversionAttempts: 'dontInvert',
  })?.data;
}

/** The file to read is the process's own: others of the run may write the same name into test-output/ meanwhile. */
async function written(bytes: Buffer, name: string): Promise<string> {
  await mkdir(OUTPUT, { recursive: true });
  const own = join(tmpdir(), `${process.pid}-${name}.pdf`);
  await Promise.all([join(OUTPUT, `${name}.pdf`), own].map((file) => writeFile(file, bytes)));
  return own;
}
