// GET /audit: who changed what, as a list for an ADMIN.
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { userOf } from '../../support/client/garage-user.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

describe('the audit', () => {
  let client: Client;
  let contact: number;
  before(async () => {
    client = await newClient();
    contact = (await buildBuyer(client)).id;
    await client.put(`/contact/${contact}`, { city: 'Zeist' }, { 'x-request-id': 'move-1' });
    await client.put(`/contact/${contact}`, { city: 'Bunnik' });
    await build(client, 'article');
  });

  const audit = (parameters: Record<string, string> = {}) =>
    client.get(`/audit?${new URLSearchParams(parameters)}`);
  const ofContact = () => ({ filter: `resource:contact,record_id:${contact}` });

  it('shows who changed what, the newest change first', async () => {
    const [employee] = await select(database(), 'SELECT id FROM employees WHERE username = ?', [
      client.garage.username,
    ]);

    const { data, body } = await audit(ofContact());

    const [moved, first, created] = data;
    expect(data).to.have.length(3);
    expect(moved.changes).to.deep.equal({ city: ['Zeist', 'Bunnik'] });
    expect(first).to.deep.include({
      resource: 'contact',
      record_id: contact,
      action: 'updated',
      employee_id: employee?.id,
      request_id: 'move-1',
      changes: { city: ['Utrecht', 'Zeist'] },
    });
    expect(first).to.have.all.keys(KEYS);
    expect(created).to.deep.include({ action: 'created', changes: null });
    expect(moved.seq).to.be.above(first.seq);
    expect(body).to.include({ page: 1, has_more: false, next: null });
  });

  it('filters, sorts, pages and counts', async () => {
    const updates = await audit({ filter: 'action:updated,resource:contact', count: '1', sort: 'seq' });
    const page = await audit({ page_size: '2', page: '2', sort: 'seq' });
    const first = await audit({ page_size: '2', sort: '-at' });
    const next = await audit({ page_size: '2', sort: '-at', cursor: first.body.next });
    const all = await audit({ fields: 'action' });

    expect(updates.body.total).to.equal(2);
    expect(updates.data.map(({ changes }: Row) => changes?.city?.[1])).to.deep.equal(['Zeist', 'Bunnik']);
    expect(page.data.map(({ seq }: Row) => seq)).to.deep.equal([3, 4]);
    expect(new Set([...first.data, ...next.data].map(({ seq }: Row) => seq)).size).to.equal(4);
    expect(all.data[0]).to.have.all.keys('seq', 'action');
    expect(await audit({ filter: 'action:renamed' })).to.be.refused(
      403,
      'Field: [action] has an invalid value: [renamed] for datatype: varchar',
    );
    expect(await audit({ sort: 'id' })).to.be.refused(403, 'Field: [id] not found in model');
    expect(await audit({ expand: 'employee' })).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [expand]',
    );
  });

  it('shows a key the rows of resources only that the key may GET', async () => {
    const allow = ['GET /audit', 'GET /article', 'GET /turnovergroup'];
    const narrow = await newClient({ owner: client.garage.owner, allow });
    const asked = (parameters: Record<string, string>) =>
      narrow.get(`/audit?${new URLSearchParams(parameters)}`);
    const wide = await audit({ page_size: '2', sort: 'seq' });

    const all = await asked({ count: '1' });
    const answers = await Promise.all([
      asked({ ...ofContact(), count: '1' }),
      asked({ filter: 'resource[ne]:article,resource[ni]:turnovergroup', count: '1' }),
      asked({ filter: 'changes[null]:0', count: '1' }),
      asked({ page: '2', page_size: '100', count: '1' }),
    ]);
    const behind = await asked({ page_size: '100', sort: 'seq', cursor: wide.body.next });

    const names = (rows: Row[]) => new Set(rows.map(({ resource }) => resource));
    expect(wide.data.length).to.equal(2);
    expect(names(all.data)).to.deep.equal(new Set(['article', 'turnovergroup']));
    expect(all.body.total).to.equal(all.data.length);
    expect(names(behind.data)).to.deep.equal(new Set(['article', 'turnovergroup']));
    expect(answers.map(({ status, data }) => [status, data])).to.deep.equal(Array(4).fill([200, []]));
    expect(answers.map(({ body }) => body.total)).to.deep.equal([0, 0, 0, all.body.total]);
  });

  it('is empty for a key that may GET nothing else', async () => {
    const narrow = await newClient({ owner: client.garage.owner, allow: ['GET /audit'] });

    const { status, data, body } = await narrow.get('/audit?count=1');

    expect([status, data, body.total]).to.deep.equal([200, [], 0]);
  });

  it('is for an ADMIN, and for the own garage', async () => {
    const { client: user } = await userOf(client, 'USER');
    const stranger = await newClient();

    expect(await user.get('/audit')).to.be.refused(
      403,
      'Endpoint: [GET /audit] is not allowed for this user',
    );
    const { data } = await user.get('/authenticate/acces');
    expect(data).to.not.deep.include({ method: 'GET', endpoint: '/audit' });
    expect(data).to.deep.include({ method: 'GET', endpoint: '/changes' });
    expect((await stranger.get(`/audit?filter=resource:contact,record_id:${contact}`)).data).to.deep.equal(
      [],
    );
  });
});

const KEYS = [
  'seq',
  'at',
  'resource',
  'record_id',
  'action',
  'employee_id',
  'api_key_id',
  'request_id',
  'changes',
];

interface Row {
  readonly resource: string;
  readonly seq: number;
  readonly changes: Record<string, unknown[]> | null;
}
