// The specification's general errors.
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { database } from '../support/service/service.ts';
import { row } from './row.ts';

describe('specification: General', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const ADDRESS = '/contact/checkaddress?postcode=3511%20AB&huisnummer=12&country_id=1';

  row('General', 'Internal error', async (says) => {
    const rename = (from: string, to: string) => database().knex.schema.renameTable(from, to);
    await rename('addresses', 'addresses_away');

    const answer = await client.get(ADDRESS).finally(() => rename('addresses_away', 'addresses'));

    expect(answer).to.be.refused(...says());
    const [code, message] = ['internal_error', 'Internal server error'];
    expect(answer.body, 'nothing of what went wrong').to.deep.equal({
      errorCode: 500,
      message,
      code,
      errors: [{ code, message }],
      request_id: answer.headers.get('x-request-id'),
    });
    expect([...answer.headers].join(), 'nor in a header').not.to.match(/addresses|select|\.[jt]s\b|stack/i);
    expect((await client.get(ADDRESS)).status).to.equal(200);
  });

  row('General', 'Query parameter given more than once', async (says) => {
    expect(await client.get('/order?page=1&page=1')).to.be.refused(...says('page'));
    expect(await client.get('/order?foo=1&foo=2')).to.be.refused(...says('foo'));
    expect(await client.del('/order?id=1&id=1')).to.be.refused(...says('id'));
  });

  row('General', 'Query parameter not supported', async (says) => {
    expect(await client.get('/order/1?page=1')).to.be.refused(...says('page'));
    expect(await client.post('/order?id=1', {})).to.be.refused(...says('id'));
    expect(await client.get('/authenticate/modules?foo=1')).to.be.refused(...says('foo'));
  });

  row('General', 'Endpoint does not exist', async (says) => {
    for (const path of [
      '/invoice',
      '/Order',
      '/order/1/lines',
      '/employe/email',
      '/',
      '/invoice/',
      '/order//',
      '//order',
    ]) {
      expect(await client.get(`${path}?x=1`)).to.be.refused(...says(path));
    }
  });

  row('General', 'Method not supported', async (says) => {
    const answer = await client.post('/util/list', {});

    expect(answer).to.be.refused(...says('POST', '/util/list'));
    expect(answer.headers.get('allow')).to.equal('GET');
    expect(await client.post('/openapi.json', {})).to.be.refused(...says('POST', '/openapi.json'));
    expect(await client.request('PATCH', '/order/1')).to.be.refused(...says('PATCH', '/order'));
  });
});
