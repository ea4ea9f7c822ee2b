// Reads an owner backup. The file may come from anywhere: everything in it is checked before it is used, and no file
// is read beyond the size in the manifest.
import { isUtf8 } from 'node:buffer';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type ArchivedFile, MANIFEST, Sum } from '../../platform/zip/write.ts';
import { checkManifest, type Manifest } from './manifest.ts';

/** A refused archive. The message is one line that names the file. */
export class BadArchive extends Error {
  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.name = 'BadArchive';
  }
}

export interface Archive {
  readonly manifest: Manifest;
  /** The bytes of a file. Throws at the end if size or digest differ from the manifest. */
  content(file: ArchivedFile): AsyncGenerator<Buffer>;
  /** The lines of a file, in groups. Throws at the end like `content`, and also if the number of lines is wrong. */
  lines(file: ArchivedFile): AsyncGenerator<readonly string[]>;
  close(): void;
}

const LINE_FEED = 0x0a;
const LARGEST_LINE_BYTES = 2 ** 24;
/** Far more than the manifest needs for a file. */
const MANIFEST_BYTES_A_FILE = 2 ** 10;

/**
 * Opens a backup and checks, without unpacking, that zip and manifest list the same files, each once and of the same
 * size. Throws a BadArchive.
 */
export async function readArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch((error: Error) => {
    throw 'code' in error ? error : new BadArchive(path, `not a readable zip: ${error.message}`);
  });
  // Only errors of closing come here. A stream reports its own errors.
  zip.on('error', () => {});
  try {
    const entries = await entriesOf(zip, path);
    const manifest = await readManifest(zip, entries);
    matchFiles(entries, manifest.files);
    const content = (file: ArchivedFile) => unpack(zip, entries.get(file.path), file);
    return { manifest, content, lines: (file) => linesOf(file, content(file)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function entriesOf(zip: ZipFile, path: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  let packed = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw new BadArchive(entry.fileName, 'is in the archive twice');
      entries.set(entry.fileName, entry);
      packed += entry.compressedSize;
    }
  } catch (error) {
    throw error instanceof BadArchive ? error : new BadArchive(path, (error as Error).message);
  }
  // A zip bomb lets entries share bytes: a small zip then unpacks to huge files.
  if (packed > zip.fileSize) throw new BadArchive(path, 'the files in the zip overlap');
  return entries;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (!entry) throw new BadArchive(MANIFEST, 'missing: this is not a backup');
  const bytes = entry.uncompressedSize;
  if (bytes > (entries.size + 4) * MANIFEST_BYTES_A_FILE) throw new BadArchive(MANIFEST, 'too large');
  const chunks: Buffer[] = [];
  for await (const chunk of unpack(zip, entry, { path: MANIFEST, bytes })) chunks.push(chunk);
  try {
    return checkManifest(JSON.parse(Buffer.concat(chunks).toString()));
  } catch (error) {
    throw new BadArchive(MANIFEST, (error as Error).message);
  }
}

function matchFiles(entries: ReadonlyMap<string, Entry>, files: readonly ArchivedFile[]): void {
  const listed = new Set([MANIFEST]);
  for (const { path, bytes } of files) {
    if (listed.has(path)) throw new BadArchive(path, 'is in the manifest twice');
    listed.add(path);
    const entry = entries.get(path);
    if (!entry) throw new BadArchive(path, 'missing');
    if (entry.uncompressedSize !== bytes) {
      throw new BadArchive(path, `has ${entry.uncompressedSize} bytes instead of ${bytes}`);
    }
  }
  for (const path of entries.keys())
    if (!listed.has(path)) throw new BadArchive(path, 'is not in the manifest');
}

/** The bytes of an entry. Checks the size, and the digest if `sha256` is given. */
async function* unpack(
  zip: ZipFile,
  entry: Entry | undefined,
  { path, bytes, sha256 }: Pick<ArchivedFile, 'path' | 'bytes'> & { sha256?: string },
): AsyncGenerator<Buffer> {
  if (!entry) throw new BadArchive(path, 'missing');
  const sum = new Sum();
  try {
    const stream = await zip.openReadStreamPromise(entry);
    // The stream may emit a second error after the loop has ended.
    stream.on('error', () => {});
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      sum.add(chunk);
      if (sum.size > bytes) throw new Error('more bytes than announced');
      yield chunk;
    }
  } catch (error) {
    throw new BadArchive(path, `can't be unpacked: ${(error as Error).message}`);
  }
  const found = sum.done();
  if (found.size !== bytes) throw new BadArchive(path, `has ${found.size} bytes instead of ${bytes}`);
  if (sha256 !== undefined && found.sha256 !== sha256) throw new BadArchive(path, 'SHA-256 mismatch');
}

async function* linesOf(file: ArchivedFile, content: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let count = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const split = (end: Buffer) => {
    const whole = Buffer.concat([...begun, end]);
    if (!isUtf8(whole)) throw new BadArchive(file.path, `line ${count + 1} or a later one is not UTF-8`);
    const lines = whole.toString().split('\n');
    count += lines.length;
    return lines;
  };
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end !== -1) {
      yield split(chunk.subarray(0, end));
      begun = [];
      begunBytes = 0;
    }
    begun.push(chunk.subarray(end + 1));
    begunBytes += chunk.length - end - 1;
    if (begunBytes > LARGEST_LINE_BYTES) throw new BadArchive(file.path, `line ${count + 1} is too long`);
  }
  if (begunBytes > 0) throw new BadArchive(file.path, 'the last line is incomplete');
  if (count !== file.rows) throw new BadArchive(file.path, `has ${count} records instead of ${file.rows}`);
}
