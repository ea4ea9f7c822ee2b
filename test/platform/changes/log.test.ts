// The log of changes: one row for each changed record of a transaction, written with the change.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seed } from '../../../src/business/seed/seed.ts';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { actionName } from '../../../src/core/model/writes/change-action.ts';
import type { Changes } from '../../../src/core/model/writes/change-log.ts';
import { addRecord, changeRecord } from '../../../src/core/model/writes/store.ts';
import { deleteRows } from '../../../src/core/model/writes/write.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { placeChanges } from '../../../src/platform/changes/place.ts';
import { restoreOwner } from '../../../src/work/archive/restore.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { invoiceIt, orderIn } from '../../support/build/order.ts';
import { logOf } from '../../support/client/changes.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { writeBackup } from '../../support/files/backup.ts';
import { database, theService } from '../../support/service/service.ts';

const GROUP = { code: '10', name: 'Onderdelen', vat_code: 1 };
const [CREATED, UPDATED, DELETED] = [1, 2, 3];

describe('the change log', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const log = (resource: string): Promise<Row[]> => logOf(client.garage.owner, resource);

  it('has a row for each POST, PUT and DELETE, with old and new values', async () => {
    const { id } = (await client.post('/turnovergroup', { ...GROUP, external_id: 'K-1' })).data;
    await client.put(
      `/turnovergroup/${id}`,
      { name: 'Banden', sort_order: 3 },
      { 'x-request-id': 'my-request' },
    );
    await client.del(`/turnovergroup/${id}`);

    const [created, updated, deleted] = await log('turnovergroup');

    expect([created?.action, updated?.action, deleted?.action]).to.deep.equal([CREATED, UPDATED, DELETED]);
    expect([created?.version, updated?.version, deleted?.version]).to.deep.equal([1, 2, 3]);
    expect([created?.changes, deleted?.changes]).to.deep.equal([null, null]);
    expect(JSON.parse(String(updated?.changes))).to.deep.equal({
      name: ['Onderdelen', 'Banden'],
      sort_order: [null, 3],
    });
    expect(updated).to.deep.include({
      record_id: id,
      external_id: 'K-1',
      request_id: 'my-request',
    });
    expect(updated?.employee_id).to.be.a('number');
    expect(updated?.api_key_id).to.be.a('number');
  });

  it('has no row for a PUT that changes nothing, or for a refused request', async () => {
    const { id } = (await client.post('/turnovergroup', GROUP)).data;

    await client.put(`/turnovergroup/${id}`, { name: GROUP.name });
    await client.put(`/turnovergroup/${id}`, { vat_code: 99 });
    await client.post('/turnovergroup', GROUP);

    expect(await log('turnovergroup')).to.have.length(1);
  });

  it('shows that a password was changed, and never the password', async () => {
    const { id } = await build(client, 'employee', { password: 'the first password' });
    await client.put(`/employee/${id}`, { password: 'a completely new password' });

    const rows = await log('employee');

    expect(JSON.parse(String(rows.at(-1)?.changes))).to.deep.equal({ password: ['[...]', '[...]'] });
    expect(JSON.stringify(rows)).not.to.contain('argon2');
  });

  it('names no password that is emptied where there is none', async () => {
    const { id, modified_at } = await build(client, 'employee', { first_name: 'Jan' });

    const same = await client.put(`/employee/${id}`, { password: null });
    await client.put(`/employee/${id}`, { first_name: 'Anna', password: null });

    expect(same.data.modified_at).to.equal(modified_at);
    const rows = (await log('employee')).filter(({ record_id }) => record_id === id);
    expect(rows.map(({ changes }) => changes)).to.deep.equal([null, '{"first_name":["Jan","Anna"]}']);
  });

  it('names no content of a document that is repeated', async () => {
    const content = Buffer.from('scan').toString('base64');
    const { id } = await build(client, 'document', { name: 'old', content });

    await client.put(`/document/${id}`, { name: 'new', content });

    const last = (await log('document')).at(-1);
    expect(JSON.parse(String(last?.changes))).to.deep.equal({ name: ['old', 'new'] });
  });

  it('cuts texts at 1,000 characters', async () => {
    const { id } = await buildBuyer(client);
    await client.put(`/contact/${id}`, { notes: '😀'.repeat(1_500) });

    const last = (await log('contact')).at(-1);

    expect(JSON.parse(String(last?.changes)).notes).to.deep.equal([null, '😀'.repeat(1_000)]);
  });

  it('gives a deletion the last version + 1, also of a record that nobody asked to delete', async () => {
    const { id } = await buildBuyer(client);
    const communication = await build(client, 'contactcommunication', { contact_id: id });
    await client.put(`/contactcommunication/${communication.id}`, { value: '030 7654321' });

    await client.put(`/contact/anonymise?id=${id}`);

    const rows = await log('contactcommunication');
    expect(rows.map(({ action, version }) => [action, version])).to.deep.equal([
      [CREATED, 1],
      [UPDATED, 2],
      [DELETED, 3],
    ]);
  });

  it('gives a record that one transaction changes and deletes one version', async () => {
    const { owner } = client.garage;
    const group = resourceNamed('turnovergroup');
    const { id } = (await client.post('/turnovergroup', GROUP)).data;

    await database().transaction(async (session) => {
      const garage = garageOf(session, owner);
      const row = await changeRecord(garage, group, id, { name: 'Banden' });
      await deleteRows(garage, group, [row]);
    });

    expect((await log('turnovergroup')).map(({ version }) => version)).to.deep.equal([1, 2]);
  });

  it('has the records that a rule changes, each once in a transaction', async () => {
    const vehicle = await build(client, 'vehicle', { stock_status: LISTS.stockstatuses.STOCK });
    const order = await orderIn(client, LISTS.orderstatuses.ORDER, {
      order_type: LISTS.ordertypes.VEHICLE_SALES,
      vehicle_id: vehicle.id,
    });
    const flatrate = await build(client, 'flatrate');
    for (const price of [10, 20]) await build(client, 'flatrateline', { flatrate_id: flatrate.id, price });
    const before = (await log('order')).length;

    await client.post(`/order/${order.id}/flatrate`, { flatrate_id: flatrate.id });
    await invoiceIt(client, order.id);

    const [filled, invoiced, ...others] = (await log('order')).slice(before);
    expect(others).to.deep.equal([]);
    expect(JSON.parse(String(filled?.changes)).total_net).to.deep.equal([100, 130]);
    expect(Object.keys(JSON.parse(String(invoiced?.changes)))).to.include.members([
      'is_invoiced',
      'invoice_number',
    ]);
    const sold = (await log('vehicle')).at(-1);
    expect(JSON.parse(String(sold?.changes))).to.deep.equal({
      stock_status: [LISTS.stockstatuses.STOCK, LISTS.stockstatuses.SOLD],
    });
    const { version } = await rowOf('vehicle', vehicle.id);
    expect(sold?.version).to.equal(version);
  });

  it('takes no unknown action for one that it has', () => {
    expect(() => actionName(9)).to.throw(RangeError, 'Unknown value of changeactions: 9');
  });

  it('has the records of a seed and of a restore', async () => {
    const { owner } = client.garage;
    await seed(database(), { owner, orders: 3 });
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-log-'));
    await writeBackup(owner, join(folder, 'backup.zip'));

    const restored = await restoreOwner(database(), join(folder, 'backup.zip'), {
      documents: theService().base.storage.documents,
    });

    await rm(folder, { recursive: true });
    for (const garage of [owner, restored.owner]) {
      const logged = await logOf(garage, 'orderline');
      expect(logged.filter(({ action }) => action === CREATED)).to.have.length(restored.rows.orderline ?? 0);
    }
  });

  const rowOf = async (resource: string, id: number) => {
    const [row] = await select(database(), `SELECT version FROM ${resource}s WHERE id = ?`, [id]);
    return row ?? {};
  };
});

