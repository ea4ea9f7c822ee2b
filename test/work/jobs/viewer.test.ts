// Who sees a job and who ends it: a job counts as its endpoint, for the key and for the user's role.

import { LISTS } from '../../../src/core/trade/lists.ts';
import type { JobRequest } from '../../../src/work/jobs/job-request.ts';
import { build } from '../../support/build/build.ts';
import { type Client, clientOf, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { finished, heldJob, jobRow } from '../../support/service/job.ts';
import { database, type makeGarage, theService } from '../../support/service/service.ts';

const { CANCELLED, DONE, QUEUED } = LISTS.jobstatuses;
const ASKING = ['* /job', '* /job/redeliver', 'GET /webhook'];
const NOT_THEIRS = 'Endpoint: [DELETE /job] is not allowed for this user';

type Kept = Pick<JobRequest, 'kind'> & { readonly params: object };
const list = { filter: null, fields: null, sort: null, format: 'ndjson', raw: 0 };

/** A job of each kind, by the endpoint that it counts as. */
const JOBS: Readonly<Record<string, Kept>> = {
  'POST /backup/owner': { kind: 'owner-backup', params: {} },
  'POST /import': { kind: 'import', params: { resource: 'contact' } },
  'POST /document/generate': { kind: 'document-generation', params: { document_type: 3, order_ids: [1] } },
  'POST /contact/personaldata': { kind: 'personal-data', params: { contact: 1 } },
  'POST /export': { kind: 'journal', params: { from: '2026-01-01', to: '2026-12-31', raw: 0 } },
  'GET /contact': { kind: 'export', params: { resource: 'contact', ...list } },
  'GET /webhooksubscription': { kind: 'export', params: { resource: 'webhooksubscription', ...list } },
};

describe('a job', () => {
  let admin: Client;
  beforeEach(async () => {
    admin = await newClient();
  });

  const colleague = (options: Parameters<typeof makeGarage>[0]) =>
    newClient({ owner: admin.garage.owner, ...options });
  const sees = async (client: Client, id: string) => (await client.get(`/job/${id}`)).status === 200;
  const done = (id: string) =>
    execute(
      database(),
      'UPDATE jobs SET status = ?, file_name = ?, file_size = 1, file_sha256 = ? WHERE id = ?',
      [DONE, `export-${id}-1.zip`, 'a'.repeat(64), id],
    );

  for (const [endpoint, job] of Object.entries(JOBS)) {
    it(`that counts as ${endpoint} is there for a key with that endpoint, and for no other key`, async () => {
      const id = await heldJob(admin, job);
      const others = Object.keys(JOBS).filter((one) => one !== endpoint);
      const allowed = await colleague({ allow: [...ASKING, endpoint] });
      const narrow = await colleague({ allow: [...ASKING, ...others] });

      const answer = await allowed.get('/job?count=1');
      const nothing = await narrow.get(`/job?count=1&filter=kind:${job.kind}`);

      expect(answer.body).to.deep.include({ total: 1 });
      expect(answer.data[0].id).to.equal(id);
      expect(nothing.body).to.deep.include({ data: [], total: 0 });
      expect([await sees(allowed, id), await sees(narrow, id)]).to.deep.equal([true, false]);
    });
  }

  it('is there for a role that may ask for it', async () => {
    const seen: Record<string, string[]> = { ADMIN: [], USER: [], READONLY: [] };

    for (const [endpoint, job] of Object.entries(JOBS)) {
      const id = await heldJob(admin, job);
      for (const role of ['ADMIN', 'USER', 'READONLY'] as const)
        if (await sees(await colleague({ role }), id)) seen[role]?.push(endpoint);
    }

    expect(seen).to.deep.equal({
      ADMIN: Object.keys(JOBS),
      USER: ['POST /document/generate', 'POST /export', 'GET /contact'],
      READONLY: ['GET /contact'],
    });
  });

  it('that somebody may not ask for is unknown at each endpoint', async () => {
    const id = await heldJob(admin);
    const { secret } = await jobRow(id);
    await done(id);
    const user = await colleague({ role: 'USER' });

    const answers = [
      await user.get(`/job/${id}`),
      await user.get(`/job?id=${id}`),
      await user.del(`/job/${id}`),
      await user.post('/job/redeliver', { id }),
    ];
    const result = await user.get(`/webhook?id=${secret}`);

    for (const answer of answers) expect(answer).to.be.refused(404, `Field: [id] value: [${id}] not found`);
    expect(result).to.be.refused(404, `Field: [id] value: [${secret}] not found`);
    expect((await admin.get(`/webhook?id=${secret}`)).data.status).to.equal('done');
    expect(await jobRow(id)).to.include({ status: DONE, callback_at: null });
  });

  it('is cancelled and redelivered by its employee and by an ADMIN only', async () => {
    const [asker, other] = [await colleague({ role: 'USER' }), await colleague({ role: 'USER' })];
    const [id, second] = [
      await heldJob(asker, JOBS['GET /contact']),
      await heldJob(asker, JOBS['POST /export']),
    ];

    const refused = [await other.del(`/job/${id}`), await other.post('/job/redeliver', { id })];
    const untouched = await jobRow(id);
    const own = await asker.del(`/job/${id}`);
    const byAdmin = await admin.del(`/job/${second}`);

    for (const answer of refused) expect(answer).to.be.refused(403, NOT_THEIRS);
    expect(await sees(other, id)).to.equal(true);
    expect(untouched).to.include({ status: QUEUED, callback_at: null });
    expect([own.status, byAdmin.status]).to.deep.equal([200, 200]);
    expect(await jobRow(id)).to.include({ status: CANCELLED });
  });

  it('is redelivered by the employee who asked for it', async () => {
    const asker = await colleague({ role: 'USER' });
    const id = await heldJob(asker, JOBS['GET /contact']);
    await done(id);

    expect((await asker.post('/job/redeliver', { id })).status).to.equal(202);
    expect((await admin.post('/job/redeliver', { id })).status).to.equal(202);
  });

  it('of an employee who was deleted is left to the ADMINs', async () => {
    const [asker, other] = [await colleague({ role: 'USER' }), await colleague({ role: 'USER' })];
    const id = await heldJob(asker, JOBS['GET /contact']);
    const { employee_id = null } = await jobRow(id);
    await admin.del(`/employee/${employee_id}`);

    const refused = await other.del(`/job/${id}`);
    const cancelled = await admin.del(`/job/${id}`);

    expect(refused).to.be.refused(403, NOT_THEIRS);
    expect(cancelled.status).to.equal(200);
    expect(
      (await select(database(), 'SELECT id FROM employees WHERE id = ?', [employee_id])).length,
    ).to.equal(0);
  });

  it('of one employee is not the answer to the same request of another one', async () => {
    const other = await sameKey(admin, await colleague({}));
    const body = { webhook_url: 'https://127.0.0.1:1/same' };
    const id = await heldJob(admin, { webhookUrl: body.webhook_url });

    const again = await admin.post('/backup/owner', body);
    const theirs = await other.post('/backup/owner', body);

    expect(again.data.job_id).to.equal(id);
    expect(theirs.data.job_id).not.to.equal(id);
  });

  it('is downloaded without a token by whoever has its signed address', async () => {
    await build(admin, 'contact');
    const { data } = await admin.post('/export', { resource: 'contact' });

    const { url } = await finished(admin, data.job_id);

    expect((await fetch(String(url))).status).to.equal(200);
  });
});

/** The user of `other` with the key of `client`. */
async function sameKey(client: Client, other: Client): Promise<Client> {
  const { tokens } = theService().service.services;
  const [one, two] = [await tokens.find(client.garage.token), await tokens.find(other.garage.token)];
  if (!one || !two) throw new Error('A token has ended');
  const { token } = await tokens.issue({ ...two, apiKey: one.apiKey });
  return clientOf({ ...other.garage, token });
}
