// The operations of every store, in a folder of the local disk and in a bucket.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { probe } from '../../../src/platform/storage/probe.ts';
import type { ByteRange, Store } from '../../../src/platform/storage/store.ts';
import { expect } from '../../support/client/expect.ts';
import { type OpenedStorage, openTestStorage } from '../../support/process/storages.ts';
import { until } from '../../support/service/until.ts';

const MEBIBYTE = 2 ** 20;
/** More than one part of an upload. */
const LONG = randomBytes(20 * MEBIBYTE);

for (const kind of ['folder', 'bucket'] as const)
  describe(`a store in a ${kind}`, () => {
    let opened: OpenedStorage;
    let store: Store;
    beforeEach(async () => {
      opened = await openTestStorage(kind);
      store = opened.storage.archives;
    });
    afterEach(() => opened.close());

    const names = async () => {
      const found: string[] = [];
      for await (const { name } of store.list()) found.push(name);
      return found.sort();
    };
    const leftOvers = async () => {
      const found: string[] = [];
      for await (const { name } of store.leftOvers()) found.push(name);
      return found;
    };
    const read = async (name: string, range?: ByteRange) => {
      const content = await store.read(name, range);
      return content && buffer(content);
    };

    it('keeps bytes and streams under their names', async () => {
      await store.write('bytes', Buffer.from('bytes'));
      await store.write('stream', piecesOf(LONG));

      expect((await read('bytes'))?.toString()).to.equal('bytes');
      expect((await read('stream'))?.equals(LONG)).to.equal(true);
      expect(await names()).to.deep.equal(['bytes', 'stream']);
      expect((await store.find('stream'))?.size).to.equal(LONG.length);
      expect(await leftOvers()).to.deep.equal([]);
    });

    it('keeps content of no bytes, and of the size of a part', async () => {
      await store.write('empty', Buffer.alloc(0));
      await store.write('nothing', piecesOf(Buffer.alloc(0)));
      await store.write('part', piecesOf(LONG.subarray(0, 8 * MEBIBYTE)));

      expect([await read('empty'), await read('nothing')].map((bytes) => bytes?.length)).to.deep.equal([
        0, 0,
      ]);
      expect((await read('part'))?.equals(LONG.subarray(0, 8 * MEBIBYTE))).to.equal(true);
    });

    it('reads a range, both ends included', async () => {
      await store.write('stream', piecesOf(LONG));

      const part = await read('stream', { start: 9_000_000, end: 17_999_999 });

      expect(part?.equals(LONG.subarray(9_000_000, 18_000_000))).to.equal(true);
    });

    it('answers others while many read slowly', async () => {
      await store.write('stream', piecesOf(LONG));
      // Nobody reads on: each keeps what it has opened.
      const slow = await Promise.all(Array.from({ length: 60 }, () => store.read('stream')));

      expect((await store.find('stream'))?.size).to.equal(LONG.length);
      for (const content of slow) content?.destroy();
    });

    it('replaces what has the name', async () => {
      await store.write('name', Buffer.from('first'));
      await store.write('name', Buffer.from('second, and longer'));

      expect((await read('name'))?.toString()).to.equal('second, and longer');
    });

    it('finds, reads and removes nothing where nothing has the name', async () => {
      expect(await store.find('missing')).to.equal(undefined);
      expect(await store.read('missing')).to.equal(undefined);
      await store.remove('missing');
      await store.discard('missing');
      expect(await names()).to.deep.equal([]);
    });

    for (const length of [MEBIBYTE, LONG.length])
      it(`leaves nothing of ${length} bytes whose source fails`, async () => {
        async function* broken() {
          yield* piecesOf(LONG.subarray(0, length));
          throw new Error('the source broke');
        }

        const error = await store.write('broken', broken()).catch((reason: Error) => reason);

        expect(error).to.have.property('message', 'the source broke');
        expect([await names(), await leftOvers()]).to.deep.equal([[], []]);
      });

    it('writes a text once, whoever is first', async () => {
      const made = await Promise.all(['a', 'b', 'c', 'd'].map((text) => store.writeOnce('once', text)));
      const later = await store.writeOnce('once', 'e');

      const winner = ['a', 'b', 'c', 'd'][made.indexOf(true)];
      expect(made.filter(Boolean)).to.have.length(1);
      expect(later).to.equal(false);
      expect((await read('once'))?.toString()).to.equal(winner);
      expect(await leftOvers()).to.deep.equal([]);
    });

    it('removes what a killed writer left, with the content', async () => {
      await store.write('a.zip', Buffer.from('whole'));
      for (const name of ['a.zip', 'a.zip.more']) await halfOf(name);
      const before = await leftOvers();

      await store.discard('a.zip');

      expect(before).to.have.members(['a.zip', 'a.zip.more']);
      expect(await names()).to.deep.equal([]);
      expect(await leftOvers()).to.deep.equal(['a.zip.more']);
    });

    it('ends the reading when the reader leaves', async () => {
      await store.write('stream', piecesOf(LONG));
      const content = await store.read('stream');

      for await (const _ of content ?? []) break;

      expect(content?.destroyed).to.equal(true);
      if (opened.s3) await until(async () => opened.s3?.leftReaders === 1);
    });

    it('passes the probe of the doctor, and is empty after it', async () => {
      await probe(store);

      expect(await names()).to.deep.equal([]);
    });

    /** Leaves the remains of a killed writer. */
    async function halfOf(name: string): Promise<void> {
      const { s3, folder } = opened;
      if (!s3) return writeFile(join(folder, 'archives', `${name}.00000000-1-1.0123456789ab.part`), 'half');
      const id = await s3.objects.begin(`garage/one/archives/${name}`);
      await s3.objects.putPart(id, '1', Readable.from([Buffer.from('half')]));
    }
  });

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
