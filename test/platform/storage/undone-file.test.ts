// A file whose transaction is undone after the file was stored: no document has it, so tidying removes it.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { removeUnused } from '../../../src/platform/storage/unused-file.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { build } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importHere } from '../../support/client/import-here.ts';
import { select } from '../../support/database/sql.ts';
import { writeBackup } from '../../support/files/backup.ts';
import { openAside } from '../../support/service/second-service.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';
import { removeUnusedFiles } from '../../support/service/tidy.ts';

describe('the file of a transaction that is undone', () => {
  let client: Client;
  let sha256: string;
  let body: { content: string; external_id: string };
  beforeEach(async () => {
    client = await newClient();
    const bytes = Buffer.from(randomUUID());
    sha256 = createHash('sha256').update(bytes).digest('hex');
    body = {
      ...{ document_kind: LISTS.documentkinds.OTHER, name: 'Report', file_name: 'report.txt' },
      ...{ mime_type: 'text/plain', external_id: randomUUID(), content: bytes.toString('base64') },
    };
  });

  const isThere = () => existsSync(inStorage('documents', sha256));
  const notes = () => select(database(), 'SELECT sha256 FROM unused_files WHERE sha256 = ?', [sha256]);

  /** A database that loses the connection of the transaction that records the document, just before the commit. */
  const losing = (before: () => Promise<unknown> = async () => {}): Database => ({
    ...database(),
    transaction: (work, actor) =>
      database().transaction(async (session) => {
        await before();
        const result = await work(session);
        const [connection] = await select(
          session,
          'SELECT CONNECTION_ID() AS id FROM documents WHERE external_id = ?',
          [body.external_id],
        );
        if (connection) await database().knex.raw('KILL ?', [Number(connection.id)]);
        return result;
      }, actor),
  });

  /** Sends a request to a service that loses its connection. Answers the status. */
  async function lost(send: (url: string) => Promise<{ status: number }>, of = losing()) {
    const aside = await openAside({ services: { database: of } });
    const { status } = await send(`${aside.url}/v2/document`);
    await aside.close();
    return status;
  }

  for (const [what, send] of [
    ['a POST', (url: string) => client.post(url, body)],
    ['an upsert', (url: string) => client.put(`${url}?external_id=${body.external_id}`, body)],
  ] as const) {
    it(`of ${what} goes`, async () => {
      expect(await lost(send)).to.equal(503);
      const before = isThere();

      await removeUnusedFiles();

      expect([before, isThere()]).to.deep.equal([true, false]);
    });
  }

  it('goes also if tidying runs between the note and the file', async () => {
    const tidied = losing(() => removeUnused(database()));
    expect(await lost((url) => client.post(url, body), tidied)).to.equal(503);
    const before = isThere();

    await removeUnusedFiles();

    expect([before, isThere()]).to.deep.equal([true, false]);
  });

  it('of a batch of an import goes', async () => {
    const hold = () => Promise.reject(new Error('another process has taken the import over'));
    const failed = await importHere(client, 'document', [body], { hold }).catch(({ message }) => message);
    const before = isThere();

    await removeUnusedFiles();

    expect(failed).to.equal('another process has taken the import over');
    expect([before, isThere()]).to.deep.equal([true, false]);
  });

  it('of a restore goes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-undone-'));
    const path = join(folder, 'backup.zip');
    const { id } = await build(client, 'document', { content: body.content });
    await writeBackup(client.garage.owner, path);
    await client.del(`/document/${id}`);
    const { documents } = theService().base.storage;
    const write: typeof documents.write = async (...file) => {
      await documents.write(...file);
      throw new Error('the storage is away');
    };
    const gone = !isThere();

    const failed = await restoreOwner(database(), path, { documents: { ...documents, write } }).catch(
      ({ message }) => message,
    );
    const before = isThere();
    await removeUnusedFiles();
    await rm(folder, { recursive: true });

    expect([gone, failed, before]).to.deep.equal([true, 'the storage is away', true]);
    expect(isThere()).to.equal(false);
  });

  it('of a restore goes with the document of a contact who was anonymised after the backup', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-undone-'));
    const path = join(folder, 'backup.zip');
    const { id: contact_id } = await build(client, 'contact');
    await build(client, 'document', { ...body, contact_id });
    await writeBackup(client.garage.owner, path);
    await client.put(`/contact/anonymise?id=${contact_id}`);
    const { documents } = theService().base.storage;

    const { anonymised } = await restoreOwner(database(), path, { documents });
    await rm(folder, { recursive: true });

    expect([anonymised, isThere()]).to.deep.equal([1, false]);
  });

  it('stays if another document has the same bytes', async () => {
    await (await newClient()).post('/document', { ...body, external_id: 'the other one' });
    expect(await lost((url) => client.post(url, body))).to.equal(503);
    const noted = await notes();

    await removeUnusedFiles();

    expect(noted).to.have.length(1);
    expect(isThere()).to.equal(true);
  });

  it('goes with its document at once, whatever repeated the request before', async () => {
    const once = { 'idempotency-key': randomUUID() };
    const sent = [await client.post('/document', body, once), await client.post('/document', body, once)];
    const path = `/document?external_id=${body.external_id}`;
    const upserts = [await client.put(path, body), await client.put(path, body)];
    const refused = await client.post('/document', { ...body, name: 7 });
    const stored = isThere();

    const { status } = await client.del(`/document/${sent[0]?.data.id}`);

    expect([...sent, ...upserts, refused].map((one) => one.status)).to.deep.equal([201, 201, 200, 200, 403]);
    expect([stored, status, isThere()]).to.deep.equal([true, 200, false]);
  });

  it('has no note once its document is recorded', async () => {
    expect((await client.post('/document', body)).status).to.equal(201);
    await importHere(client, 'document', [{ ...body, external_id: 'again' }]);

    expect(await notes()).to.deep.equal([]);
    expect(isThere()).to.equal(true);
  });
});
