// Writing a zip, and above all its failures: each rejects, leaves no file and no error that nobody hears.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findIgzip } from '../../src/archive/igzip.ts';
import { type ArchiveEntry, textEntry, type WriteOptions, writeArchive } from '../../src/archive/write.ts';
import { expect } from '../support/expect.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

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

  describe('puts large and small pieces together in their order', () => {
    // gzip takes and gives what igzip does, and is everywhere.
    for (const igzip of new Set(['', '/bin/gzip', findIgzip() ?? '']))
      for (const lengths of [
        [1, 300_000, 0, 70_000, 5, 2 ** 20],
        [300_000, 1, 0, 70_000, 2 ** 22],
        [2 ** 17],
        [5],
        [],
      ])
        it(`of ${lengths.join(', ') || 'none'}, deflated ${igzip === '' ? 'here' : `by ${igzip}`}`, async () => {
          const pieces = lengths.map((length, index) => Buffer.alloc(length, `${index}. `));
          const content = Buffer.concat(pieces);
          const back = new Set<Uint8Array>();
          const entry: ArchiveEntry = {
            ...entryOf(async function* () {
              yield* pieces;
            }),
            mayBeLong: true,
            giveBack: (piece) => back.add(piece),
          };

          const { files } = await writeArchive(path, [entry, textEntry('after', 'it')], { igzip });

          expect(files[0]).to.include({ bytes: content.length, sha256: digest(content) });
          // It checks sizes and checksums too.
          const { stdout } = await run('unzip', ['-p', path], { encoding: 'buffer', maxBuffer: 2 ** 24 });
          expect(stdout.equals(Buffer.concat([content, Buffer.from('it')]))).to.equal(true);
          await until(async () => pieces.every((piece) => piece.length === 0 || back.has(piece)));
        });
  });

  it('rejects where the program that deflates is none, fails, or writes something else', async () => {
    for (const [igzip, message] of [
      ['/no/such/program', /ENOENT/],
      ['/bin/false', /\/bin\/false ended by 1/],
      ['/bin/true', /has not deflated all/],
      ['/bin/echo', /has not deflated all/],
    ] as const) {
      const long: ArchiveEntry = { ...entryOf(endless(2 ** 5)), mayBeLong: true };
      await expectFailure(path, [long], message, { igzip });
    }
  });

  it('leaves no program running where it is aborted, or the disk is full', async () => {
    const programs = async () => readFile(`/proc/self/task/${process.pid}/children`, 'utf8');
    const before = await programs();
    const abort = new AbortController();
    const igzip = '/bin/gzip';
    const aborted: ArchiveEntry = {
      ...entryOf(async function* () {
        yield LONG;
        expect(await programs()).not.to.equal(before);
        abort.abort(new Error('enough'));
        yield* endless()();
      }),
      mayBeLong: true,
    };
    await expectFailure(path, [aborted], 'enough', { igzip, signal: abort.signal });
    const full = join(folder, 'full-by-gzip.part');
    await symlink('/dev/full', full);
    await expectFailure(full, [{ ...entryOf(endless()), mayBeLong: true }], /ENOSPC/, { igzip });

    await until(async () => (await programs()) === before);
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
    await expectFailure(full, [entryOf(endless())], /ENOSPC/);
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

    await expectFailure(path, [waiting], 'enough', { signal: abort.signal });
  });

  it('writes nothing where it is aborted beforehand', async () => {
    const signal = AbortSignal.abort(new Error('before'));

    await expectFailure(path, [textEntry('a', 'a')], 'before', { signal });
  });

  async function expectFailure(
    file: string,
    entries: Iterable<ArchiveEntry> | AsyncIterable<ArchiveEntry>,
    message: string | RegExp,
    options: WriteOptions = {},
  ): Promise<void> {
    await rm(path, { force: true });
    const error = await writeArchive(file, entries, options).catch((reason) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(error.message).to.match(message instanceof RegExp ? message : new RegExp(`^${message}$`));
    expect(existsSync(file)).to.equal(false);
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
