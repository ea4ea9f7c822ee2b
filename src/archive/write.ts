// Writes a zip: entries come one after the other, each opened when its turn has come, so that memory stays
// flat. zip-stream neither hands on every error nor settles after one: this file owns the promise, and whatever
// goes wrong ends the whole archive and takes the half-written file away.
import { createHash } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { gatherDirectory } from './directory.ts';
import { failure } from './failure.ts';
import { findIgzip } from './igzip.ts';
import { Zip } from './zip.ts';

/** A file that goes into an archive. */
export interface ArchiveEntry {
  /** Its name in the zip, with `/` between folders. */
  readonly path: string;
  /** The resource whose records it holds, for the manifest. */
  readonly resource?: string;
  /** The records written, asked for once `content` has ended. */
  readonly rows?: () => number;
  /** What its content must be; another digest fails the archive. */
  readonly sha256?: string;
  /** Much is to come, perhaps, of what deflates well. */
  readonly mayBeLong?: boolean;
  /** Called when its turn has come. Chunks of 64 KiB and more: small ones cost many times as much. */
  readonly content: () => AsyncIterable<Uint8Array>;
  /** Gets each chunk when it is of no use any more. */
  readonly giveBack?: (chunk: Uint8Array) => void;
}

/** What became of an entry, as the manifest lists it. `bytes` and `sha256` are those of the file unpacked. */
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
  /** Path of igzip; the empty text for none. By default where it is installed. */
  readonly igzip?: string;
  /** Makes `manifest.json`, the last entry, of the files before it. Without it the zip has none. */
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

// Here reading the rows takes longer than deflating them. igzip's 3 makes a file 5 % smaller; zlib's 6 a quarter, and
// takes twice the time.
const DEFAULT_LEVEL = 1;
/** So much waits between two stages: the thread that deflates need not wait for this one. */
const WAITING_BYTES = 2 ** 19;

/**
 * Writes a zip to `path`, where a file may stand already, and flushes it to the disk. Rejects with the first
 * error of an entry or of the file (`ENOSPC`), or with the signal's reason; `path` is gone then.
 */
export async function writeArchive(
  path: string,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
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

async function zip(
  file: FileHandle,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
  { level = DEFAULT_LEVEL, igzip = findIgzip(), manifest, signal }: WriteOptions,
): Promise<WrittenArchive> {
  const archive = new Zip({ level, igzip, highWaterMark: WAITING_BYTES });
  const ending = new AbortController();
  const fail = (reason: unknown) => ending.abort(reason);
  const forward = () => fail(signal?.reason);
  signal?.addEventListener('abort', forward);
  archive.on('error', fail);
  const failed = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => {
      archive.destroy();
      reject(ending.signal.reason);
    });
  });
  try {
    const stages = [fill(archive, entries, manifest, fail, ending.signal), save(archive, file)] as const;
    // What is still under way when another stage fails ends by itself, unheard.
    for (const stage of stages) stage.catch(fail);
    const [files, { size, sha256 }] = await Promise.race([Promise.all(stages), failed]);
    return { size, sha256, files };
  } finally {
    signal?.removeEventListener('abort', forward);
    archive.close();
  }
}

/** Puts the entries in, one by one, and closes the archive. */
async function fill(
  archive: Zip,
  entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
  manifest: WriteOptions['manifest'],
  fail: (reason: unknown) => void,
  ended: AbortSignal,
): Promise<ArchivedFile[]> {
  const files: ArchivedFile[] = [];
  for await (const entry of entries) {
    files.push(await append(archive, entry, fail, ended));
    if (ended.aborted) return files;
  }
  if (manifest) await append(archive, textEntry(MANIFEST, JSON.stringify(manifest(files))), fail, ended);
  gatherDirectory(archive);
  archive.finalize();
  return files;
}

/** An entry whose content is at hand. */
export const textEntry = (path: string, text: string): ArchiveEntry => ({
  path,
  content: async function* () {
    yield Buffer.from(text);
  },
});

/** Resolves when the entry is in the archive, or when the archive has failed. */
function append(
  archive: Zip,
  { path, resource, rows, sha256: expected, mayBeLong, content, giveBack }: ArchiveEntry,
  fail: (reason: unknown) => void,
  ended: AbortSignal,
): Promise<ArchivedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    try {
      for await (const chunk of content()) {
        hash.update(chunk);
        bytes += chunk.length;
        yield chunk;
      }
    } catch (error) {
      // Told here and not to the stream, which would take the entry's end for a good one.
      fail(error);
    }
  }
  const source = Readable.from(counted(), { objectMode: false, highWaterMark: WAITING_BYTES });
  return new Promise((resolve) => {
    const finish = () => {
      ended.removeEventListener('abort', finish);
      source.destroy();
      const sha256 = hash.digest('hex');
      if (expected !== undefined && sha256 !== expected)
        fail(failure('document_damaged', { sha256: expected }));
      resolve({ path, resource, rows: rows?.(), bytes, sha256 });
    };
    ended.addEventListener('abort', finish);
    archive.put({ source, name: path, mayBeLong, giveBack }, (error) => {
      // Whatever fails ends all entries.
      if (error) fail(error);
      else finish();
    });
  });
}

async function save(archive: Zip, file: FileHandle): Promise<{ size: number; sha256: string }> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of archive) {
    hash.update(chunk);
    size += chunk.length;
    await file.appendFile(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}
