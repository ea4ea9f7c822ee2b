// The folded texts are those of the record, whoever has written the row: a seed, a request, an import, a restore, the
// release before, or somebody's SQL.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { isFolded, searchTextOf, textColumns } from '../../../src/core/model/records/search-text.ts';
import { countUnfolded, foldAllTexts } from '../../../src/core/model/writes/unfolded.ts';
import { build, sampleBody } from '../../support/build/build.ts';
import { type Client, clientOf, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported, recordsIn } from '../../support/client/export.ts';
import { importJson } from '../../support/client/import.ts';
import { execute, select } from '../../support/database/sql.ts';
import { forecourt, forecourtJson } from '../../support/process/forecourt.ts';
import { database, serviceEnvironment } from '../../support/service/service.ts';

const idsOf = async (client: Client, words: string) => {
  const { data } = await client.get(`/contact?search=${encodeURIComponent(words)}`);
  return data.map(({ id }: { id: number }) => id);
};

/** The rows of an owner whose folded text is not that of their fields. */
async function wrongTexts(owner: number): Promise<string[]> {
  const wrong: string[] = [];
  for (const resource of allResources().filter(isFolded)) {
    const columns = ['id', 'unfolded_at', 'search_text', ...textColumns(resource)].join();
    const rows = await select(database(), `SELECT ${columns} FROM ${resource.table} WHERE owner_id = ?`, [
      owner,
    ]);
    for (const { search_text, unfolded_at, ...row } of rows)
      if (unfolded_at !== null || String(search_text) !== searchTextOf(resource, row))
        wrong.push(`${resource.name} ${row.id}: ${search_text}`);
  }
  return wrong;
}

describe('folded texts', function () {
  this.timeout(120_000);
  let client: Client;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-folded-'));
  });
  beforeEach(async () => {
    client = await newClient();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are right after a seed and an import', async () => {
    const { owner } = client.garage;
    const { code, err } = await forecourt(serviceEnvironment(), [
      'seed',
      '--owner',
      String(owner),
      '--orders',
      '100',
    ]);
    expect(code, err).to.equal(0);
    await importJson(client, 'resource=contact', [
      { contact_kind: 1, last_name: 'Zoëtermeer', country_id: 1 },
    ]);

    expect(await wrongTexts(owner)).to.deep.equal([]);
    expect(await idsOf(client, 'zoetermeer')).to.have.length(1);
  });

  it('are right after a restore', async () => {
    const { owner } = client.garage;
    const words = ['--owner', String(owner), '--out', join(folder, 'backup.zip')];
    const contact = await build(client, 'contact', { last_name: 'Müller' });
    await build(client, 'order', { contact_id: contact.id, reference: 'Øresund' });
    await forecourtJson(serviceEnvironment(), 'backup', ...words);

    const { owner_id } = await forecourtJson(serviceEnvironment(), 'restore', join(folder, 'backup.zip'));

    expect(await wrongTexts(Number(owner_id))).to.deep.equal([]);
    const restored = await newClient({ owner: Number(owner_id) });
    expect(await idsOf(restored, 'muller')).to.have.length(1);
    const { data: orders } = await restored.get('/order?search=oresund%20muller');
    expect(orders).to.have.length(1);
  });

  it('are made before a search looks, if another writer has left a row without them', async () => {
    const { owner } = client.garage;
    const { id } = await build(client, 'contact', { last_name: 'Jansen' });
    const set = (text: string) =>
      execute(database(), `UPDATE contacts SET ${text} WHERE owner_id = ? AND id = ?`, [owner, id]);

    await set("last_name = 'Crèvecœur'");
    expect(await idsOf(client, 'crevecoeur')).to.deep.equal([id]);
    expect(await idsOf(client, 'jansen')).to.deep.equal([]);
    await set("city = 'Øresund', search_text = NULL");
    expect(await idsOf(client, 'oresund')).to.deep.equal([id]);
    expect(await wrongTexts(owner)).to.deep.equal([]);
  });

  it('are made of the newest rows first, if many wait', async () => {
    const { owner } = client.garage;
    const rows = Array.from({ length: 600 }, () => ({ contact_kind: 1, last_name: 'Jansen', country_id: 1 }));
    await importJson(client, 'resource=contact', rows);
    const set = (text: string) =>
      execute(database(), `UPDATE contacts SET ${text} WHERE owner_id = ?`, [owner]);
    await set('search_text = NULL, unfolded_at = NOW() - INTERVAL 1 HOUR');
    const { id } = await build(client, 'contact');
    await execute(database(), "UPDATE contacts SET last_name = 'Zoëkwijt' WHERE id = ?", [id]);

    expect(await idsOf(client, 'zoekwijt')).to.deep.equal([id]);
  });

  it('are made before an export looks for an address in any case', async () => {
    const { id } = await build(client, 'contactcommunication', {
      communication_type: 4,
      value: 'x@y.example',
    });
    await execute(database(), "UPDATE contactcommunications SET value = 'Zoe@Example.nl' WHERE id = ?", [id]);

    const { text } = await exported(client, {
      resource: 'contactcommunication',
      filter: 'value:zoe@example.nl',
    });

    expect(recordsIn(text).map((record) => record.id)).to.deep.equal([id]);
  });

  it('are made at start and at each tidying too', async () => {
    const { owner } = client.garage;
    for (let count = 0; count < 3; count += 1) await build(client, 'vehicle');
    const leave = 'UPDATE vehicles SET search_text = NULL, unfolded_at = NOW() WHERE owner_id = ?';

    // The service's own tidying may come between, and not twice in a row.
    let counts = [0, 0];
    for (let tries = 0; tries < 2 && Math.min(...counts) < 3; tries += 1) {
      await execute(database(), leave, [owner]);
      counts = [await countUnfolded(database()), await foldAllTexts(database())];
    }

    expect(Math.min(...counts)).to.be.at.least(3);
    expect(await wrongTexts(owner)).to.deep.equal([]);
  });

  it('name no record of the garage as it was, once many searches at once have folded', async () => {
    const { owner } = client.garage;
    const { id } = await build(client, 'contact', { last_name: 'Jansen' });
    await execute(database(), "UPDATE contacts SET last_name = 'Visser' WHERE owner_id = ?", [owner]);

    const found = await Promise.all(
      Array.from({ length: 20 }, () => idsOf(clientOf(client.garage), 'visser')),
    );

    expect(found).to.deep.equal(Array(20).fill([id]));
  });
});

describe('a vehicle that is there under another spelling', () => {
  it('is named by the refusal', async () => {
    const client = await newClient();
    const { id } = await build(client, 'vehicle', { license_plate: 'ZX-123-V' });
    const body = await sampleBody(client, resourceNamed('vehicle'));

    const answer = await client.post('/vehicle', { ...body, license_plate: 'zx123v' });

    const [named] = answer.body.errors;
    expect([answer.status, named.resource, named.id]).to.deep.equal([409, 'vehicle', id]);
  });
});
