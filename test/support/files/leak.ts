// Looks for texts in everything that an installation keeps: all tables, all stored files (archives unpacked, PDFs as
// text), and a fresh backup. Answers the places, so that a test names those that it expects.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { FOLD } from '../../../src/core/trade/text/fold.ts';
import { select } from '../database/sql.ts';
import { database, inStorage } from '../service/service.ts';
import { writeBackup } from './backup.ts';

const run = promisify(execFile);

/** The tables with a row that holds one of the texts, as it is or folded for the search, each with how many rows do. */
export async function tablesWith(texts: readonly string[]): Promise<Record<string, number>> {
  const tables = await select(
    database(),
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
  );
  const sought = [
    ...new Set(texts.flatMap((text) => [text, ...Object.values(FOLD).map((fold) => fold(text))])),
  ];
  const found: Record<string, number> = {};
  for (const { name } of tables) {
    const rows = await select(database(), `SELECT * FROM \`${name}\``);
    const hits = rows.filter((row) => hasOne(row, sought));
    if (hits.length > 0) found[String(name)] = hits.length;
  }
  return found;
}

/** Folded texts are stored as bytes. */
function hasOne(row: Row, texts: readonly string[]): boolean {
  const values = Object.values(row).map((value: unknown) =>
    Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value),
  );
  return texts.some((text) => values.some((value) => value?.includes(text)));
}

/** The stored files that hold one of the texts. The private database is not read: its tables are. */
export async function filesWith(texts: readonly string[]): Promise<string[]> {
  const folders = ['archives', 'documents', 'mail'].map((name) => inStorage(name));
  const found = await Promise.all(folders.map((folder) => filesIn(folder, texts)));
  return found.flat();
}

/** The files of a fresh backup that hold one of the texts. */
export async function backupFilesWith(owner: number, texts: readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-leak-'));
  try {
    const file = join(folder, 'backup.zip');
    await writeBackup(owner, file);
    await run('unzip', ['-q', file, '-d', join(folder, 'backup')]);
    return await filesIn(join(folder, 'backup'), texts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function filesIn(folder: string, texts: readonly string[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const text = await textUnlessRemoved(join(entry.parentPath, entry.name));
    if (texts.some((one) => text.includes(one))) found.push(entry.name);
  }
  return found.sort();
}

/** The service may remove a file after the folder was listed: such a file holds nothing. */
async function textUnlessRemoved(path: string): Promise<string> {
  try {
    return await textOf(path);
  } catch (error) {
    if (existsSync(path)) throw error;
    return '';
  }
}

export async function textOf(path: string): Promise<string> {
  const bytes = await readFile(path);
  // A test may have stored a file that only begins like a PDF.
  if (bytes.subarray(0, 5).toString() === '%PDF-' && bytes.includes('%%EOF'))
    return (await run('pdftotext', ['-layout', path, '-'], { maxBuffer: 2 ** 26 })).stdout;
  if (bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004') return zipText(bytes);
  return bytes.toString();
}

async function zipText(bytes: Buffer): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-zip-'));
  try {
    await writeFile(join(folder, 'it.zip'), bytes);
    await run('unzip', ['-q', join(folder, 'it.zip'), '-d', join(folder, 'content')]);
    const entries = await readdir(join(folder, 'content'), { recursive: true, withFileTypes: true });
    const texts = entries
      .filter((entry) => entry.isFile())
      .map((entry) => textOf(join(entry.parentPath, entry.name)));
    return (await Promise.all(texts)).join('\n');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
