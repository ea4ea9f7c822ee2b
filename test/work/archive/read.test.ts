// Reads backups: each kind of damage and each trick is refused in one line that names the file.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { intoFile } from '../../../src/platform/storage/whole-file.ts';
import {
  type ArchivedFile,
  type ArchiveEntry,
  textEntry,
  writeArchive,
} from '../../../src/platform/zip/write.ts';
import { BadArchive, readArchive } from '../../../src/work/archive/read.ts';
import { expect } from '../../support/client/expect.ts';

type Files = readonly ArchivedFile[];

describe('archive reader', () => {
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-verify-'));
    path = join(folder, 'backup.zip');
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('reads the lines of a file, also lines that span chunks', async () => {
    const lines = Array.from({ length: 5_000 }, (_, id) => `{"id":${id},"name":"José 😀"}`);
    await write([records('contact', `${lines.join('\n')}\n`, 5_000)]);

    const archive = await readArchive(path);
    const read: string[] = [];
    for (const file of archive.manifest.files)
      for await (const some of archive.lines(file)) read.push(...some);
    archive.close();

    expect(read).to.deep.equal(lines);
  });

  it('refuses a flipped byte', async () => {
    await write([textEntry('README.txt', 'hello'), records('contact', '{"id":1}\n', 1, 'ä'.repeat(5_000))]);
    const zip = await readFile(path);
    const at = zip.indexOf('data/contact.ndjson') + 30;
    zip[at] = (zip[at] ?? 0) ^ 0x10;
    await writeFile(path, zip);

    await expectRefusal(/^data\/contact\.ndjson: /);
  });

  it('refuses a SHA-256 mismatch in a valid zip', async () => {
    await write([textEntry('README.txt', 'hello')], (files) =>
      files.map((file) => ({ ...file, sha256: 'f'.repeat(64) })),
    );

    await expectRefusal('README.txt: SHA-256 mismatch');
  });

  it('refuses a file that is missing, not in the manifest, or there twice', async () => {
    const two = [textEntry('README.txt', 'a'), textEntry('b.txt', 'b')];

    await write(two, (files) => [...files, { path: 'c.txt', bytes: 1, sha256: 'f'.repeat(64) }]);
    await expectRefusal('c.txt: missing');
    await write(two, (files) => files.slice(1));
    await expectRefusal('README.txt: is not in the manifest');
    await write(two, (files) => [...files, ...files]);
    await expectRefusal('README.txt: is in the manifest twice');
    await write([...two, ...two]);
    await expectRefusal('README.txt: is in the archive twice');
  });

  it('refuses wrong sizes and wrong numbers of records', async () => {
    const contacts = records('contact', '{"id":1}\n{"id":2}\n');

    await write([contacts], (files) => files.map((file) => ({ ...file, bytes: 3 })));
    await expectRefusal('data/contact.ndjson: has 18 bytes instead of 3');
    await write([contacts], (files) => files.map((file) => ({ ...file, rows: 3 })));
    await expectRefusal('data/contact.ndjson: has 2 records instead of 3');
  });

  it('reads no more of a file than the size in the manifest', async () => {
    await write([textEntry('README.txt', ' '.repeat(2 ** 20))], (files) =>
      files.map((file) => ({ ...file, bytes: 16 })),
    );
    await patch(sizeOf(2 ** 20), sizeOf(16));

    await expectRefusal(/^README\.txt: can't be unpacked: .*(too many|more) bytes/);
  });

  it('refuses lines that are cut off or not UTF-8', async () => {
    await write([records('contact', '{"id":1}', 1)]);
    await expectRefusal('data/contact.ndjson: the last line is incomplete');
    await write([
      {
        ...records('contact', '', 1),
        content: async function* () {
          yield Buffer.from('{"a":"\xff"}\n', 'latin1');
        },
      },
    ]);
    await expectRefusal(/^data\/contact\.ndjson: .*not UTF-8/);
  });

  it('refuses file names that lead out of the archive', async () => {
    for (const name of ['../evil.txt', '/ab/evil.txt', 'a\\\\evil.txt', 'C:/evil.txt']) {
      await write([textEntry(`${'x'.repeat(name.length - 8)}evil.txt`, 'a')]);
      await patch(Buffer.from(`${'x'.repeat(name.length - 8)}evil.txt`), Buffer.from(name));
      await expectRefusal(/backup\.zip: /);
    }
  });

  it('refuses files that share their bytes', async () => {
    await write([textEntry('a.txt', CHAPTER), textEntry('b.txt', CHAPTER)]);
    const zip = await readFile(path);
    const second = zip.lastIndexOf('b.txt') - 46;
    zip.writeUInt32LE(2 ** 30, second + 20);
    await writeFile(path, zip);

    await expectRefusal(/backup\.zip: the files in the zip overlap$/);
  });

  it('refuses a manifest in another form', async () => {
    await writeArchive(intoFile(path), [textEntry('a.txt', 'a')]);
    await expectRefusal('manifest.json: missing: this is not a backup');
    await writeArchive(intoFile(path), [
      textEntry('manifest.json', '{"format":"forecourt-backup","version":2}'),
    ]);
    await expectRefusal('manifest.json: version 2 is unknown here');
    await writeArchive(intoFile(path), [textEntry('manifest.json', 'null')]);
    await expectRefusal('manifest.json: its format is not forecourt-backup');
    await writeArchive(intoFile(path), [textEntry('manifest.json', 'x'.repeat(2 ** 16))]);
    await expectRefusal('manifest.json: too large');
    await write([textEntry('documents/abc', 'a')]);
    await expectRefusal('manifest.json: a part of it is missing or malformed');
  });

  it('refuses a file that is not a zip, and half a zip', async () => {
    await write([textEntry('a.txt', CHAPTER)]);
    const zip = await readFile(path);
    await writeFile(path, zip.subarray(0, zip.length / 2));

    await expectRefusal(/backup\.zip: not a readable zip: /);
  });

  async function write(
    entries: ArchiveEntry[],
    change: (files: Files) => Files = (files) => files,
  ): Promise<void> {
    const head = { format: 'forecourt-backup', version: 1, service_version: '1.2.3' };
    const manifest = (files: Files) => ({
      ...head,
      owner: { id: 7, name: 'Garage' },
      snapshot_at: '2026-05-01T10:30:00.000Z',
      files: change(files),
    });
    await writeArchive(intoFile(path), entries, { manifest });
  }

  /** Replaces bytes of the archive wherever they stand. */
  async function patch(from: Buffer, to: Buffer): Promise<void> {
    const zip = await readFile(path);
    for (let at = zip.indexOf(from); at !== -1; at = zip.indexOf(from, at + 1)) to.copy(zip, at);
    await writeFile(path, zip);
  }

  async function readAll(): Promise<void> {
    const archive = await readArchive(path);
    try {
      for (const file of archive.manifest.files) {
        const parts = file.resource === undefined ? archive.content(file) : archive.lines(file);
        for await (const _ of parts);
      }
    } finally {
      archive.close();
    }
  }

  async function expectRefusal(message: string | RegExp): Promise<void> {
    const error = await readAll().catch((reason) => reason);
    expect(error).to.be.instanceOf(BadArchive);
    if (message instanceof RegExp) expect(error.message).to.match(message);
    else expect(error.message).to.equal(message);
    expect(error.message).not.to.include('\n');
  }
});

const CHAPTER = 'It was a dark and stormy night. '.repeat(100);

function records(resource: string, lines: string, rows = 2, more = ''): ArchiveEntry {
  const text = more === '' ? lines : `${JSON.stringify({ more })}\n`;
  return { ...textEntry(`data/${resource}.ndjson`, text), resource, rows: () => rows };
}

function sizeOf(bytes: number): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes);
  return size;
}