describe('the feed of an owner', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const places = (): Promise<Row[]> =>
    select(
      database(),
      "SELECT record_id, seq FROM changes WHERE owner_id = ? AND resource = 'turnovergroup' ORDER BY seq",
      [client.garage.owner],
    );
  const place = () => placeChanges(database(), client.garage.owner);

  it('gives a change that commits late a later place', async () => {
    const group = resourceNamed('turnovergroup');
    const { owner } = client.garage;
    const late = await database()
      .transaction(async (session) => {
        const row = await addRecord(garageOf(session, owner), group, { ...GROUP, code: 'LATE' });
        await (session.changes as Changes).write(session);
        await client.post('/turnovergroup', { ...GROUP, code: 'EARLY' });
        await place();
        return row;
      })
      .catch((error) => error);
    await place();

    const rows = await places();

    expect(rows.at(-1)?.record_id).to.equal(late.id);
    expect(rows.map(({ record_id }) => record_id).filter((id) => id === late.id)).to.have.length(1);
  });

  it('gives each change one place, whoever asks at the same time', async () => {
    for (let code = 0; code < 20; code += 1)
      await client.post('/turnovergroup', { ...GROUP, code: `${code}` });

    await Promise.all(Array.from({ length: 6 }, place));

    const seqs = (await places()).map(({ seq }) => Number(seq));
    const [first = 0] = seqs;
    expect(seqs).to.deep.equal(seqs.map((_, index) => first + index));
  });
});
