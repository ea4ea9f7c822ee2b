// A long-running request from end to end: request, work in a real thread, callback over HTTPS, download.
import { createHash, createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { build } from '../../support/build/build.ts';
import { type Client, newClient, send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { heldJob, jobRow } from '../../support/service/job.ts';
import { inStorage } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('a long-running request', () => {
  let client: Client;
  let receiver: Receiver;
  before(async () => {
    client = await newClient();
    await build(client, 'order');
    receiver = await openReceiver();
  });
  after(() => receiver.close());

  const secretOf = (index: number) =>
    new URL(receiver.requests[index]?.url ?? '', 'https://localhost').searchParams.get('id') ?? '';
  const finished = (id: string) =>
    until(async () => {
      const { data } = await client.get(`/job/${id}`);
      return data.callbacks.length > 0 ? data : undefined;
    });

  it('is answered at once, done, called back, and its archive downloaded', async () => {
    const asked = await client.post('/backup/owner', { webhook_url: receiver.url('/hook?shop=7') });
    expect(asked.status).to.equal(202);
    expect(asked.body.successCode).to.equal(202);
    expect(asked.data.status).to.equal('queued');
    expect(asked.headers.get('location')).to.match(new RegExp(`/v2/job/${asked.data.job_id}$`));

    await receiver.waitFor(1);
    const job = await finished(asked.data.job_id);
    const result = await client.get(`/webhook?id=${secretOf(0)}`);
    const download = await fetch(result.data.url);
    const bytes = Buffer.from(await download.arrayBuffer());

    expect(job).to.include({ status: 'done', progress: 100, error: null });
    expect(job.callbacks[0]).to.include({ status: 200, error: null });
    expect(JSON.stringify(job)).not.to.include(secretOf(0));
    expect(result.data).to.include({ status: 'done', size: bytes.length });
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(result.data.sha256);
    expect(download.headers.get('repr-digest')).to.equal(
      `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`,
    );
  });

  it('signs the callback with the webhook secret of the key', async () => {
    const [request] = receiver.requests;
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request?.headers ?? {};
    const signed = `${id}.${timestamp}.${receiver.url('/hook?shop=7')}&id=${secretOf(0)}`;

    const expected = createHmac('sha256', client.garage.webhookSecret).update(signed).digest('base64');

    expect(signature).to.equal(`v1,${expected}`);
  });

  it('serves parts of a file, and nothing without the right signature', async () => {
    const { data } = await client.get(`/webhook?id=${secretOf(0)}`);
    const part = await fetch(data.url, { headers: { range: 'bytes=0-3' } });
    const head = await fetch(data.url, { method: 'HEAD' });
    const later = await send('GET', data.url.replace(/expires=\d+/, 'expires=99999999999'));
    const beyond = await fetch(data.url, { headers: { range: 'bytes=999999999-' } });

    expect(part.status).to.equal(206);
    expect(Buffer.from(await part.arrayBuffer()).toString('latin1')).to.equal('PK\u0003\u0004');
    expect(part.headers.get('content-range')).to.equal(`bytes 0-3/${data.size}`);
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(data.size)]);
    expect(head.headers.get('content-disposition')).to.match(/^attachment; filename="owner-backup-.*\.zip"$/);
    expect(later).to.be.refused(403, 'Not authorized');
    expect(beyond.status).to.equal(416);
  });

  it('shows its job and result to nobody else', async () => {
    const stranger = await newClient();
    const { data } = await client.get('/job');

    expect(data).to.have.length(1);
    expect((await stranger.get('/job')).data).to.deep.equal([]);
    expect(await stranger.get(`/job/${data[0].id}`)).to.be.refused(
      404,
      `Field: [id] value: [${data[0].id}] not found`,
    );
    expect(await stranger.get(`/webhook?id=${secretOf(0)}`)).to.be.refused(
      404,
      `Field: [id] value: [${secretOf(0)}] not found`,
    );
    expect(await stranger.del(`/job/${data[0].id}`)).to.be.refused(
      404,
      `Field: [id] value: [${data[0].id}] not found`,
    );
  });

  it('is called back again on request', async () => {
    const { data } = await client.get('/job');
    const calls = receiver.requests.length;

    const answer = await client.post('/job/redeliver', { id: data[0].id });
    await receiver.waitFor(calls + 1);

    expect(answer.status).to.equal(202);
    expect(secretOf(calls)).to.equal(secretOf(0));
  });

  it('leaves no half-written file', async () => {
    const [{ id }] = (await client.get('/job')).data;
    const files = await readdir(inStorage('archives'));

    expect(files.filter((file) => file.includes(id) && !file.endsWith('.zip'))).to.deep.equal([]);
  });

  it('can be cancelled while it waits, without a callback', async () => {
    const calls = receiver.requests.length;
    const id = await heldJob(client, { webhookUrl: receiver.url('/later') });

    const answer = await client.del(`/job/${id}`);

    expect(answer.body).to.deep.equal({ successCode: 200, data: { id } });
    expect((await client.get(`/job/${id}`)).data).to.include({ status: 'cancelled' });
    expect(await client.del(`/job/${id}`)).to.be.refused(409, '[job] is [cancelled], cannot cancel');
    expect(await client.post('/job/redeliver', { id })).to.be.refused(
      409,
      '[job] is [cancelled], cannot redeliver',
    );
    expect(await jobRow(id)).to.include({ callback_at: null });
    expect(receiver.requests).to.have.length(calls);
  });

  it('takes a UUID only', async () => {
    expect(await client.get('/job/abc')).to.be.refused(403, 'Primary ID is invalid');
    expect(await client.get('/webhook?id=x')).to.be.refused(403, 'Primary ID is invalid');
    expect(await client.get('/webhook')).to.be.refused(400, 'These parameter(s): [id] are required');
  });

  for (const url of [
    'http://example.com/',
    'https://user:pw@example.com/',
    'nonsense',
    'https://10.0.0.1/',
    `https://example.com/${'x'.repeat(2000)}`,
  ]) {
    it(`refuses the webhook_url ${url.slice(0, 40)}`, async () => {
      const answer = await client.post('/backup/owner', { webhook_url: url });

      const shown = url.length > 100 ? `${url.slice(0, 100)}…` : url;
      expect(answer).to.be.refused(
        403,
        `Field: [webhook_url] has an invalid value: [${shown}] for validation: [https, publicly accessible]`,
      );
    });
  }
});
