// What a key and a role may use.
import { build } from '../../support/build/build.ts';
import { type Client, clientOf, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { makeGarage } from '../../support/service/service.ts';

describe('a permission', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  it('allows a special endpoint by its own path, or by that of its resource', async () => {
    const clock = await newClient({ allow: ['POST /timeentry/start', 'PUT /tyreset/swap'] });
    const wide = await newClient({ allow: ['POST /timeentry', 'POST /order/credit', 'PUT /appointment'] });

    expect((await clock.post('/timeentry/start', {})).status).to.equal(201);
    expect(await clock.post('/timeentry/stop', {})).to.be.refused(
      403,
      'Endpoint: [POST /timeentry/stop] is not allowed for this api_key',
    );
    expect((await clock.put('/tyreset/swap', { vehicle_id: 1 })).body.message).to.include('[out_tyreset_id]');
    expect((await wide.post('/timeentry/start', {})).status).to.equal(201);
    expect((await wide.put('/appointment/swap', { first_id: 1 })).body.message).to.include('[second_id]');
    expect(await clock.put('/appointment/swap', { first_id: 1 })).to.be.refused(
      403,
      'Endpoint: [PUT /appointment/swap] is not allowed for this api_key',
    );
    expect(await wide.post('/order/credit', {})).to.be.refused(
      403,
      'Endpoint: [POST /order] is not allowed for this api_key',
    );
    const { data } = await clock.get('/authenticate/acces');
    const own = data.filter(({ endpoint }: Json) => !String(endpoint).startsWith('/authenticate'));
    expect(own).to.deep.equal([
      { method: 'POST', endpoint: '/timeentry/start' },
      { method: 'PUT', endpoint: '/tyreset/swap' },
    ]);
  });

  it('allows each endpoint by the name that /authenticate/acces gives it', async () => {
    const { data } = await client.get('/authenticate/acces');

    const exact = await newClient({
      allow: data.map(({ method, endpoint }: Json) => `${method} ${endpoint}`),
    });

    expect((await exact.get('/authenticate/acces')).data).to.deep.equal(data);
  });

  it('allows the endpoints of the key, and lists them', async () => {
    const limited = await newClient({ allow: ['GET /order', '* /contact', 'POST /vehicle*'] });

    expect((await limited.get('/order')).status).to.equal(200);
    expect((await limited.get('/contact/1')).status).to.equal(404);
    expect(await limited.post('/order', {})).to.be.refused(
      403,
      'Endpoint: [POST /order] is not allowed for this api_key',
    );
    expect(await limited.get('/vehicle?foo=1')).to.be.refused(
      403,
      'Endpoint: [GET /vehicle] is not allowed for this api_key',
    );
    expect((await limited.get('/authenticate/component')).data).to.deep.include({
      name: 'contact',
      can_read: 1,
      can_add: 1,
      can_update: 1,
      can_delete: 1,
    });
    expect((await limited.get('/authenticate/acces')).data).to.deep.include({
      method: 'GET',
      endpoint: '/order',
    });
    expect((await limited.get('/authenticate/acces')).data).not.to.deep.include({
      method: 'POST',
      endpoint: '/order',
    });
  });

  it('lets READONLY only read, and refuses USER the endpoints of ADMIN', async () => {
    const { owner } = client.garage;
    const reader = clientOf(await makeGarage({ owner, role: 'READONLY' }));
    const user = clientOf(await makeGarage({ owner, role: 'USER' }));
    const contact = await build(user, 'contact');

    expect((await reader.get(`/contact/${contact.id}`)).status).to.equal(200);
    expect(await reader.post('/contact', {})).to.be.refused(
      403,
      'Endpoint: [POST /contact] is not allowed for this user',
    );
    for (const [method, path] of [
      ['put', '/owner'],
      ['post', '/employee'],
      ['put', '/employee'],
      ['post', '/backup/owner'],
    ] as const) {
      expect(await user[method](path, {})).to.be.refused(
        403,
        `Endpoint: [${method.toUpperCase()} ${path}] is not allowed for this user`,
      );
    }
    for (const resource of ['contact', 'vehicle', 'employee']) {
      expect(await user.del(`/${resource}/1`)).to.be.refused(
        403,
        `Endpoint: [DELETE /${resource}] is not allowed for this user`,
      );
    }
    expect((await user.del('/turnovergroup/999')).status).to.equal(404);
  });
});
