// Writing a zip, and above all its failures: each rejects, leaves no file and no error that nobody hears.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { type ArchiveEntry, textEntry, writeArchive } from '../../src/archive/write.ts';
import { expect } from '../support/expect.ts';

/** Of an entry, before its name. */
const HEAD_BYTES = 30;
const CHUNK = Buffer.alloc(2 ** 16, 'all work and no play ');

describe('archive writer', () => {
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-zip-'));
    path = join(folder, 'archive.part');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('answers what it wrote: size and digest of the zip, bytes and digest of each file', async () => {
    const { size, sha256, files } = await writeArchive(path, [
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

  it('makes its manifest of all files before it', async () => {
    const manifest = (files: readonly { path: string }[]) => ({ paths: files.map(({ path }) => path) });

    await writeArchive(path, [textEntry('a', 'a'), textEntry('b', 'b')], { manifest });

    const zip = await readFile(path);
    expect(zip.lastIndexOf('manifest.json')).to.be.greaterThan(zip.lastIndexOf('PK\u0001\u0002'));
  });

  it('puts large and small pieces together in their order, whether or not another thread deflates them', async () => {
    const pieces = [1, 300_000, 0, 70_000, 5, 2 ** 20].map((length, index) =>
      Buffer.alloc(length, `${index}. `),
    );
    const content = Buffer.concat(pieces);

    const { files } = await writeArchive(path, [
      entryOf(async function* () {
        yield* pieces;
      }),
    ]);

    const zip = await readFile(path);
    expect(inflateRawSync(zip.subarray(HEAD_BYTES + 'entry'.length)).equals(content)).to.equal(true);
    expect(files[0]).to.include({ bytes: content.length, sha256: digest(content) });
  });

  it('rejects where deflating fails, here or on another thread', async () => {
    for (const length of [1, 2 ** 17]) {
      const entry = entryOf(async function* () {
        yield Buffer.alloc(length);
      });
      const error = await writeArchive(path, [entry], { level: 99 }).catch((reason) => reason);
      expect(error).to.be.instanceOf(RangeError);
      expect(existsSync(path)).to.equal(false);
    }
  });

  it('opens an entry only when the one before it has been read', async () => {
    const seen: string[] = [];
    const entry = (name: string): ArchiveEntry => ({
      path: name,
      content: async function* () {
        seen.push(`${name} begins`);
        yield CHUNK;
        seen.push(`${name} ends`);
      },
    });

    await writeArchive(path, [entry('a'), entry('b')]);

    expect(seen).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('rejects with the error of an entry', async () => {
    const broken = entryOf(async function* () {
      yield CHUNK;
      throw new Error('the source broke');
    });

    await expectFailure(path, [textEntry('a', 'a'), broken, textEntry('b', 'b')], 'the source broke');
  });

  it('rejects with the error of the sequence of entries', async () => {
    async function* entries() {
      yield textEntry('a', 'a');
      throw new Error('no more of them');
    }

    await expectFailure(path, entries(), 'no more of them');
  });

  it('rejects where the disk is full', async () => {
    const full = join(folder, 'full.part');
    await symlink('/dev/full', full);
    const endless = entryOf(async function* () {
      for (;;) yield CHUNK;
    });

    await expectFailure(full, [endless], /ENOSPC/);
  });

  it('rejects where an entry has not the digest that was promised', async () => {
    const sha256 = digest('abc');

    await expectFailure(path, [{ ...textEntry('a', 'abd'), sha256 }], /is damaged/);
  });

  it('rejects when it is aborted, also while an entry keeps it waiting', async () => {
    const abort = new AbortController();
    const waiting = entryOf(async function* () {
      yield CHUNK;
      abort.abort(new Error('enough'));
      await new Promise(() => {});
    });

    await expectFailure(path, [waiting], 'enough', abort.signal);
  });

  it('writes nothing where it is aborted beforehand', async () => {
    await expectFailure(path, [textEntry('a', 'a')], 'before', AbortSignal.abort(new Error('before')));
  });

  async function expectFailure(
    file: string,
    entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
    message: string | RegExp,
    signal?: AbortSignal,
  ): Promise<void> {
    await rm(path, { force: true });
    const error = await writeArchive(file, entries, { signal }).catch((reason) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(error.message).to.match(message instanceof RegExp ? message : new RegExp(`^${message}$`));
    expect(existsSync(file)).to.equal(false);
  }
});

const entryOf = (content: ArchiveEntry['content']): ArchiveEntry => ({ path: 'entry', content });

const digest = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
