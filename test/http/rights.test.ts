// Who may use each operation: users of each role, a key without rights and a caller without a token ask for all of them
// over real HTTP. The operation declares what it needs, and the contract says the same.

import { operationsOf } from '../../src/http/endpoint.ts';
import { endpoints } from '../../src/http/endpoints/table.ts';
import type { Need } from '../../src/platform/auth/permission.ts';
import { send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { makeGarage } from '../support/service/service.ts';
import '../support/client/resources.ts';

/** What the contract says of operations for which no role, or an ADMIN only, is enough; of any other, see `needOf`. */
const SAID: Readonly<Record<string, Need>> = {
  'GET /authenticate': 'nothing',
  'POST /authenticate': 'nothing',
  'GET /authenticate/logout': 'nothing',
  'GET /debtor': 'USER',
  ...Object.fromEntries(
    ['employee', 'workplace', 'workhour', 'absence', 'webhooksubscription', 'vatregime'].flatMap((name) =>
      ['POST', 'PUT', 'DELETE'].map((method) => [`${method} /${name}`, 'ADMIN']),
    ),
  ),
  ...Object.fromEntries(
    [
      'GET /vatregime',
      'GET /webhooksubscription',
      'POST /webhooksubscription/test',
      'GET /webhookdelivery',
      'POST /webhookdelivery/redeliver',
      'PUT /owner',
      'DELETE /contact',
      'DELETE /vehicle',
      'POST /contact/personaldata',
      'PUT /contact/anonymise',
      'POST /backup/owner',
      'POST /import',
      'GET /audit',
      'GET /vatreturn',
      'GET /vatreturn/lines',
      'GET /icp',
    ].map((operation) => [operation, 'ADMIN']),
  ),
};

/** Every key may use `/authenticate/…`, and a READONLY user may only GET. */
const needOf = (method: string, path: string): Need =>
  SAID[`${method} ${path}`] ??
  (path.startsWith('/authenticate/') ? 'token' : method === 'GET' ? 'READONLY' : 'USER');

/** From the caller with the fewest rights to the one with the most. */
const CALLERS = ['nothing', 'token', 'READONLY', 'USER', 'ADMIN'] as const satisfies readonly Need[];
const REFUSALS: Readonly<Record<Need, string>> = {
  nothing: 'not logged in',
  token: 'key_forbids',
  READONLY: 'role_forbids',
  USER: 'role_forbids',
  ADMIN: 'role_forbids',
};

describe('an operation:', () => {
  const tokens: Partial<Record<Need, string>> = {};
  before(async () => {
    const { owner, token } = await makeGarage();
    tokens.ADMIN = token;
    for (const role of ['USER', 'READONLY'] as const)
      tokens[role] = (await makeGarage({ owner, role })).token;
    tokens.token = (await makeGarage({ owner, allow: ['GET /nowhere'] })).token;
  });

  /** How the service refuses a request that is wrong behind the check of rights; undefined: not for its rights. */
  async function refusalOf(method: string, path: string, caller: Need): Promise<string | undefined> {
    const token = tokens[caller];
    const headers: Record<string, string> = token === undefined ? {} : { token };
    const { status, body } = await send(method, `${path}?colour=red`, { headers });
    return status === 401 ? 'not logged in' : body.code === 'parameter_unsupported' ? undefined : body.code;
  }

  for (const endpoint of endpoints()) {
    for (const [method, { needs, takesToken }] of operationsOf(endpoint)) {
      it(`${method} ${endpoint.path} needs ${needs}`, async () => {
        const path = endpoint.path.replace('{id}', '5');
        const found = [];
        for (const caller of CALLERS) found.push(await refusalOf(method, path, caller));

        const first = CALLERS.indexOf(takesToken ? 'token' : needs);
        expect(found).to.deep.equal(
          CALLERS.map((caller, index) => (index < first ? REFUSALS[caller] : undefined)),
        );
        expect(needs, 'if it is right, say so in SAID of test/http/rights.test.ts').to.equal(
          needOf(method, endpoint.path),
        );
      });
    }
  }
});
