// The file of a document: it is there while a record refers to it or a backup may read it, and its links end with
// the record.
import { createHash, randomUUID } from 'node:crypto';
import { access, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { connectSnapshot } from '../../../src/platform/database/snapshot.ts';
import { keepFiles, removeUnused } from '../../../src/platform/storage/unused-file.ts';
import { type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('the file of a document', () => {
  let client: Client;
  let bytes: Buffer;
  beforeEach(async () => {
    client = await newClient();
    bytes = Buffer.from(randomUUID());
  });

  const add = (changes: object = {}, as = client) =>
    as.post('/document', {
      document_kind: LISTS.documentkinds.OTHER,
      name: 'Report',
      file_name: 'report.txt',
      mime_type: 'text/plain',
      content: bytes.toString('base64'),
      ...changes,
    });
  const path = () => inStorage('documents', createHash('sha256').update(bytes).digest('hex'));
  const isThere = () =>
    access(path()).then(
      () => true,
      () => false,
    );
  const linkOf = async (id: number, as = client) => (await as.get(`/document/info?id=${id}`)).data.url;

  it('goes with the last record that refers to it, and so do its links', async () => {
    const { data } = await add();
    const link = await linkOf(data.id);
    expect(await (await fetch(link)).text()).to.equal(bytes.toString());

    await client.del(`/document/${data.id}`);

    expect((await send('GET', link)).status).to.equal(404);
    expect(await isThere()).to.equal(false);
  });

  it('stays for the same bytes of another owner, but the link of the deleted record ends', async () => {
    const other = await newClient();
    const [mine, theirs] = [(await add()).data, (await add({}, other)).data];
    const [mineLink, theirLink] = [await linkOf(mine.id), await linkOf(theirs.id, other)];

    await client.del(`/document/${mine.id}`);

    expect((await send('GET', mineLink)).status).to.equal(404);
    expect((await send('GET', theirLink)).status).to.equal(200);
    await other.del(`/document/${theirs.id}`);
    expect(await isThere()).to.equal(false);
  });

  it('is written again by each upload, and the download tells nobody when', async () => {
    const { data } = await add();
    const link = await linkOf(data.id);
    const modified = async () => (await fetch(link, { method: 'HEAD' })).headers.get('last-modified');
    await writeFile(path(), 'damaged');
    await utimes(path(), 1, 1);
    const before = await modified();

    await add({}, await newClient());

    expect(await readFile(path())).to.deep.equal(bytes);
    expect((await stat(path())).mtimeMs).to.be.above(Date.now() - 60_000);
    expect([before, await modified()]).to.deep.equal(Array(2).fill(new Date(data.created_at).toUTCString()));
  });

  it('does not come of a request that is refused', async () => {
    const external_id = randomUUID();
    await client.post('/document', {
      document_kind: 9,
      name: 'x',
      file_name: 'x',
      mime_type: 'x/y',
      external_id,
    });

    expect((await add({ external_id })).status).to.equal(409);
    expect((await add({ order_id: 999_999_999 })).status).to.equal(404);
    expect((await add({ colour: 'red' })).status).to.equal(403);
    expect(await isThere()).to.equal(false);
  });

  it('stays until a backup that may read it has ended', async () => {
    const { data } = await add();
    const snapshot = await connectSnapshot(theService().base.connection);

    try {
      await client.del(`/document/${data.id}`);
      expect(await isThere(), 'during the backup').to.equal(true);
      expect(await removeUnused(database())).to.equal(0);
    } finally {
      snapshot.destroy();
    }
    await until(async () => (await removeUnused(database())) > 0);
    expect(await isThere(), 'after the backup').to.equal(false);
  });

  it('does not stay longer on a cluster because a clock ran ahead', async () => {
    const { data } = await add();
    await database().transaction(async (session) => {
      await keepFiles(session);
      await client.del(`/document/${data.id}`);
    });
    await execute(database(), 'UPDATE unused_files SET noted_at = UTC_TIMESTAMP(3) + INTERVAL 1 YEAR');
    const cluster = { ...database(), isCluster: async () => true };

    // A job of an earlier test may still keep all files.
    await until(async () => {
      await removeUnused(cluster);
      const ahead = 'SELECT sha256 FROM unused_files WHERE noted_at > UTC_TIMESTAMP(3)';
      return (await select(database(), ahead)).length === 0;
    });

    expect(await isThere(), 'for ten minutes').to.equal(true);
    await execute(database(), 'UPDATE unused_files SET noted_at = noted_at - INTERVAL 11 MINUTE');
    await until(async () => (await removeUnused(cluster)) > 0);
    expect(await isThere(), 'after that').to.equal(false);
  });

  it('is written again by a request that waits for its removal', async () => {
    const { data } = await add();
    const { files } = database();
    let added: ReturnType<typeof add> | undefined;
    const slow = {
      ...database(),
      files: {
        ...files,
        remove: async (sha256: string) => {
          added = add();
          await Promise.race([added, until(async () => (await waitingFor('unused_files')) > 0)]);
          await files.remove(sha256);
        },
      },
    };
    await database().transaction(async (session) => {
      await keepFiles(session);
      await client.del(`/document/${data.id}`);
    });
    expect(await isThere()).to.equal(true);

    expect(await removeUnused(slow)).to.be.above(0);
    expect((await added)?.status).to.equal(201);

    expect(await isThere()).to.equal(true);
  });

  it('is whole after many records of the same bytes came and went at once', async () => {
    const kept = await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const { data } = await add();
        if (index % 2 === 0) await client.del(`/document/${data.id}`);
        else return linkOf(data.id);
      }),
    );

    for (const link of kept) if (link) expect((await send('GET', link)).status).to.equal(200);
  });
});
