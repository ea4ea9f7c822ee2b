// Writes zips. Each failure rejects, leaves no file, and leaves no unhandled error.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { intoFile } from '../../../src/platform/storage/whole-file.ts';
import { Gather } from '../../../src/platform/zip/gather.ts';
import {
  type ArchiveEntry,
  type Save,
  textEntry,
  type WriteOptions,
  writeArchive,
} from '../../../src/platform/zip/write.ts';
import { expect } from '../../support/client/expect.ts';
import { intoFullDisk } from '../../support/process/full-disk.ts';

const run = promisify(execFile);

const CHUNK = Buffer.alloc(2 ** 16, 'all work and no play ');

describe('archive writer', () => {
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-zip-'));
    path = join(folder, 'archive.zip');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('returns size and SHA-256 of the zip and of each file', async () => {
    const { size, sha256, files } = await writeArchive(intoFile(path), [
      textEntry('a.txt', 'abc'),
      textEntry('b/c', ''),
    ]);

    const zip = await readFile(path);
    expect([size, sha256]).to.deep.equal([zip.length, digest(zip)]);
    expect(files.map(({ path, bytes, sha256 }) => [path, bytes, sha256])).to.deep.equal([
      ['a.txt', 3, digest('abc')],
      ['b/c', 0, digest('')],
    ]);
    expect(zip.includes('manifest.json')).to.equal(false);
  });

  it('lists all earlier files in the manifest', async () => {
    const manifest = (files: readonly { path: string }[]) => ({ paths: files.map(({ path }) => path) });

    await writeArchive(intoFile(path), [textEntry('a', 'a'), textEntry('b', 'b')], { manifest });

    const zip = await readFile(path);
    expect(zip.lastIndexOf('manifest.json')).to.be.greaterThan(zip.lastIndexOf('PK\u0001\u0002'));
  });

  for (const lengths of [[1, 300_000, 0, 70_000, 5, 2 ** 20], [2 ** 17], [5], []])
    it(`keeps the chunks of a file in their order: ${lengths.join(', ') || 'none'}`, async () => {
      const chunks = lengths.map((length, index) => Buffer.alloc(length, `${index}. `));
      const content = Buffer.concat(chunks);
      const entry = entryOf(async function* () {
        yield* chunks;
      });

      const { files } = await writeArchive(intoFile(path), [entry, textEntry('after', 'end')]);

      expect(files[0]).to.include({ bytes: content.length, sha256: digest(content) });
      // unzip checks sizes and checksums too.
      const { stdout } = await run('unzip', ['-p', path], { encoding: 'buffer', maxBuffer: 2 ** 24 });
      expect(stdout.equals(Buffer.concat([content, Buffer.from('end')]))).to.equal(true);
    });

  it('compresses more at a higher level', async () => {
    const entry = entryOf(async function* () {
      for (let number = 0; number < 20_000; number += 1) yield Buffer.from(`${number * 7919}, `);
    });

    const [fast, small] = [
      await writeArchive(intoFile(path), [entry], { level: 1 }),
      await writeArchive(intoFile(path), [entry], { level: 9 }),
    ];

    expect(small.size).to.be.lessThan(fast.size);
  });

  it('joins small pieces that come at once, so that memory stays flat', async () => {
    const pieces = Array.from({ length: 100_000 }, (_, index) => Buffer.from([index % 251]));
    const gather = new Gather();

    for (const piece of pieces) gather.write(piece);
    const waiting = gather.writableLength;
    gather.end();
    const chunks: Buffer[] = [];
    for await (const chunk of gather) chunks.push(chunk);

    expect(waiting).to.equal(0);
    expect(chunks.map(({ length }) => length)).to.deep.equal([2 ** 16, 100_000 - 2 ** 16]);
    expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).to.equal(true);
  });

  it('opens an entry after the one before was read', async () => {
    const seen: string[] = [];
    const entry = (name: string): ArchiveEntry => ({
      path: name,
      content: async function* () {
        seen.push(`${name} begins`);
        yield CHUNK;
        seen.push(`${name} ends`);
      },
    });

    await writeArchive(intoFile(path), [entry('a'), entry('b')]);

    expect(seen).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('rejects with the error of an entry', async () => {
    const broken = entryOf(async function* () {
      yield CHUNK;
      throw new Error('the source broke');
    });

    await expectFailure(
      intoFile(path),
      [textEntry('a', 'a'), broken, textEntry('b', 'b')],
      'the source broke',
    );
  });

  it('rejects with the error of the sequence of entries', async () => {
    async function* entries() {
      yield textEntry('a', 'a');
      throw new Error('no more of them');
    }

    await expectFailure(intoFile(path), entries(), 'no more of them');
  });

  it('rejects if the disk is full', async () => {
    await expectFailure(intoFullDisk, [entryOf(endless())], /ENOSPC/);
  });

  it('rejects an entry with another SHA-256 than promised', async () => {
    const sha256 = digest('abc');

    await expectFailure(intoFile(path), [{ ...textEntry('a', 'abd'), sha256 }], /is damaged/);
  });

  it('rejects when it is aborted, also while it waits for an entry', async () => {
    const abort = new AbortController();
    const waiting = entryOf(async function* () {
      yield CHUNK;
      abort.abort(new Error('enough'));
      await new Promise(() => {});
    });

    await expectFailure(intoFile(path), [waiting], 'enough', { signal: abort.signal });
  });

  it('writes nothing if it was aborted before', async () => {
    const signal = AbortSignal.abort(new Error('before'));

    await expectFailure(intoFile(path), [textEntry('a', 'a')], 'before', { signal });
  });

  async function expectFailure(
    save: Save,
    entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
    message: string | RegExp,
    options: WriteOptions = {},
  ): Promise<void> {
    await rm(path, { force: true });
    const error = await writeArchive(save, entries, options).catch((reason) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(error.message).to.match(message instanceof RegExp ? message : new RegExp(`^${message}$`));
    expect(await readdir(folder)).to.deep.equal([]);
  }
});

const LONG = Buffer.alloc(2 ** 18, 'all work and no play ');

/** So many pieces of 256 KiB. */
const endless = (pieces = Number.POSITIVE_INFINITY) =>
  async function* () {
    for (let count = 0; count < pieces; count += 1) yield LONG;
  };

const entryOf = (content: ArchiveEntry['content']): ArchiveEntry => ({ path: 'entry', content });

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
