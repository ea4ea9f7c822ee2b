// The refusals of PUT /contact/anonymise.
import { buildBuyer } from '../../support/build/build.ts';
import { type Client, clientOf, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { database, makeGarage } from '../../support/service/service.ts';
import { anonymise } from './scene.ts';

describe('a request to anonymise', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('finds the contact by the ID of the query or of the body', async () => {
    const [one, other] = [await buildBuyer(client), await buildBuyer(client)];

    expect((await client.put('/contact/anonymise', { id: one.id })).status).to.equal(200);
    expect(await client.put(`/contact/anonymise?id=${one.id}`, { id: other.id })).to.be.refused(
      400,
      'Primary ID is not an valid ID',
    );
    expect(await client.put('/contact/anonymise')).to.be.refused(403, 'No primary ID provided');
    expect(await client.put(`/contact/anonymise?id=${one.id}`, { notes: 'x' })).to.be.refused(
      403,
      'Field: [notes] not found in model',
    );
  });

  it('refuses a contact of another garage, and an unknown one', async () => {
    const theirs = await buildBuyer(await newClient());

    for (const id of [theirs.id, 999_999_999])
      expect(await anonymise(client, id)).to.be.refused(404, `Field: [id] value: [${id}] not found`);
  });

  it('refuses a blocked, an archived and a system contact', async () => {
    const { id } = await buildBuyer(client);
    const refusals: [flag: string, message: string][] = [
      ['is_blocked', 'This is a blocked record, fields cannot be changed, only update: is_blocked'],
      ['is_archived', 'This is an archived record, fields cannot be changed, only update: is_archived'],
      ['is_system', 'This is a system record, fields cannot be changed'],
    ];
    for (const [flag, message] of refusals) {
      await execute(
        database(),
        `UPDATE contacts SET is_blocked = 0, is_archived = 0, ${flag} = 1 WHERE id = ?`,
        [id],
      );
      expect(await anonymise(client, id)).to.be.refused(409, message);
    }
    expect((await client.get(`/contact/${id}`)).data.last_name).to.equal('de Boer');
  });

  it('heeds If-Match', async () => {
    const { id } = await buildBuyer(client);
    const path = `/contact/anonymise?id=${id}`;

    const stale = await client.put(path, undefined, { 'if-match': '"7"' });
    const fresh = await client.put(path, undefined, { 'if-match': '"1"' });

    expect(stale).to.be.refused(412, 'Record was changed by another request');
    expect(fresh.status).to.equal(200);
  });

  it('refuses users who are no ADMIN', async () => {
    const { owner } = client.garage;
    for (const role of ['USER', 'READONLY'] as const) {
      const user = clientOf(await makeGarage({ owner, role }));
      expect(await anonymise(user, 1)).to.be.refused(
        403,
        'Endpoint: [PUT /contact/anonymise] is not allowed for this user',
      );
      expect(await user.post('/contact/personaldata', { id: 1 })).to.be.refused(
        403,
        'Endpoint: [POST /contact/personaldata] is not allowed for this user',
      );
    }
  });
});
