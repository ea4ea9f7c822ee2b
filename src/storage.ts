// The folders under STORAGE_DIR. A file appears under its name only when it is whole: it is written beside
// it, flushed and renamed.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { access, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from './model/session.ts';
import { lives, nameOf } from './process-name.ts';

export interface Storage extends Files {
  readonly directory: string;
  readonly archives: string;
  readonly documents: string;
  readonly mail: string;
  readonly database: string;
  /** Where the bytes of a document are. */
  documentPath(sha256: string): string;
  /** Throws where the storage can't be written to. */
  check(): Promise<void>;
}

/** Makes the folders. Throws with one clear line where that can't be done. */
export async function openStorage(directory: string): Promise<Storage> {
  const folder = (name: string) => join(directory, name);
  const documents = folder('documents');
  const storage: Storage = {
    directory,
    archives: folder('archives'),
    documents,
    mail: folder('mail'),
    database: folder('database'),
    documentPath: (sha256) => join(documents, sha256),
    check: () => writeWhole(folder('.writable'), ''),
    ...filesIn(documents),
  };
  try {
    for (const path of [directory, storage.archives, documents, storage.mail]) await makeFolder(path);
    await storage.check();
  } catch (error) {
    throw new Error(`STORAGE_DIR ${directory} can't be written to: ${(error as Error).message}`);
  }
  return storage;
}

async function makeFolder(path: string): Promise<void> {
  const options = { recursive: true, mode: 0o700 };
  await mkdir(path, options).catch(async (error: NodeJS.ErrnoException) => {
    // Where nothing can be written, making all folders on the way only says that one is not there.
    throw error.code === 'ENOENT' ? await mkdir(path).catch((real: Error) => real) : error;
  });
}

/** The files of a folder that is there already, each under its SHA-256. */
export const filesIn = (folder: string): Files => ({
  put: async (bytes) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(folder, sha256);
    if (!(await exists(path))) await writeWhole(path, bytes);
    return { sha256, size: bytes.length };
  },
});

// Halves bear the name of the process that writes them, so that those of a dead one are known at once.
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const WRITER = `${MACHINE}-${nameOf(process.pid)}`;

/** Writes a file so that its name never stands for half of it, also after a power cut. */
export async function writeWhole(
  path: string,
  content: Buffer | string | AsyncIterable<Buffer>,
): Promise<void> {
  const part = `${path}.${WRITER}.${randomBytes(6).toString('hex')}.part`;
  try {
    const file = await open(part, 'wx', 0o600);
    try {
      await writeFile(file, content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

export const isDiskFull = (error: unknown): boolean =>
  DISK_FULL.has(String((error as { code?: unknown } | undefined)?.code));

/** Whether the process that wrote a half may still be writing it: it lives, or is one of another machine. */
export function mayBeWritten(part: string): boolean {
  const [, machine, writer = ''] = /\.([0-9a-f]{8})-(\d+-\d*)\.[0-9a-f]{12}\.part$/.exec(part) ?? [];
  return machine !== undefined && (machine !== MACHINE || lives(writer));
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The key of signatures: as configured, else made once and kept under the storage. */
export async function signingSecret(storage: Storage, configured: string): Promise<string> {
  if (configured !== '') return configured;
  const path = join(storage.directory, 'signing-secret');
  if (!(await exists(path))) await makeOnce(path, randomBytes(32).toString('hex'));
  return (await readFile(path, 'utf8')).trim();
}

/** The ID of the installation that this storage belongs to, made once. `isNew`: made by this call. */
export async function installationId(storage: Storage): Promise<{ id: string; isNew: boolean }> {
  const path = join(storage.directory, 'installation-id');
  const isNew = !(await exists(path)) && (await makeOnce(path, randomUUID()));
  return { id: (await readFile(path, 'utf8')).trim(), isNew };
}

/** Answers whether this call made the file. Of processes that start together, one makes the file and all read it: a link replaces nothing. */
async function makeOnce(path: string, content: string): Promise<boolean> {
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  await writeWhole(made, content);
  try {
    await link(made, path);
    await syncFolder(dirname(path));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(made, { force: true });
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
