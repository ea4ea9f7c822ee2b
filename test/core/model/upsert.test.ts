// PUT with the integrator's own key: changes the record with that key, or adds it.

import { takesUpsert } from '../../../src/core/model/writes/upsert.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildInvoice, sampleBody } from '../../support/build/build.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { garageOf, messages, RESOURCES, taking } from '../../support/client/resources.ts';
import { AT_ONCE, atOnce } from '../../support/database/at-once.ts';
import { makeGarage } from '../../support/service/service.ts';

const INVALID = 'Primary ID is not an valid ID';
const CONTACT = { contact_kind: 1, last_name: 'Jansen', country_id: 1 };
const UPSERTED = taking('PUT').filter(takesUpsert);

let keys = 0;
const newKey = () => {
  keys += 1;
  return `K-${keys}`;
};

describe('an upsert', () => {
  for (const resource of UPSERTED) {
    it(`adds and then changes ${resource.name}`, async () => {
      const client = await garageOf(resource);
      const path = `/${resource.name}?external_id=upsert-1`;

      const added = await client.put(path, await sampleBody(client, resource));
      const changed = await client.put(path, { is_archived: 1 });

      expect(added.status, added.text).to.equal(201);
      expect(added.headers.get('location')).to.match(new RegExp(`/v2/${resource.name}/${added.data.id}$`));
      expect(added.data.external_id).to.equal('upsert-1');
      expect([changed.status, changed.data.id, changed.data.is_archived]).to.deep.equal([
        200,
        added.data.id,
        1,
      ]);
      expect([added, changed].map(({ headers }) => headers.get('etag'))).to.deep.equal(['"1"', '"2"']);
    });
  }

  let client: Client;
  before(async () => {
    client = await newClient();
  });
  const put = (key: string, body: Json, headers: Record<string, string> = {}, as = client) =>
    as.put(`/contact?external_id=${encodeURIComponent(key)}`, body, headers);

  it('requires when it adds what POST requires', async () => {
    expect(messages(await put(newKey(), { first_name: 'Zoë' }))).to.deep.equal([
      'Field: [contact_kind] is required and not supplied in request',
      'Field: [last_name] is required and not supplied in request',
      'Field: [country_id] is required and not supplied in request',
    ]);
  });

  it('takes no other external_id, and no ID beside it', async () => {
    const key = newKey();
    const { id } = (await put(key, { ...CONTACT, external_id: key })).data;

    for (const external_id of ['other', '', null, 5])
      expect(await put(key, { external_id })).to.be.refused(400, INVALID);
    expect(await put(key, { id })).to.be.refused(400, INVALID);
    expect(await client.put(`/contact/${id}?external_id=${key}`, CONTACT)).to.be.refused(400, INVALID);
    expect(await client.put(`/contact?id=${id}&external_id=${key}`, CONTACT)).to.be.refused(400, INVALID);
    expect(await put('', CONTACT)).to.be.refused(400, INVALID);
    expect(await put(key, {})).to.be.refused(400, 'Empty body');
    expect((await put(key, { external_id: key, last_name: 'de Boer' })).data.last_name).to.equal('de Boer');
  });

  it('refuses a key that the field refuses', async () => {
    expect(messages(await put('x'.repeat(65), { ...CONTACT, language: 5 }))).to.deep.equal([
      'Field: [language] has an invalid value: [5] for datatype: varchar',
      'Field: [external_id] valuelength: [65] too long for datatype: varchar: [64]',
    ]);
    expect((await put('sleutel, één/½ "😀"', CONTACT)).data.external_id).to.equal('sleutel, één/½ "😀"');
  });

  it('changes no record whose key differs in blanks at the end', async () => {
    const key = newKey();
    const { id } = (await put(key, CONTACT)).data;

    const answer = await put(`${key} `, { ...CONTACT, notes: 'of another one' });

    expect(answer).to.be.refused(409, `Field: [external_id] value: [${key} ] has a duplicate illegal value`);
    expect((await client.get(`/contact/${id}`)).data.notes).to.equal(null);
  });

  it('finds only records of its own garage', async () => {
    const stranger = await newClient();
    const key = newKey();
    const theirs = (await put(key, CONTACT, {}, stranger)).data;

    const { status, data } = await put(key, CONTACT);

    expect([status, data.id === theirs.id]).to.deep.equal([201, false]);
  });

  it('demands the version of If-Match, which no missing record has', async () => {
    const key = newKey();
    const changed = 'Record was changed by another request';

    expect(await put(key, CONTACT, { 'if-match': '"1"' })).to.be.refused(412, changed);
    expect(await put(key, CONTACT, { 'if-match': '*' })).to.be.refused(412, changed);
    await put(key, CONTACT);
    expect(await put(key, CONTACT, { 'if-match': '"2"' })).to.be.refused(412, changed);
    expect((await put(key, { language: 'nl' }, { 'if-match': '"1"' })).status).to.equal(200);
  });

  it('needs the permission to POST where it adds', async () => {
    const garage = await makeGarage();
    const weak = clientOf(await makeGarage({ owner: garage.owner, allow: ['PUT /contact'] }));
    const key = newKey();

    expect(await put(key, CONTACT, {}, weak)).to.be.refused(
      403,
      'Endpoint: [POST /contact] is not allowed for this api_key',
    );
    await put(key, CONTACT, {}, clientOf(garage));
    expect((await put(key, { language: 'nl' }, {}, weak)).status).to.equal(200);
  });

  it('unblocks a blocked record also if the body names the key', async () => {
    const key = newKey();
    await put(key, { ...CONTACT, is_blocked: 1 });

    expect(await put(key, { external_id: key, language: 'nl' })).to.be.refused(
      409,
      'This is a blocked record, fields cannot be changed, only update: is_blocked',
    );
    expect((await put(key, { external_id: key, is_blocked: 0 })).status).to.equal(200);
  });

  it(`makes one record of ${AT_ONCE} at once`, async () => {
    const { id } = await build(client, 'contact');
    const path = '/contactcommunication?external_id=at-once';
    const body = { contact_id: id, communication_type: LISTS.communicationtypes.PHONE, value: '030 1234567' };

    // All of them have looked for the key when they wait for the contact.
    const answers = await atOnce(client, ['contact', id], (index) =>
      client.put(path, { ...body, description: `try ${index}` }),
    );

    const stored = await client.get('/contactcommunication?filter=external_id:at-once');
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(AT_ONCE - 1).fill(200), 201]);
    expect(stored.data).to.have.length(1);
    expect(new Set(answers.map(({ data }) => data.id)).size).to.equal(1);
  });

  it('answers an upsert that comes twice at once alike, also where only one record may be', async () => {
    const invoice = await buildInvoice(client);
    const payment = { order_id: invoice.id, amount: invoice.total_gross, paid_at: '2026-05-01', method: 3 };

    // All of them have looked for the key when they wait for the invoice.
    const answers = await atOnce(client, ['order', invoice.id], () =>
      client.put('/payment?external_id=bank-1', payment),
    );

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses, answers.map(({ text }) => text).join()).to.deep.equal([200, 200, 200, 201]);
    expect((await client.get(`/order/${invoice.id}`)).data.amount_open).to.equal(0);
  });

  it('leaves no gap in the numbers when many come at once', async () => {
    const first = await build(client, 'contact');
    const key = newKey();

    await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(key, { ...CONTACT, notes: `try ${index}` })),
    );

    expect((await build(client, 'contact')).contact_number).to.equal(first.contact_number + 2);
  });

  it('is refused like a POST if another field is there already', async () => {
    await put(newKey(), { ...CONTACT, debtor_number: 'D-1' });

    expect(await put(newKey(), { ...CONTACT, debtor_number: 'D-1' })).to.be.refused(
      409,
      'Field: [debtor_number] value: [D-1] has a duplicate illegal value',
    );
  });

  it('refuses keys in another encoding, which would all be the same key', async () => {
    const broken = 'Parameter invalid [external_id] value is not UTF-8';
    const put = (key: string) => client.put(`/contact?external_id=${key}`, CONTACT);

    expect(await put('M%FCller')).to.be.refused(400, broken);
    expect(await put('M%F6ller%EF%BF%BD')).to.be.refused(400, broken);
    expect((await put('M%EF%BF%BDller')).data.external_id).to.equal('M\ufffdller');
  });

  it('is a PUT only, of what can be added', async () => {
    const unsupported = 'Invalid request, query parameter is not supported: [external_id]';

    expect(await client.get('/contact?external_id=K-1')).to.be.refused(400, unsupported);
    expect(await client.del('/contact?external_id=K-1')).to.be.refused(400, unsupported);
    expect(await client.post('/contact?external_id=K-1', CONTACT)).to.be.refused(400, unsupported);
    for (const { name } of RESOURCES.filter((one) => !UPSERTED.includes(one) && one.methods.includes('PUT')))
      expect(await client.put(`/${name}?external_id=K-1`, { phone: '1' })).to.be.refused(400, unsupported);
  });
});
