// Writes a zip with archiver. Entries come one after the other, each opened in its turn, so that memory stays flat.
// After an error archiver settles nothing: this file owns the promise, ends every stream and removes the file.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipArchive } from 'archiver';
import { failure } from './failure.ts';
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

/** An entry that was written, as the manifest lists it. `bytes` and `sha256` are those of the unpacked file. */
export interface ArchivedFile {
  readonly path: string;
  readonly resource?: string;
  readonly rows?: number;
  readonly bytes: number;
  readonly sha256: string;
}

export interface WriteOptions {
  /** Of deflate, 1 (fastest) to 9 (smallest). */
  readonly level?: number;
  /** Makes `manifest.json`, the last entry, from the files before it. Without it the zip has no manifest. */
  readonly manifest?: (files: readonly ArchivedFile[]) => object;
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
 * Writes a zip to `path`, where a file may stand already, and flushes it to the disk. Rejects with the first
 * error of an entry or of the file (`ENOSPC`), or with the signal's reason, and removes `path` then.
 */
export async function writeArchive(
  path: string,
  entries: Entries,
  options: WriteOptions = {},
): Promise<WrittenArchive> {
  options.signal?.throwIfAborted();
  const file = await open(path, 'w', 0o600);
  try {
    const written = await zip(file, entries, options);
    await file.sync();
    await file.close();
    return written;
  } catch (error) {
    await file.close().catch(() => {});
    await rm(path, { force: true });
    throw error;
  }
}

type Entries = Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>;

/** Resolves when everything is written. Rejects with the first error, even if an entry or the sequence hangs. */
function zip(
  file: FileHandle,
  entries: Entries,
  { level = DEFAULT_LEVEL, manifest, signal }: WriteOptions,
): Promise<WrittenArchive> {
  return new Promise((resolve, reject) => {
    const ending = new AbortController();
    const fail = (reason: unknown) => {
      reject(reason);
      ending.abort(reason);
    };
    const forward = () => fail(signal?.reason);
    signal?.addEventListener('abort', forward, { once: true });
    const archive = new ZipArchive({ zlib: { level, chunkSize: DEFLATED_BYTES } });
    const sum = new Sum();
    const save = async (chunks: AsyncIterable<Buffer>) => {
      // Reported at once: the pipeline would destroy the archive first, with an error of its own.
      for await (const chunk of chunks) await file.appendFile(sum.add(chunk)).catch(fail);
    };
    Promise.all([
      fill(archive, entries, manifest, fail, ending.signal),
      pipeline(archive, new Gather(), save, { signal: ending.signal }),
    ])
      .then(([files]) => resolve({ ...sum.done(), files }), fail)
      .finally(() => signal?.removeEventListener('abort', forward));
  });
}

/** Puts the entries in, one by one, and closes the archive. */
async function fill(
  archive: ZipArchive,
  entries: Entries,
  manifest: WriteOptions['manifest'],
  fail: (reason: unknown) => void,
  ended: AbortSignal,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for await (const entry of entries) files.push(await append(archive, entry, fail, ended));
  if (manifest) await append(archive, textEntry(MANIFEST, JSON.stringify(manifest(files))), fail, ended);
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
class Sum {
  private size = 0;
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
