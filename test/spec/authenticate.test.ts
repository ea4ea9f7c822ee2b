// The specification's errors of /authenticate and the endpoints below it.
import { build } from '../support/build/build.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { PASSWORD } from '../support/service/service.ts';
import { clearFailures, login } from './login.ts';
import { row } from './row.ts';

const TABLE = 'Per endpoint';
const UNKNOWN_TOKEN = { token: 'A'.repeat(43) };
const WRONG = {
  username: 'nobody',
  password: 'not the right one',
  api_key: '00000000-0000-4000-8000-000000000000',
  organization_name: 'Another garage',
};

describe('specification: errors of /authenticate', () => {
  let client: Client;
  let username: string;
  before(async () => {
    client = await newClient();
    await clearFailures();
  });
  after(clearFailures);
  beforeEach(() => {
    username = `spec-${crypto.randomUUID()}`;
  });

  const employee = (fields: object) => build(client, 'employee', { username, password: PASSWORD, ...fields });

  row(TABLE, 'GET /authenticate | Not logged in, or token invalid', async (says) => {
    for (const [name, value] of Object.entries(WRONG)) {
      expect(await login(client.garage, { [name]: value }), name).to.be.refused(...says());
    }
  });

  row(TABLE, 'GET /authenticate | External user cannot log in', async (says) => {
    await employee({ emailaddress: 'anna@garage.example', is_external: 1 });

    expect(await login(client.garage, { username })).to.be.refused(...says());
  });

  row(TABLE, 'GET /authenticate | User has no e-mail address', 'in Dutch', async (says) => {
    const { id } = await employee({});

    expect(await login(client.garage, { username })).to.be.refused(...says(id));
  });

  row(TABLE, 'GET /authenticate | Invalid e-mail address', async (says) => {
    await employee({ emailaddress: 'anna at garage' });

    expect(await login(client.garage, { username })).to.be.refused(...says('anna at garage'));
  });

  for (const name of ['/acces', '/component', '/modules']) {
    row(
      TABLE,
      'GET /authenticate/acces, /component, /modules | Not logged in, or token invalid',
      name,
      async (says) => {
        expect(await send('GET', `/authenticate${name}`)).to.be.refused(...says());
        expect(await send('GET', `/authenticate${name}`, { headers: UNKNOWN_TOKEN })).to.be.refused(
          ...says(),
        );
      },
    );
  }

  row(TABLE, 'GET /authenticate/logout | Not logged in', async (says) => {
    expect(await send('GET', '/authenticate/logout')).to.be.refused(...says());
  });

  row(TABLE, 'GET /authenticate/logout | Token already invalid', async (says) => {
    const { token } = (await login(client.garage)).body;
    await send('GET', '/authenticate/logout', { headers: { token } });
    const [successCode, message] = says();

    for (const headers of [{ token }, UNKNOWN_TOKEN]) {
      const answer = await send('GET', '/authenticate/logout', { headers });

      expect(answer.status).to.equal(successCode);
      expect(answer.body).to.deep.equal({ successCode, message });
    }
  });

  row(TABLE, 'GET /authenticate/fingerprint | Not logged in', async (says) => {
    expect(await send('GET', '/authenticate/fingerprint')).to.be.refused(...says());
  });

  row(TABLE, 'GET /authenticate/fingerprint | Token invalid', async (says) => {
    const answer = await send('GET', '/authenticate/fingerprint', { headers: UNKNOWN_TOKEN });

    expect(answer).to.be.refused(...says());
  });

  const forgot = 'POST /authenticate/forgotpassword | Not logged in, or token invalid';
  for (const [name, headers] of [
    ['not logged in', undefined],
    ['token invalid', UNKNOWN_TOKEN],
  ] as const) {
    row(TABLE, forgot, name, async (says) => {
      expect(await send('POST', '/authenticate/forgotpassword', { headers })).to.be.refused(...says());
    });
  }
});
