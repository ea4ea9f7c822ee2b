// Which endpoint a path and a method reach, and in which order the shared checks refuse a request.
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { theService } from '../support/service/service.ts';

describe('routes', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const ALLOWED: [method: string, path: string, endpoint: string, allow: string][] = [
    ['DELETE', '/vehicle/publishstop', '/vehicle/publishstop', 'PUT'],
    ['GET', '/vehicle/publishstop', '/vehicle/publishstop', 'PUT'],
    ['PUT', '/contact/checkaddress', '/contact/checkaddress', 'GET'],
    ['GET', '/order/5/flatrate', '/order/{id}/flatrate', 'POST'],
    ['POST', '/country', '/country', 'GET, PUT, DELETE'],
    ['PATCH', '/order/5', '/order', 'GET, POST, PUT, DELETE'],
    ['HEAD', '/job/redeliver', '/job/redeliver', 'POST'],
  ];
  for (const [method, path, endpoint, allow] of ALLOWED) {
    it(`refuse ${method} ${path} and name the methods of the endpoint`, async () => {
      const answer = await client.request(method, path);

      expect(answer.headers.get('allow')).to.equal(allow);
      if (method !== 'HEAD')
        expect(answer).to.be.refused(400, `Method: [${method}] not supported for endpoint: [${endpoint}]`);
    });
  }

  for (const path of [
    '/Order',
    '/util/List',
    '/orders',
    '/order/5/lines',
    '/order//',
    '/order/5/flatrate/1',
    '/model/order/x',
  ]) {
    it(`refuse ${path}, which is no endpoint`, async () => {
      const answer = await client.get(path);

      expect(answer).to.be.refused(400, `Invalid endpoint: [${path}]`);
    });
  }

  for (const path of ['/METRICS', '/Health/ready', '/FILES/x', '/Password-reset', '/Swagger/']) {
    it(`refuse ${path} outside /v2`, async () => {
      const answer = await send('GET', `${theService().url}${path}`);

      expect(answer).to.be.refused(400, `Invalid endpoint: [${path}]`);
    });
  }

  it('accept a slash at the end of a path', async () => {
    const { id } = await build(client, 'contact');

    expect((await client.get('/contact/')).status).to.equal(200);
    expect((await client.get(`/contact/${id}/`)).data.id).to.equal(id);
    // Not by the client, which knows the paths of the description only.
    expect((await fetch(`${theService().url}/v2/openapi.json/`)).status).to.equal(200);
  });

  it('do not decode an ID', async () => {
    expect(await client.get('/order/%35')).to.be.refused(403, 'Primary ID is invalid');
    expect(await client.get('/model/%6frder')).to.be.refused(404, 'Field: [name] value: [%6frder] not found');
  });

  it('refuse by endpoint, method, token, permission, parameters, primary ID and body, in this order', async () => {
    const reader = await newClient({ allow: ['GET /order'] });
    const put = (path: string, token: string) =>
      send('PUT', path, { body: '[', headers: { token, 'content-type': 'application/json' } });
    const { token } = client.garage;

    expect(await put('/nowhere?a=1&a=2', 'dead')).to.be.refused(400, 'Invalid endpoint: [/nowhere]');
    expect(await put('/webhook?a=1&a=2', 'dead')).to.be.refused(
      400,
      'Method: [PUT] not supported for endpoint: [/webhook]',
    );
    expect(await put('/order/x?a=1&a=2', 'dead')).to.be.refused(401, 'Not authorized');
    expect(await put('/order/x?a=1&a=2', reader.garage.token)).to.be.refused(
      403,
      'Endpoint: [PUT /order] is not allowed for this api_key',
    );
    expect(await put('/order/x?b=1&a=1&a=2', token)).to.be.refused(
      400,
      'Invalid request, query parameter is provided more than once: [a]',
    );
    expect(await put('/order/x?b=1', token)).to.be.refused(
      400,
      'Invalid request, query parameter is not supported: [b]',
    );
    expect(await put('/order/x', token)).to.be.refused(400, 'Primary ID is not an valid ID');
    expect(await put('/order/5', token)).to.be.refused(400, 'Body is not valid JSON');
  });
});
