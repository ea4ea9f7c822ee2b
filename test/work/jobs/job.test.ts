// Jobs over HTTP: identical requests, progress, cancelling, results.
import { randomUUID } from 'node:crypto';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, clientOf, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute } from '../../support/database/sql.ts';
import { heldJob, jobRow, letRun, runElsewhere, takeRoom } from '../../support/service/job.ts';
import { database, makeGarage } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const HOOK = 'https://127.0.0.1:1/hook';
const { documenttypes, jobstatuses } = LISTS;
const { DONE, FAILED } = jobstatuses;
const statusNamed = (name: string) => jobstatuses[name.toUpperCase() as keyof typeof jobstatuses];

describe('a job', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  const asked = async (path: string, body: object, as = client): Promise<string> => {
    const answer = await as.post(path, body);
    expect(answer.status, answer.text).to.equal(202);
    return answer.data.job_id;
  };
  const change = (id: string, assignments: string) =>
    execute(database(), `UPDATE jobs SET ${assignments} WHERE id = ?`, [id]);

  it('that is still queued is the answer to an identical request', async () => {
    const id = await heldJob(client, { webhookUrl: HOOK });

    const again = await client.post('/backup/owner', { webhook_url: HOOK });

    expect(again.status).to.equal(202);
    expect(again.data).to.deep.equal({ job_id: id, status: 'queued' });
    expect(again.headers.get('location')).to.match(new RegExp(`/v2/job/${id}$`));
    expect((await client.get('/job')).data).to.have.length(1);
  });

  it('is a new one for another address, parameters, kind, owner or key', async () => {
    const order = await build(client, 'order');
    const other = await build(client, 'order');
    const quotation = { document_type: documenttypes.QUOTATION, order_ids: [order.id] };
    const colleague = clientOf(await makeGarage({ owner: client.garage.owner }));
    const first = await heldJob(client, { webhookUrl: HOOK });
    const generation = {
      kind: 'document-generation' as const,
      params: { document_type: documenttypes.QUOTATION, order_ids: [order.id] },
      webhookUrl: HOOK,
    };
    const second = await heldJob(client, generation);

    const ids = [
      first,
      second,
      await asked('/backup/owner', { webhook_url: `${HOOK}2` }),
      await asked('/backup/owner', { webhook_url: HOOK }, colleague),
      await asked('/backup/owner', { webhook_url: HOOK }, await newClient()),
      await asked('/document/generate', { ...quotation, order_ids: [other.id], webhook_url: HOOK }),
      await asked('/document/generate', {
        ...quotation,
        document_type: documenttypes.WORK_ORDER,
        webhook_url: HOOK,
      }),
    ];

    expect(new Set(ids).size).to.equal(ids.length);
    expect(await asked('/document/generate', { ...quotation, webhook_url: HOOK })).to.equal(second);
  });

  it('that runs or has ended is not the answer to another request', async () => {
    const running = await heldJob(client, { webhookUrl: HOOK });
    await runElsewhere(running);

    const next = await asked('/backup/owner', { webhook_url: HOOK });
    await until(async () => Number((await jobRow(next)).status) === DONE);
    const last = await asked('/backup/owner', { webhook_url: HOOK });

    expect(new Set([running, next, last]).size).to.equal(3);
    await client.del(`/job/${running}`);
  });

  it('is made once by twenty identical requests at the same time', async () => {
    const letGo = await takeRoom(client);

    const ids = await Promise.all(
      Array.from({ length: 20 }, () => asked('/backup/owner', { webhook_url: HOOK })),
    );

    expect(new Set(ids).size).to.equal(1);
    await client.del(`/job/${ids[0]}`);
    await letGo();
  });

  it('shows its progress', async () => {
    const id = await heldJob(client);
    await runElsewhere(id, { attempts: 2 });
    await change(id, 'progress = 40');

    const { data } = await client.get(`/job/${id}`);
    await client.del(`/job/${id}`);

    expect(data).to.have.all.keys(
      ...['id', 'job_id', 'kind', 'status', 'progress', 'created_at', 'started_at', 'finished_at', 'error'],
      'callbacks',
    );
    expect(data).to.include({ status: 'running', progress: 40, finished_at: null, error: null });
    expect(data.started_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('is cancelled also if only a newer version knows its kind', async () => {
    const id = await heldJob(client);
    await change(id, "kind = 'of-tomorrow'");

    expect((await client.del(`/job/${id}`)).status).to.equal(200);
    expect((await client.get(`/job/${id}`)).data.status).to.equal('cancelled');
  });

  it('is cancelled while it runs, and no callback is due', async () => {
    const id = await heldJob(client);
    await runElsewhere(id);

    const answer = await client.del(`/job/${id}`);

    expect(answer.body).to.deep.equal({ successCode: 200, data: { id } });
    expect(await jobRow(id)).to.include({ fence: 2, callback_at: null, lease_until: null });
    expect((await client.get(`/job/${id}`)).data.status).to.equal('cancelled');
  });

  it('is not changed when path and query name different jobs', async () => {
    const [one, other] = [await heldJob(client), randomUUID()];

    for (const method of ['GET', 'DELETE'])
      expect(await client.request(method, `/job/${one}?id=${other}`)).to.be.refused(
        400,
        'Primary ID is not an valid ID',
      );
    expect((await client.get(`/job/${one}?id=${one}`)).data.status).to.equal('queued');
  });

  for (const name of ['done', 'failed', 'cancelled', 'expired'] as const) {
    it(`cannot be cancelled when it is ${name}`, async () => {
      const id = await heldJob(client);
      await change(id, `status = ${statusNamed(name)}`);

      expect(await client.del(`/job/${id}`)).to.be.refused(409, `[job] is [${name}], cannot cancel`);
    });
  }

  it('that has failed gives the reason as its result', async () => {
    const id = await heldJob(client);
    await change(id, `status = ${FAILED}, error = 'No space left on the disk for the archive'`);

    const { status, body } = await client.get(`/webhook?id=${(await jobRow(id)).secret}`);

    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      successCode: 200,
      data: { url: null, status: 'failed', message: 'No space left on the disk for the archive' },
    });
    expect((await client.get(`/job/${id}`)).data.error).to.equal('No space left on the disk for the archive');
  });

  it('is refused beyond a hundred open ones of an owner, but not to another owner', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 100; made += 1)
      ids.push(await heldJob(client, { webhookUrl: `${HOOK}${made}` }));

    const refused = await client.post('/backup/owner', { webhook_url: HOOK });
    const identical = await client.post('/backup/owner', { webhook_url: `${HOOK}7` });
    await asked('/backup/owner', { webhook_url: HOOK }, await newClient());
    await client.del(`/job/${ids[0]}`);
    await asked('/backup/owner', { webhook_url: HOOK });

    expect(refused).to.be.refused(429, 'Too many jobs');
    expect(refused.body.code).to.equal('too_many_jobs');
    expect(Number(refused.headers.get('retry-after'))).to.be.above(0);
    expect(identical.data.job_id).to.equal(ids[7]);
  });

  it('that nobody is called back for is polled, and shows its result as /webhook does', async () => {
    const order = await build(client, 'order');
    const id = await asked('/document/generate', {
      document_type: documenttypes.QUOTATION,
      order_ids: [order.id],
    });

    const job = await until(async () => {
      const { data } = await client.get(`/job/${id}`);
      return data.status === 'done' && data;
    });
    const row = await jobRow(id);
    const result = (await client.get(`/webhook?id=${row.secret}`)).data;
    const download = await fetch(job.url);
    const bytes = Buffer.from(await download.arrayBuffer());

    expect(row).to.include({ webhook_url: null, callback_at: null });
    expect(job).to.include({ size: bytes.length, sha256: result.sha256 });
    expect(new URL(job.url).pathname).to.equal(new URL(result.url).pathname);
    expect(Date.parse(job.expires_at)).to.be.within(Date.now() + 23 * 3600_000, Date.now() + 24 * 3600_000);
    expect(JSON.stringify(job)).not.to.include(row.secret);
    expect(await client.post('/job/redeliver', { id })).to.be.refused(
      409,
      '[job] is [without webhook_url], cannot redeliver',
    );
  });

  it('that has failed and has no webhook_url is not called back', async () => {
    const id = await heldJob(client, { webhookUrl: undefined });
    // Its parameters name no orders.
    await change(id, "kind = 'document-generation'");
    await letRun(id);

    await until(async () => Number((await jobRow(id)).status) === FAILED);

    expect(await jobRow(id)).to.include({ callback_at: null, error: 'Internal server error' });
    expect((await client.get(`/job/${id}`)).data).not.to.have.any.keys('url', 'size', 'sha256', 'expires_at');
  });
});
