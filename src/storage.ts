// The folders under STORAGE_DIR. A file appears under its name only when it is complete: it is written under another
// name, flushed and renamed.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { access, link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import type { Files } from './model/session.ts';
import { isRunning, processName } from './process-name.ts';

/** Each check writes a file and flushes the disk, and anybody may ask for it (/health/ready). */
const CHECK_MS = 1_000;

export interface Storage extends Files {
  readonly directory: string;
  readonly archives: string;
  readonly documents: string;
  readonly mail: string;
  readonly database: string;
  /** The path of a stored file. */
  documentPath(sha256: string): string;
  /** Throws where the storage can't be written to. Tests this once a second at most. */
  check(): Promise<void>;
}

/** Makes the folders. Throws an error of one line if the storage is not writable. */
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
    check: onceIn(CHECK_MS, () => writeWhole(folder('.writable'), '')),
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

/** Does the work once in so many milliseconds. All who ask within that time get the same result. */
function onceIn<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let last: { began: number; result: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.began >= milliseconds) last = { began: now, result: work() };
    return last.result;
  };
}

async function makeFolder(path: string): Promise<void> {
  const options = { recursive: true, mode: 0o700 };
  await mkdir(path, options).catch(async (error: NodeJS.ErrnoException) => {
    // A recursive mkdir hides the cause behind ENOENT. A plain mkdir names the cause.
    throw error.code === 'ENOENT' ? await mkdir(path).catch((real: Error) => real) : error;
  });
}

/** The files of an existing folder. The name of a file is its SHA-256. */
export const filesIn = (folder: string): Files => ({
  put: async (bytes) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const path = join(folder, sha256);
    if (!(await exists(path))) await writeWhole(path, bytes);
    return { sha256, size: bytes.length };
  },
  remove: (sha256) => rm(join(folder, sha256), { force: true }),
});

// A part file has the name of its writer's process, so the part files of a dead process are recognized.
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const WRITER = `${MACHINE}-${processName(process.pid)}`;

/** Writes a complete file or none, even in a power cut. */
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

/** Whether the writer of a part file may still run. A writer on another machine counts as running. */
export function mayBeWritten(part: string): boolean {
  const [, machine, writer = ''] = /\.([0-9a-f]{8})-(\d+-\d*)\.[0-9a-f]{12}\.part$/.exec(part) ?? [];
  return machine !== undefined && (machine !== MACHINE || isRunning(writer));
}

/** Flushes a folder, so that new file names survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The key of signatures: the configured one, or one that is made once and kept in the storage. */
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

/**
 * Answers whether this call made the file. If several processes start together, only one makes it, because a link never
 * replaces a file.
 */
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
