// An upserting import whose records others add at the same time: it changes them.
import { removeProgress } from '../../../src/work/jobs/upload.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson, person } from '../../support/client/import.ts';
import { importHere, reportOf } from '../../support/client/import-here.ts';
import { locked, waitingFor } from '../../support/database/at-once.ts';
import { select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('an upserting import that meets others', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  /** Imports contacts in this thread, and answers the report. */
  async function upsert(rows: readonly Json[]): Promise<Json[]> {
    const id = await importHere(client, 'contact', rows, { mode: 'upsert' });
    const report = await reportOf(id);
    await removeProgress(database(), id);
    return report;
  }

  it('changes the contacts of the same file that is imported at the same time', async () => {
    await build(client, 'contact');
    const rows = [
      person({ external_id: 'K-1' }),
      person({ external_id: 'K-2', parent_contact_external_id: 'K-1' }),
      person({ external_id: 'K-3' }),
    ];

    const { reports } = await database().transaction(async (session) => {
      const counter = "SELECT value FROM counters WHERE owner_id = ? AND name = 'contact' FOR UPDATE";
      await select(session, counter, [client.garage.owner]);
      const reports = Promise.all([upsert(rows), upsert(rows)]);
      await until(async () => (await waitingFor('counters')) >= 2);
      return { reports };
    });

    const found = (await reports).flat();
    const statuses = [...Array(3).fill('created'), ...Array(3).fill('unchanged')];
    expect(found.map(({ status }) => status).sort()).to.deep.equal(statuses);
    expect(new Set(found.map(({ id }) => id)).size).to.equal(3);
    expect((await client.get('/contact?count=1')).body.total).to.equal(4);
  });

  it('changes records, with and without children, that requests add during its batch', async () => {
    const [held, free] = [await build(client, 'turnovergroup'), await build(client, 'turnovergroup')];
    const flatRate = (code: string, changes: Json = {}): Json => {
      const turnover_group_id = free.id;
      return { code, external_id: code, name: 'Grote beurt', turnover_group_id, ...changes };
    };
    const linesOf = (external_id: string) => [{ external_id, description: 'Beurt', quantity: 1 }];
    const rows = [
      flatRate('A', { turnover_group_id: held.id, flatrateline: linesOf('L') }),
      flatRate('B'),
      flatRate('C', { flatrateline: linesOf('M') }),
      flatRate('D'),
    ];

    const { report, added } = await locked(client, ['turnovergroup', Number(held.id)], async (waiting) => {
      const report = importJson(client, 'resource=flatrate&mode=upsert', rows);
      await waiting(1);
      const put = (code: string) =>
        client.put(`/flatrate?external_id=${code}`, flatRate(code, { name: 'Klein' }));
      return { report, added: [await put('B'), await put('C')] };
    });

    const { rows: reported } = await report;
    expect(added.map(({ status }) => status)).to.deep.equal([201, 201]);
    expect(reported.map(({ status }) => status)).to.deep.equal(['created', 'updated', 'updated', 'created']);
    expect([reported[1].id, reported[2].id]).to.deep.equal(added.map(({ data }) => data.id));
    const { data } = await client.get('/flatrate?sort=code&fields=code,name&expand=flatrateline');
    expect(data.map(({ name }: Json) => name)).to.deep.equal(Array(4).fill('Grote beurt'));
    expect(data[2].flatrateline).to.have.length(1);
  });
});
