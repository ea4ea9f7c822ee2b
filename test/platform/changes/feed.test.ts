// GET /changes: what a page shows, what a key may see, which parameters are refused, and when a cursor has expired.
import { writeFeedCursor } from '../../../src/platform/changes/feed-cursor.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { changes, follow, latest } from '../../support/client/changes.ts';
import { type Client, clientOf, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database, makeGarage } from '../../support/service/service.ts';

const GROUP = { code: '10', name: 'Onderdelen', vat_code: 1 };
const DAY_MS = 24 * 3600 * 1000;

describe('the feed of changes', () => {
  let client: Client;
  let start: string;
  before(async () => {
    client = await newClient();
  });
  beforeEach(async () => {
    start = await latest(client);
  });

  it('shows each change with the fields that it gave new values, in order', async () => {
    const { id } = (await client.post('/turnovergroup', { ...GROUP, external_id: 'K-1' })).data;
    await client.put(`/turnovergroup/${id}`, { name: 'Banden', sort_order: 3 });
    await client.del(`/turnovergroup/${id}`);

    const { body, status } = await changes(client, { after: start });

    const [{ seq, changed_at, ...created }, updated, deleted] = body.data;
    const record = { resource: 'turnovergroup', id, external_id: 'K-1' };
    expect(status).to.equal(200);
    expect(created).to.deep.equal({ ...record, action: 'created', version: 1, fields: [] });
    expect(updated).to.deep.include({
      seq: seq + 1,
      action: 'updated',
      version: 2,
      fields: ['name', 'sort_order'],
    });
    expect(deleted).to.deep.include({ ...record, seq: seq + 2, action: 'deleted', version: 3, fields: [] });
    expect(changed_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(body).to.have.all.keys('successCode', 'data', 'next', 'has_more').and.include({ has_more: false });
    expect(await follow(client, body.next)).to.deep.equal([]);
  });

  it('goes on behind `next`, page by page, and begins with the oldest change', async () => {
    for (const code of ['A', 'B', 'C', 'D', 'E']) await client.post('/turnovergroup', { ...GROUP, code });

    const first = await changes(client, { after: start, page_size: '2' });
    const pages = await follow(client, start, { page_size: '2' });
    const all = await changes(client, { page_size: '1000' });

    expect(first.body).to.include({ has_more: true });
    expect(pages.map(({ action }) => action)).to.deep.equal(Array(5).fill('created'));
    expect(new Set(pages.map(({ seq }) => seq)).size).to.equal(5);
    expect(all.data.slice(-5)).to.deep.equal(pages);
    expect(all.data[0].seq).to.equal(1);
  });

  it('shows the resources that were asked for, and its cursor skips the others', async () => {
    const contact = await build(client, 'contact');
    await build(client, 'article');

    const one = await changes(client, { after: start, resource: 'contact,vehicle' });
    const later = await changes(client, { after: one.body.next });

    expect(one.data.map(({ id }: { id: number }) => id)).to.deep.equal([contact.id]);
    expect(later.data).to.deep.equal([]);
  });

  it('shows the record as it is now, or null if it is deleted', async () => {
    const kept = await build(client, 'turnovergroup');
    const gone = await build(client, 'turnovergroup');
    const now = (await client.put(`/turnovergroup/${kept.id}`, { name: 'Banden' })).data;
    await client.del(`/turnovergroup/${gone.id}`);
    const order = await buildInvoice(client);

    const found = await follow(client, start, { expand: 'record', page_size: '3' });

    const recordOf = (name: string, id: number) =>
      found.filter((change) => change.resource === name && change.id === id).map(({ record }) => record);
    expect(recordOf('turnovergroup', kept.id)).to.deep.equal([now, now]);
    expect(recordOf('turnovergroup', gone.id)).to.deep.equal([null, null]);
    expect(recordOf('order', order.id).at(-1)).to.deep.equal((await client.get(`/order/${order.id}`)).data);
  });

  it('shows a restricted key only what it may GET', async () => {
    const { owner } = client.garage;
    const reader = clientOf(await makeGarage({ owner, allow: ['GET /changes', 'GET /contact'] }));
    const stranger = await newClient();
    const cursor = await latest(reader);
    const contact = await build(client, 'contact');
    await build(client, 'turnovergroup');

    const seen = await follow(reader, cursor);

    expect(seen.map(({ resource, id }) => [resource, id])).to.deep.equal([['contact', contact.id]]);
    expect(await changes(reader, { resource: 'contact,order' })).to.be.refused(
      403,
      'Endpoint: [GET /order] is not allowed for this api_key',
    );
    expect(await follow(stranger, await latest(stranger))).to.deep.equal([]);
  });

  it('refuses wrong parameters, all at once', async () => {
    const foreign = await latest(await newClient());
    const both = await changes(client, { wait: '26', page_size: '0' });

    expect(await changes(client, { wait: '-1' })).to.be.refused(
      400,
      'Parameter invalid [wait] value must be between 0 and 25',
    );
    for (const after of [foreign, 'abc', `${start}x`, writeFeedCursor(0, 1), ''])
      expect(await changes(client, { after })).to.be.refused(
        400,
        'Parameter invalid [after] value is not a cursor of this feed',
      );
    expect(both.body.errors).to.have.length(2);
    for (const [name, value] of [
      ['resource', 'contact,boat'],
      ['expand', 'boat'],
    ] as const)
      expect(await changes(client, { [name]: value })).to.be.refused(403, 'Field: [boat] not found in model');
    expect(await changes(client, { cursor: start })).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [cursor]',
    );
  });

  it('refuses a cursor that has expired, or whose changes have left the feed', async () => {
    const { owner } = client.garage;
    await build(client, 'contact');
    const seen = (await follow(client, start)).at(-1)?.seq ?? 0;
    const old = writeFeedCursor(owner, seen, Date.now() - 91 * DAY_MS);
    const expired = 'Cursor is expired, start again from an export';
    const recent = writeFeedCursor(owner, seen, Date.now() - 89 * DAY_MS);
    expect((await changes(client, { after: recent })).status).to.equal(200);
    await build(client, 'contact');
    await follow(client, start);

    await execute(database(), 'INSERT INTO counters (owner_id, name, value) VALUES (?, ?, ?)', [
      owner,
      'changes gone',
      seen + 1,
    ]);

    expect(await changes(client, { after: old })).to.be.refused(410, expired);
    expect(await changes(client, { after: recent })).to.be.refused(410, expired);
    expect(await changes(client, { after: writeFeedCursor(owner, seen + 1_000_000) })).to.be.refused(
      410,
      expired,
    );
    expect((await changes(client)).data).to.deep.equal([]);
    const { id } = await build(client, 'contact');
    const { data } = await changes(client);
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ seq: seen + 2, resource: 'contact', id });
    expect((await changes(client, { after: writeFeedCursor(owner, seen + 1) })).data).to.deep.equal(data);
  });
});
