// Downloads by signed address as download tools make them: ranges, conditions, refusals.

import { createHash, randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { LISTS } from '../../src/core/trade/lists.ts';
import { type Service, startService } from '../../src/service.ts';
import { signLink } from '../../src/work/jobs/link.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute } from '../support/database/sql.ts';
import { type OpenedStorage, openTestStorage } from '../support/process/storages.ts';
import { makeArchive } from '../support/service/job.ts';
import { database, testConfig, theService } from '../support/service/service.ts';

for (const kind of ['folder', 'bucket'] as const)
  describe(`the download of an archive in a ${kind}`, () => {
    // More than a connection holds, so that a cut falls into the middle.
    const bytes = Buffer.from(Array.from({ length: 6_000_000 }, (_, index) => (index * 31) % 251));
    const etag = `"${createHash('sha256').update(bytes).digest('hex')}"`;
    let client: Client;
    let url: string;
    let name: string;
    let opened: OpenedStorage;
    let service: Service;
    before(async () => {
      client = await newClient();
      opened = await openTestStorage(kind);
      // A second service on the same database, with a storage of its own.
      const config = testConfig(opened.folder, { ...opened.env, JOB_THREADS: '0' });
      service = await startService({ ...theService().base, config, storage: opened.storage });
      name = (await makeArchive(client, bytes, opened.storage)).name;
      url = signed(name);
    });
    after(async () => {
      await service.stop();
      await opened.close();
    });

    const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(url, { method, headers });
    const signed = (file: string) => {
      const { services } = service;
      return signLink(services.signingSecret, services.publicUrl, file).url;
    };

    it('is the whole file, with headers that describe it', async () => {
      const answer = await get();

      expect(answer.status).to.equal(200);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
      expect(Object.fromEntries(answer.headers)).to.include({
        etag,
        'content-length': String(bytes.length),
        'content-type': 'application/zip',
        'content-disposition': `attachment; filename="${name}"`,
        'repr-digest': `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
        'accept-ranges': 'bytes',
      });
    });

    it('has the same headers and no body for HEAD', async () => {
      const [whole, head] = [await get(), await get({}, 'HEAD')];
      await whole.body?.cancel();

      expect(head.status).to.equal(200);
      expect((await head.arrayBuffer()).byteLength).to.equal(0);
      for (const header of ['etag', 'content-length', 'content-type', 'content-disposition', 'repr-digest'])
        expect(head.headers.get(header), header).to.equal(whole.headers.get(header));
    });

    for (const [range, from, to] of [
      ['bytes=0-0', 0, 0],
      ['bytes=100-199', 100, 199],
      ['bytes=5999990-', 5_999_990, 5_999_999],
      ['bytes=-5', 5_999_995, 5_999_999],
      ['bytes=-99999999', 0, 5_999_999],
      ['bytes=5999990-99999999', 5_999_990, 5_999_999],
    ] as const) {
      it(`answers the range ${range}`, async () => {
        const answer = await get({ range });

        expect(answer.status).to.equal(206);
        expect(answer.headers.get('content-range')).to.equal(`bytes ${from}-${to}/${bytes.length}`);
        expect(Buffer.from(await answer.arrayBuffer())).to.deep.equal(bytes.subarray(from, to + 1));
      });
    }

    it('has the same bytes if it is cut off and resumed', async () => {
      const first = await cutAfter(1_000_000);

      const rest = await get({ range: `bytes=${first.length}-`, 'if-range': etag });

      expect(first.length).to.be.within(1_000_000, bytes.length - 1);
      expect(rest.status).to.equal(206);
      expect(Buffer.concat([first, Buffer.from(await rest.arrayBuffer())]).equals(bytes)).to.equal(true);
    });

    it('is the whole file for several ranges and for a malformed range', async () => {
      for (const range of ['bytes=0-1,10-11', 'bytes=x', 'lines=1-2']) {
        const answer = await get({ range });

        expect([answer.status, (await answer.arrayBuffer()).byteLength], range).to.deep.equal([
          200,
          bytes.length,
        ]);
      }
    });

    it('has a range without a body for HEAD', async () => {
      const head = await get({ range: 'bytes=100-199' }, 'HEAD');

      expect(head.status).to.equal(206);
      expect(head.headers.get('content-length')).to.equal('100');
      expect(head.headers.get('content-range')).to.equal(`bytes 100-199/${bytes.length}`);
    });

    it('answers by its date where the client has no ETag', async () => {
      const at = (await get({}, 'HEAD')).headers.get('last-modified') ?? '';
      const longAgo = 'Thu, 01 Jan 2015 00:00:00 GMT';

      const statuses = [
        await get({ 'if-modified-since': at }, 'HEAD'),
        await get({ 'if-modified-since': longAgo }, 'HEAD'),
        await get({ 'if-unmodified-since': at }, 'HEAD'),
        await get({ 'if-unmodified-since': longAgo }, 'HEAD'),
        await get({ 'if-range': at, range: 'bytes=0-9' }, 'HEAD'),
        await get({ 'if-range': longAgo, range: 'bytes=0-9' }, 'HEAD'),
      ].map(({ status }) => status);

      expect(statuses).to.deep.equal([304, 200, 200, 412, 206, 200]);
    });

    it('starts again if If-Range names another file', async () => {
      const answer = await get({ range: 'bytes=100-', 'if-range': '"another"' });

      expect(answer.status).to.equal(200);
      expect((await answer.arrayBuffer()).byteLength).to.equal(bytes.length);
    });

    it('answers 304 if the client has the file', async () => {
      const answer = await get({ 'if-none-match': etag });

      expect(answer.status).to.equal(304);
      expect(answer.headers.get('etag')).to.equal(etag);
      expect((await answer.arrayBuffer()).byteLength).to.equal(0);
    });

    it('is refused if If-Match names another file, without details of this one', async () => {
      const answer = await send('GET', url, { headers: { 'if-match': '"another"' } });

      expect(answer).to.be.refused(412, 'Record was changed by another request');
      expect(answer.headers.get('content-disposition')).to.equal(null);
    });

    it('is refused beyond its end, and names the size', async () => {
      const answer = await send('GET', url, { headers: { range: `bytes=${bytes.length}-` } });

      expect(answer).to.be.refused(416, 'Range can not be satisfied');
      expect(answer.headers.get('content-range')).to.equal(`bytes */${bytes.length}`);
      expect(answer.headers.get('content-disposition')).to.equal(null);
    });

    for (const [what, change] of Object.entries<(address: URL) => unknown>({
      'another end': ({ searchParams }) => searchParams.set('expires', '99999999999'),
      'another signature': ({ searchParams }) => searchParams.set('signature', 'A'.repeat(43)),
      'no signature': ({ searchParams }) => searchParams.delete('signature'),
      'no end': ({ searchParams }) => searchParams.delete('expires'),
      'a second end': ({ searchParams }) => searchParams.append('expires', '99999999999'),
      'one more parameter': ({ searchParams }) => searchParams.set('name', 'x'),
      'another file': (address) => {
        address.pathname = address.pathname.replace(/[0-9a-f](-\d+\.zip)$/, 'x$1');
      },
    })) {
      it(`is refused for an address with ${what}`, async () => {
        const address = new URL(url);
        change(address);

        expect(await send('GET', address.href)).to.be.refused(403, 'Not authorized');
      });
    }

    it('is refused for an expired address', async () => {
      const { now } = Date;
      Date.now = () => now() - 24 * 3600 * 1000 - 1000;
      const over = signed(name);
      Date.now = now;

      expect(await send('GET', over)).to.be.refused(403, 'Not authorized');
    });

    it('gives only archives of jobs that are done, also with a valid signature', async () => {
      const { archives, directory } = opened.storage;
      const job = randomUUID();
      const files = [`${job}.1.part`, `owner-backup-${job}-1.zip`];
      for (const file of files) await archives.write(file, Buffer.from('of no job'));

      for (const file of [...files, '../signing-secret', `${directory}/signing-secret`]) {
        const { status } = await send('GET', signed(file).replace(file, encodeURIComponent(file)));
        expect(status, file).to.equal(404);
      }
      for (const file of files) await archives.remove(file);
    });

    it('says that the file is gone', async () => {
      await opened.storage.archives.remove(name);

      const answer = await send('GET', url);
      await opened.storage.archives.write(name, bytes);

      expect(answer).to.be.refused(404, `Field: [name] value: [${name}] not found`);
      expect(answer.headers.get('content-type')).to.equal('application/json');
      for (const header of ['etag', 'repr-digest', 'content-disposition'])
        expect(answer.headers.get(header), header).to.equal(null);
    });

    it('ends with the archive', async () => {
      await execute(database(), 'UPDATE jobs SET status = ? WHERE file_name = ?', [
        LISTS.jobstatuses.EXPIRED,
        name,
      ]);

      expect(await send('GET', url)).to.be.refused(404, `Field: [name] value: [${name}] not found`);
    });

    /** The part of the file that arrives if the connection is cut after `count` bytes. */
    const cutAfter = (count: number) =>
      new Promise<Buffer>((resolve, reject) => {
        const chunks: Buffer[] = [];
        let length = 0;
        const asked = request(url, (response) => {
          response.on('error', () => {});
          response.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            length += chunk.length;
            if (length < count) return;
            asked.destroy();
            resolve(Buffer.concat(chunks));
          });
        });
        asked.on('error', reject).end();
      });
  });
