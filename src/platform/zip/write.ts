// Writes a zip with archiver. Entries come one after the other, each opened in its turn, so that memory stays flat.
// After an error archiver settles nothing: this file owns the promise and ends every stream.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { failure } from '../job-failure.ts';
import { Gather } from './gather.ts';

/** A file that goes into an archive. */
export interface ArchiveEntry {
  /** Its name in the zip, with `/` between folders. */
  readonly path: string;
  /** The resource whose records it holds, for the manifest. */
  readonly resource?: string;
  /** The number of records, asked for once `content` has ended. */
  readonly rows?: () => number;
  /** The digest that its content must have; another one fails the archive. */
  readonly sha256?: string;
  /** Called when its turn has come. Chunks of 64 KiB and more: small ones cost many times as much. */
  readonly content: () => AsyncIterable<Uint8Array>;
}

/** An entry that was written, as the manifest lists it. `bytes` and `sha256` describe the unpacked file. */
export interface ArchivedFile {
  readonly path: string;
  readonly resource?: string;
  readonly rows?: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WriteOptions {
  /** The level of deflate, 1 (fastest) to 9 (smallest). */
  readonly level?: number;
  /** Makes the manifest, the last entry, from the files before it. Without it the zip has no manifest. */
  readonly manifest?: (files: readonly ArchivedFile[]) => object;
  /** The name of the manifest; `manifest.json` if none is given. */
  readonly manifestPath?: string;
  readonly signal?: AbortSignal;
}

export interface WrittenArchive {
  /** Bytes of the zip. */
  readonly size: number;
  /** SHA-256 of the zip, hexadecimal. */
  readonly sha256: string;
  /** Without the manifest. */
  readonly files: readonly ArchivedFile[];
}

export const MANIFEST = 'manifest.json';

// Level 6 makes a file a quarter smaller, and takes twice the time.
const DEFAULT_LEVEL = 1;
/** The size of zlib's output buffer. A whole chunk of records fits, so zlib's thread works once per chunk. */
const DEFLATED_BYTES = 2 ** 16;
/** Bytes that wait before deflate: the next chunks are made while its thread works on one. */
const WAITING_BYTES = 2 ** 19;

/**
 * Keeps the bytes of a zip, for example `(chunks) => store.write(name, chunks)`. If `chunks` throws, it must reject and
 * leave nothing.
 */
export type Save = (chunks: AsyncIterable<Buffer>) => Promise<void>;

type Entries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>;

/**
 * Writes a zip by `save`. Rejects with the first error of an entry or of `save` (`ENOSPC`), or with the signal's
 * reason, even if an entry or the sequence hangs; by then `save` has ended.
 */
export async function writeArchive(
  save: Save,
  entries: Entries,
  { level = DEFAULT_LEVEL, manifest, manifestPath = MANIFEST, signal }: WriteOptions = {},
): Promise<WrittenArchive> {
  signal?.throwIfAborted();
  const ending = new AbortController();
  // The first reason counts: the streams then end with errors of their own.
  const fail = (reason: unknown) => ending.abort(reason);
  const forward = () => fail(signal?.reason);
  signal?.addEventListener('abort', forward, { once: true });
  const archive = new ZipArchive({ zlib: { level, chunkSize: DEFLATED_BYTES } });
  const sum = new Sum();
  const last =
    manifest &&
    ((files: readonly ArchivedFile[]) => textEntry(manifestPath, JSON.stringify(manifest(files))));
  const filled = fill(archive, entries, last, fail, ending.signal);
  filled.catch(fail);
  let saved = Promise.resolve();
  pipeline(
    archive,
    new Gather(),
    (chunks: AsyncIterable<Buffer>) => {
      saved = save(passing(chunks, sum));
      saved.catch(fail);
      return saved;
    },
    { signal: ending.signal },
  ).catch(fail);
  try {
    await saved;
    return { ...sum.done(), files: await filled };
  } catch {
    throw ending.signal.reason;
  } finally {
    signal?.removeEventListener('abort', forward);
  }
}

/**
 * The chunks, summed up. It has no `return`: a `save` that fails must reject before the streams are destroyed, or
 * their errors would hide the cause.
 */
function passing(chunks: AsyncIterable<Buffer>, sum: Sum): AsyncIterable<Buffer> {
  const source = chunks[Symbol.asyncIterator]();
  const next = async () => {
    const { done, value } = await source.next();
    return done ? { done, value } : { done, value: sum.add(value) };
  };
  return { [Symbol.asyncIterator]: () => ({ next }) };
}

/** Puts the entries in, one by one, and closes the archive. */
async function fill(
  archive: ZipArchive,
  entries: Entries,
  last: ((files: readonly ArchivedFile[]) => ArchiveEntry) | undefined,
  fail: (reason: unknown) => void,
  ended: AbortSignal,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for await (const entry of entries) files.push(await append(archive, entry, fail, ended));
  if (last) await append(archive, last(files), fail, ended);
  await archive.finalize();
  return files;
}

/** An entry whose content is at hand. */
export const textEntry = (path: string, text: string): ArchiveEntry => ({
  path,
  content: async function* () {
    yield Buffer.from(text);
  },
});

/** Resolves when the entry is in the archive; rejects when the archive has failed. */
async function append(
  archive: ZipArchive,
  { path, resource, rows, sha256: expected, content }: ArchiveEntry,
  fail: (reason: unknown) => void,
  ended: AbortSignal,
): Promise<ArchivedFile> {
  const sum = new Sum();
  async function* summed() {
    try {
      for await (const chunk of content()) yield sum.add(chunk);
    } catch (error) {
      // Not thrown: archiver takes a stream's error for the end of the entry.
      fail(error);
    }
  }
  const source = Readable.from(summed(), { objectMode: false, highWaterMark: WAITING_BYTES });
  try {
    const entered = once(archive, 'entry', { signal: ended });
    archive.append(source, { name: path });
    await entered;
  } finally {
    source.destroy();
  }
  const { size: bytes, sha256 } = sum.done();
  if (expected !== undefined && sha256 !== expected) throw failure('document_damaged', { sha256: expected });
  return { path, resource, rows: rows?.(), bytes, sha256 };
}

/** Size and SHA-256 of chunks as they pass. */
export class Sum {
  size = 0;
  private readonly hash = createHash('sha256');

  add<Chunk extends Uint8Array>(chunk: Chunk): Chunk {
    this.size += chunk.length;
    this.hash.update(chunk);
    return chunk;
  }

  done(): { size: number; sha256: string } {
    return { size: this.size, sha256: this.hash.digest('hex') };
  }
}
