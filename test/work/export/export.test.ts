// POST /export: the file has exactly what the list shows, only what the caller may GET, and refuses what a list
// refuses.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { seed } from '../../../src/business/seed/seed.ts';
import { allResources } from '../../../src/core/model/records/registry.ts';
import { build, buildBuyer } from '../../support/build/build.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { exported, fetched, listed, recordsIn } from '../../support/client/export.ts';
import { openReceiver } from '../../support/process/https-receiver.ts';
import { jobRow } from '../../support/service/job.ts';
import { database, makeGarage } from '../../support/service/service.ts';

describe('POST /export', () => {
  let client: Client;
  before(async function () {
    this.timeout(60_000);
    client = await newClient();
    await seed(database(), { owner: client.garage.owner, orders: 20 });
    await buildBuyer(client, { last_name: "d'Été \\ 😀" });
  });

  it('writes each resource as its list shows it, in one file with a summary', async () => {
    await build(client, 'webhooksubscription');
    const resources = allResources().filter(({ methods }) => methods.includes('GET'));
    for (const { name } of resources) {
      const { text, summary } = await exported(client, { resource: name });

      const list = await listed(client, `/${name}?sort=id`);
      expect(recordsIn(text), name).to.deep.equal(list);
      expect(summary).to.deep.include({
        resource: name,
        filter: null,
        format: 'ndjson',
        file: `${name}.ndjson`,
        rows: list.length,
        bytes: Buffer.byteLength(text),
        sha256: createHash('sha256').update(text).digest('hex'),
      });
      expect(summary.snapshot_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    }
  }).timeout(120_000);

  for (const asked of [
    { resource: 'contact', filter: 'contact_kind:2,city[ne]:Utrecht', sort: '-company_name' },
    { resource: 'contact', filter: "last_name[like]:*'Été \\*", fields: 'last_name,city' },
    { resource: 'order', filter: 'order_type[in]:1|2|3,total_net[gt]:100', fields: 'total_net,order_date' },
    { resource: 'order', filter: 'invoice_number[null]:0', sort: '-order_date,total_gross' },
    { resource: 'article', filter: 'description[like]:*o*,price[le]:99.5', sort: 'description,id' },
    { resource: 'vehicle', fields: 'make', sort: 'make,-mileage' },
  ]) {
    it(`takes the parameters of a list: ${JSON.stringify(asked)}`, async () => {
      const { resource, ...parameters } = asked;
      const query = new URLSearchParams(Object.entries(parameters));

      const { text, summary } = await exported(client, asked);

      const list = await listed(client, `/${resource}?${query}`);
      expect(list).not.to.have.length(0);
      expect(recordsIn(text)).to.deep.equal(list);
      expect(summary).to.include(asked);
    });
  }

  it('exports nothing of another garage', async () => {
    const stranger = await newClient();
    const { id } = await buildBuyer(stranger);

    const { text, summary } = await exported(stranger, { resource: 'contact' });
    const none = await exported(client, { resource: 'contact', filter: 'last_name:nobody' });

    expect(recordsIn(text).map((record) => record.id)).to.deep.equal([id]);
    expect(summary.rows).to.equal(1);
    expect([none.text, none.summary.rows]).to.deep.equal(['', 0]);
    expect((await client.get(`/changes?after=${summary.after}`)).body.message).to.equal(
      'Parameter invalid [after] value is not a cursor of this feed',
    );
  });

  it('exports only what the key and the user may GET', async () => {
    const { owner } = client.garage;
    const as = async (options: Parameters<typeof makeGarage>[0]) =>
      clientOf(await makeGarage({ owner, ...options }));
    const user = await as({ role: 'USER', allow: ['POST /export', 'GET /contact', 'GET /job'] });
    const reader = await as({ role: 'READONLY' });
    const keyless = await as({ allow: ['GET /contact'] });
    const anyone = await as({ role: 'USER' });

    expect((await exported(user, { resource: 'contact' })).summary.rows).to.be.above(0);
    expect(await user.post('/export', { resource: 'order', filter: '' })).to.be.refused(
      403,
      'Endpoint: [GET /order] is not allowed for this api_key',
    );
    expect(await anyone.post('/export', { resource: 'webhooksubscription' })).to.be.refused(
      403,
      'Endpoint: [GET /webhooksubscription] is not allowed for this user',
    );
    expect(await reader.post('/export', { resource: 'contact' })).to.be.refused(
      403,
      'Endpoint: [POST /export] is not allowed for this user',
    );
    expect(await keyless.post('/export', { resource: 'contact' })).to.be.refused(
      403,
      'Endpoint: [POST /export] is not allowed for this api_key',
    );
  });

  const refusals: [body: Json, status: number, message: string][] = [
    [{ format: 'csv' }, 403, 'Field: [resource] is required and not supplied in request'],
    [{ resource: null }, 403, 'Field: [resource] is required and not supplied in request'],
    [{ resource: 5 }, 403, 'Field: [resource] has an invalid value: [5] for datatype: text'],
    ...['boat', 'Contact', '__proto__', 'invoiceparty'].map((resource): [Json, number, string] => [
      { resource },
      403,
      `Field: [resource] has an invalid value: [${resource}] for validation: [resources]`,
    ]),
    [
      { resource: 'contact', format: 'xml' },
      403,
      'Field: [format] has an invalid value: [xml] for validation: [ndjson,csv]',
    ],
    [{ resource: 'contact', raw: 2 }, 403, 'Field: [raw] has an invalid value: [2] for validation: [0,1]'],
    [{ resource: 'contact', page: 1 }, 403, 'Field: [page] not found in model'],
    [
      { resource: 'contact', webhook_url: 'https://10.0.0.1/' },
      403,
      'Field: [webhook_url] has an invalid value: [https://10.0.0.1/] for validation: [https, publicly accessible]',
    ],
  ];
  for (const [body, status, message] of refusals)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      expect(await client.post('/export', body)).to.be.refused(status, message);
    });

  for (const parameters of [
    { filter: 'colour:red' },
    { filter: '' },
    { filter: 'city' },
    { filter: 'city[is]:x' },
    { filter: 'contact_kind:abc' },
    { filter: 'created_at[gt]:2026-02-30' },
    { filter: 'contact_kind[like]:1*' },
    { filter: 'city:x', fields: 'colour' },
    { fields: '' },
    { sort: '-colour,flavour' },
    { fields: 'colour', sort: 'flavour', filter: 'taste:1' },
  ])
    it(`refuses as the list does: ${JSON.stringify(parameters)}`, async () => {
      const list = await client.get(`/contact?${new URLSearchParams(Object.entries(parameters))}`);

      const { status, body } = await client.post('/export', { resource: 'contact', ...parameters });

      expect(list.status).to.be.oneOf([400, 403]);
      expect([status, body.errors]).to.deep.equal([list.status, list.body.errors]);
    });

  it('knows no write-only field, and shows none', async () => {
    for (const parameters of [{ fields: 'password' }, { sort: 'password' }, { filter: 'password:x' }])
      expect(await client.post('/export', { resource: 'employee', ...parameters })).to.be.refused(
        403,
        'Field: [password] not found in model',
      );

    const { text } = await exported(client, { resource: 'employee', format: 'csv' });

    expect(text.split('\r\n')[0])
      .to.include('username')
      .and.not.to.match(/password|owner_id|version/);
    expect(text).not.to.include('argon2');
  });

  it('expires with its filter when a contact of the garage is anonymised', async () => {
    const { id } = await buildBuyer(client, { last_name: 'Zonderling' });
    const answer = await client.post('/export', { resource: 'contact', filter: 'last_name:Zonderling' });
    const { zip } = await fetched(client, answer.data.job_id);

    expect((await client.put(`/contact/anonymise?id=${id}`)).status).to.equal(200);

    const { params } = await jobRow(answer.data.job_id);
    expect((await client.get(`/job/${answer.data.job_id}`)).data).to.include({ status: 'expired' });
    expect(existsSync(zip)).to.equal(false);
    expect(params).to.equal('{}');
  });

  it('shows its job, calls back, and takes a request again by its Idempotency-Key', async () => {
    const receiver = await openReceiver();
    const body = { resource: 'contact', webhook_url: receiver.url('/exported') };
    const headers = { 'Idempotency-Key': 'export-1' };

    const first = await client.post('/export', body, headers);
    const again = await client.post('/export', body, headers);
    await receiver.waitFor(1);

    const { data } = await client.get(`/job/${first.data.job_id}`);
    await receiver.close();
    expect(again.data).to.deep.equal(first.data);
    expect(first.headers.get('location')).to.match(/\/v2\/job\/[0-9a-f-]{36}$/);
    expect(data).to.include({ kind: 'export', status: 'done', progress: 100, error: null });
  });
});
