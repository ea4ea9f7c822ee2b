// Files of the local disk. A file appears under its name only when it is complete: it is written under another name,
// flushed and renamed.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { isRunning, processName } from '../process-name.ts';

// A part file has the name of its writer's process, so the part files of a dead process are recognized.
const MACHINE = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
const WRITER = `${MACHINE}-${processName(process.pid)}`;
const PART = /\.([0-9a-f]{8})-(\d+-\d*)\.[0-9a-f]{12}\.part$/;

/** Writes a complete file or none, even in a power cut. If the content throws, nothing stays. */
export async function writeWhole(
  path: string,
  content: Buffer | string | AsyncIterable<Uint8Array>,
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

/** Writes a stream of bytes to a path, whole or not at all. */
export const intoFile = (path: string) => (chunks: AsyncIterable<Uint8Array>) => writeWhole(path, chunks);

/**
 * Answers whether this call made the file. If several processes start together, only one makes it, because a link never
 * replaces a file.
 */
export async function writeOnce(path: string, content: string): Promise<boolean> {
  if (existsSync(path)) return false;
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

/** The name that a part file would have got. */
export const wholeName = (part: string): string => part.replace(PART, '').replace(/\.part$/, '');

/** Whether the writer of a part file may still run. A writer on another machine counts as running. */
export function mayBeWritten(part: string): boolean {
  const [, machine, writer = ''] = PART.exec(part) ?? [];
  return machine !== undefined && (machine !== MACHINE || isRunning(writer));
}

const DISK_FULL = new Set(['ENOSPC', 'EDQUOT']);

/** The rest of the disk is kept for the database. */
export class DiskFull extends Error {
  readonly code = 'ENOSPC';

  constructor(folder: string) {
    super(`The disk of ${folder} has no more space for files`);
    this.name = 'DiskFull';
  }
}

export const isDiskFull = (error: unknown): boolean =>
  DISK_FULL.has(String((error as { code?: unknown } | undefined)?.code));

export async function makeFolder(path: string): Promise<void> {
  const options = { recursive: true, mode: 0o700 };
  await mkdir(path, options).catch(async (error: NodeJS.ErrnoException) => {
    // A recursive mkdir hides the cause behind ENOENT. A plain mkdir names the cause.
    throw error.code === 'ENOENT' ? await mkdir(path).catch((real: Error) => real) : error;
  });
}

/** Flushes a folder, so that new file names survive a power cut. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
