// The bench's hand-written baselines must answer like the service, or its ratios mean nothing. These tests compare
// them in every run, so that the baselines follow the service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { makePoints, type Point } from '../../bench/points.ts';
import type { Server } from '../../bench/process.ts';
import { requestsFor } from '../../bench/requests.ts';
import { type Caller, demandSame } from '../../bench/same.ts';
import { startBaseline } from '../../bench/servers.ts';
import { seed } from '../../src/business/seed/seed.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { select } from '../support/database/sql.ts';
import { database, type Garage, makeGarage, PASSWORD, theService } from '../support/service/service.ts';

const { HIGH, LOW } = LISTS.vatcodes;

describe('the baselines of the bench', function () {
  this.timeout(60_000);

  let garage: Garage;
  let folder: string;
  let points: Point[];
  const baselines: Server[] = [];
  const callers: Caller[] = [];

  before(async () => {
    garage = await makeGarage();
    await seed(database(), { owner: garage.owner, orders: 400 });
    folder = await mkdtemp(join(tmpdir(), 'forecourt-baselines-'));
    const settings = { storage: folder, connection: theService().base.connection, logs: folder };
    for (const name of ['http', 'koa'] as const) baselines.push(await startBaseline(settings, name));
    for (const { url } of [theService(), ...baselines]) callers.push({ url, token: garage.token });
    const { apiKey: api_key, username } = garage;
    const login = { api_key, username, password: PASSWORD };
    const requests = await requestsFor(database().knex, garage.owner, login);
    const service = { url: theService().url, newToken: async () => garage.token };
    points = await makePoints(requests, service, ['service', 'http', 'koa']);
  });

  after(async () => {
    for (const baseline of baselines) await baseline.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const [kind, count] of [
    ['read', 11],
    ['write', 2],
    ['delete', 1],
    ['login', 1],
  ] as const) {
    it(`give the service's answers to every ${kind}`, async () => {
      const ofKind = points.filter((point) => point.kind === kind);

      for (const point of ofKind) await demandSame(callers, point);

      expect(ofKind).to.have.length(count);
    });
  }

  it('keep the totals of every order equal to the sums of its lines', async () => {
    const writes = points.filter(({ kind }) => kind === 'write' || kind === 'delete');

    for (const point of writes) await demandSame(callers, point);

    const { DEPOSIT } = LISTS.linekinds;
    const netOf = (code: number) => `SUM(IF(l.vat_code = ${code}, l.line_net, 0))`;
    const vat = 'ROUND(MAX(o.net_high) * 0.21, 2) + ROUND(MAX(o.net_low) * 0.09, 2)';
    const wrong = await select(
      database(),
      'SELECT o.id FROM orders o JOIN orderlines l ON l.owner_id = o.owner_id AND l.order_id = o.id WHERE o.owner_id = ? AND o.is_vat_included = 0 ' +
        // A final invoice and its deposits bear the VAT of the whole, so each alone may be a cent off.
        `GROUP BY o.id HAVING SUM(l.line_kind = ${DEPOSIT}) = 0 AND (MAX(o.net_high) <> ${netOf(HIGH)} OR MAX(o.net_low) <> ${netOf(LOW)} OR ` +
        `MAX(o.total_net) <> SUM(l.line_net) OR MAX(o.total_vat) <> ${vat} OR MAX(o.total_gross) <> SUM(l.line_net) + ${vat})`,
      [garage.owner],
    );
    expect(wrong).to.deep.equal([]);
  });

  it('refuse an unknown token', async () => {
    const headers = { token: 'unknown' };

    const answers = await Promise.all(callers.map(({ url }) => fetch(`${url}/v2/order`, { headers })));

    expect(answers.map(({ status }) => status)).to.deep.equal([401, 401, 401]);
  });
});
