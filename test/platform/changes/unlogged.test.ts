// Doctor's check of the log: it finds records that were changed by SQL, and no others.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import { findUnlogged, type Unlogged } from '../../../src/platform/changes/unlogged.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { place } from '../../support/client/changes.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { writeBackup } from '../../support/files/backup.ts';
import { database, theService } from '../../support/service/service.ts';

describe('records that were changed past the log', function () {
  // Each look reads the log of all garages of the process.
  this.timeout(180_000);
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  /** Other tests change records by SQL too, of other owners. */
  async function unlogged(owner = client.garage.owner): Promise<Unlogged[]> {
    const found: Unlogged[] = [];
    await database().snapshot(async (session) => {
      for await (const one of findUnlogged(session)) if (one.owner === owner) found.push(one);
    });
    return found;
  }

  it('are found by version, absence and lack of a row', async () => {
    const { owner } = client.garage;
    const ids = [];
    for (let count = 0; count < 4; count += 1) ids.push(Number((await build(client, 'turnovergroup')).id));
    const [changed = 0, missing = 0, back = 0, never = 0] = ids;
    await place(owner);
    await execute(database(), 'UPDATE turnovergroups SET version = version + 1 WHERE id = ?', [changed]);
    await execute(database(), 'DELETE FROM turnovergroups WHERE id = ?', [missing]);
    await execute(
      database(),
      'UPDATE changes SET action = 3 WHERE owner_id = ? AND record_id = ? AND resource = ?',
      [owner, back, 'turnovergroup'],
    );
    await execute(database(), 'DELETE FROM changes WHERE owner_id = ? AND record_id = ? AND resource = ?', [
      owner,
      never,
      'turnovergroup',
    ]);

    const found = await unlogged();

    expect(found.map(({ id, fault }) => [id, fault])).to.deep.equal([
      [changed, 'changed'],
      [missing, 'missing'],
      [back, 'back'],
      [never, 'unlogged'],
    ]);
    expect(found[0]).to.deep.include({ resource: 'turnovergroup', owner });
  });

  it('are none after requests, a seed and a restore', async () => {
    const { owner } = client.garage;
    await buildInvoice(client);
    const gone = await build(client, 'contact');
    await client.del(`/contact/${gone.id}`);
    await seed(database(), { owner, orders: 20 });
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-check-'));
    await writeBackup(owner, join(folder, 'backup.zip'));

    const restored = await restoreOwner(database(), join(folder, 'backup.zip'), {
      documents: theService().base.storage.documents,
    });

    await rm(folder, { recursive: true });
    expect(await unlogged()).to.deep.equal([]);
    expect(await unlogged(restored.owner)).to.deep.equal([]);
  });
});
