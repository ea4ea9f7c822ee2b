// A store in a folder of the local disk. The folder must exist.
import { createReadStream } from 'node:fs';
import { open, opendir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { HOUR_MS } from '../../core/trade/time/duration.ts';
import type { ByteRange, LeftOver, Store } from './store.ts';
import { DiskFull, mayBeWritten, wholeName, writeOnce, writeWhole } from './whole-file.ts';

const CHUNK_BYTES = 2 ** 17;
/** With the 32 of Node, a folder of a million files takes three times as long. */
const ENTRIES_AT_ONCE = 1_024;
/** An upload begins only if so much of the disk is free. */
const FREE_FOR_UPLOAD = 1024 ** 3;
/** The service and its database go on with this share of the disk, and need no more than an upload leaves them. */
const RESERVED_SHARE = 0.05;
/** While a file is written, the disk is looked at after so many bytes. */
const LOOK_BYTES = 2 ** 24;

/** `reserved`: the bytes of the disk that files leave free; if nothing is said, the constants above count. */
export function openFolder(folder: string, reserved?: number): Store {
  const path = (name: string) => join(folder, name);
  const remove = (name: string) => rm(path(name), { force: true });
  return {
    address: folder,
    write: (name, content) => writeWhole(path(name), sparing(folder, content, reserved)),
    writeOnce: (name, text) => writeOnce(path(name), text),
    find: (name) =>
      unlessMissing(async () => {
        const found = await stat(path(name));
        return found.isFile() ? { size: found.size, modifiedAt: found.mtime } : undefined;
      }),
    read: (name, range) => unlessMissing(() => read(path(name), range)),
    remove,
    discard: async (name) => {
      for (const file of await readdir(folder))
        if (isPart(file) && wholeName(file) === name) await remove(file);
      await remove(name);
    },
    list: async function* () {
      for await (const name of filesOf(folder)) {
        if (isPart(name)) continue;
        const found = await unlessMissing(() => stat(path(name)));
        if (found) yield { name, size: found.size };
      }
    },
    leftOvers: async function* () {
      for await (const part of filesOf(folder)) if (isPart(part)) yield leftOver(folder, part);
    },
    hasSpace: async () => {
      const { free } = await spaceOf(folder);
      return free >= (reserved ?? FREE_FOR_UPLOAD);
    },
  };
}

/** The size of the folder's disk, and how much of the disk is free for this process. In bytes. */
export async function spaceOf(folder: string): Promise<{ readonly size: number; readonly free: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { size: blocks * bsize, free: bavail * bsize };
}

/** The content in its pieces. Throws a DiskFull as soon as the disk has less than files leave free. */
async function* sparing(
  folder: string,
  content: Buffer | AsyncIterable<Buffer>,
  reserved?: number,
): AsyncGenerator<Buffer> {
  let unlooked = LOOK_BYTES;
  for await (const piece of Buffer.isBuffer(content) ? [content] : content) {
    unlooked += piece.length;
    if (unlooked >= LOOK_BYTES) {
      unlooked = 0;
      const { size, free } = await spaceOf(folder);
      const least = reserved ?? Math.min(FREE_FOR_UPLOAD, size * RESERVED_SHARE);
      if (free < least) throw new DiskFull(folder);
    }
    yield piece;
  }
}

const isPart = (file: string) => file.endsWith('.part');

/** Reads the folder entry by entry, because it may be large. */
async function* filesOf(folder: string): AsyncGenerator<string> {
  for await (const entry of await opendir(folder, { bufferSize: ENTRIES_AT_ONCE }))
    if (entry.isFile()) yield entry.name;
}

/** Opens the file first, so that a missing file is known before a byte is read. */
async function read(path: string, range: ByteRange | undefined): Promise<Readable> {
  const file = await open(path, 'r');
  return createReadStream(path, { fd: file, highWaterMark: CHUNK_BYTES, ...range });
}

async function leftOver(folder: string, part: string): Promise<LeftOver> {
  const path = join(folder, part);
  // Another process may be writing the file now, and rename it the next moment.
  const isAbandoned = !mayBeWritten(part);
  const written = isAbandoned ? 0 : await stat(path).then(({ mtimeMs }) => mtimeMs, Date.now);
  return {
    name: wholeName(part),
    isFresh: written > Date.now() - HOUR_MS,
    isAbandoned,
    remove: () => rm(path, { force: true }),
  };
}

async function unlessMissing<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
