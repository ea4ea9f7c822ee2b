// The generated signing secret under STORAGE_DIR, the test of the storage, and a disk that gets full.
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { openFolder } from '../../../src/platform/storage/folder.ts';
import { openStorage, type Storage } from '../../../src/platform/storage/open.ts';
import { signingSecret } from '../../../src/platform/storage/secret.ts';
import { mountSmallDisk } from '../../support/process/full-disk.ts';
import { testConfig } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

// In rounds, and a few turns of the event loop apart: only some of them meet in the wrong moment.
const ROUNDS = 20;
const STARTS = Array.from({ length: 16 }, (_, turns) => turns);

describe('the generated signing secret', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the same for processes that start together', async () => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const storage = await openStorage(testConfig(join(folder, String(round))));

      const secrets = await Promise.all(STARTS.map((turns) => startAfter(turns, storage)));

      expect(new Set(secrets)).to.have.property('size', 1);
      expect(secrets[0]).to.match(/^[0-9a-f]{64}$/);
      const made = (await readdir(storage.directory)).filter((name) => name.startsWith('signing'));
      expect(made).to.deep.equal(['signing-secret']);
    }
  });

  it('is refused if its file is empty', async () => {
    const storage = await openStorage(testConfig(folder));

    for (const text of ['', '\n']) {
      await writeFile(join(folder, 'signing-secret'), text);
      const error = await signingSecret(storage, '').catch((caught: Error) => caught);

      expect(error)
        .to.have.property('message')
        .match(/^signing-secret in \S+ is empty: put it back from a copy/);
    }
    expect(await signingSecret(storage, 'a configured secret')).to.equal('a configured secret');
  });
});

describe('the test of the storage', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('writes once a second, however many ask', async () => {
    const storage = await openStorage(testConfig(folder));
    const written = async () => (await stat(join(folder, '.writable'))).mtimeMs;
    const first = await written();
    const began = performance.now();

    await Promise.all(Array.from({ length: 200 }, () => storage.check()));
    const after = await written();
    const second = await until(async () => {
      await storage.check();
      const now = await written();
      return now !== first && now;
    });

    if (performance.now() - began < 1_000) expect(after).to.equal(first);
    // The second begins before the file is written.
    expect(second - first).to.be.at.least(900);
  });

  it('sees within a second that the storage is gone', async () => {
    const storage = await openStorage(testConfig(join(folder, 'gone')));
    await rm(storage.directory, { recursive: true });

    const error = await until(
      () =>
        storage.check().then(
          () => undefined,
          (caught: Error) => caught,
        ),
      5_000,
    );

    expect(error).to.have.property('code', 'ENOENT');
  });
});

describe('a disk that gets full', () => {
  const DISK_MB = 100;
  const MEBIBYTE = Buffer.alloc(2 ** 20);
  let folder: string;
  let unmount: (() => void) | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-storage-'));
  });
  afterEach(async () => {
    unmount?.();
    await rm(folder, { recursive: true });
  });

  async function* endless() {
    for (;;) yield MEBIBYTE;
  }

  it('keeps a twentieth free of files', async function () {
    unmount = await mountSmallDisk(folder, DISK_MB);
    if (!unmount) return this.skip();
    const store = openFolder(folder);
    const write = (content: Buffer | AsyncIterable<Buffer>) =>
      store.write('name', content).catch((caught: Error) => caught);

    const whileItGrows = await write(endless());
    const left = await readdir(folder);
    await writeFile(join(folder, 'other'), Buffer.alloc(0.96 * DISK_MB * 2 ** 20));
    const before = await write(MEBIBYTE);

    for (const error of [whileItGrows, before])
      expect(error)
        .to.have.property('message')
        .that.equals(`The disk of ${folder} has no more space for files`);
    expect([left, await readdir(folder)]).to.deep.equal([[], ['other']]);
  });
});

async function startAfter(turns: number, storage: Storage): Promise<string> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  return signingSecret(storage, '');
}
