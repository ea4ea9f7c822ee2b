// The specification's one event, the webhook callback: request, callback, result, download.
import { createHash } from 'node:crypto';
import { build } from '../support/build/build.ts';
import { type Answer, type Client, newClient, send } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { until } from '../support/service/until.ts';
import { row, says } from './row.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const THRESHOLD_MS = 500;

describe('specification: events', () => {
  let client: Client;
  let receiver: Receiver;
  let asked: Answer;
  let milliseconds: number;
  before(async () => {
    client = await newClient();
    await build(client, 'order');
    receiver = await openReceiver();
    // The answer to the callback is held back, so that the request can't be finished meanwhile.
    receiver.answerWith({ status: 200, held: true });
    const started = performance.now();
    asked = await askFor(receiver.url('/hook?shop=7'));
    milliseconds = performance.now() - started;
    receiver.release();
    await receiver.waitFor(1);
  });
  after(() => receiver.close());

  const askFor = (webhook_url?: string) => client.post('/backup/owner', { webhook_url });
  const callback = () => new URL(receiver.requests[0]?.url ?? '', receiver.url());
  const secret = () => callback().searchParams.get('id') ?? '';
  const result = () => client.get(`/webhook?id=${secret()}`);

  row('Events', 1, async () => {
    expect(asked.status).to.equal(202);
    expect(asked.body).to.deep.include({ successCode: 202 });
    expect(asked.data.status).to.equal('queued');

    for (const url of ['http://shop.example/hook', 'https://10.0.0.1/hook', 'shop.example/hook']) {
      expect(await askFor(url)).to.be.refused(
        ...says(
          'POST (add one item)',
          'Custom validation fails',
          'webhook_url',
          url,
          'https, publicly accessible',
        ),
      );
    }
  });

  row('Events', 2, async () => {
    const [call] = receiver.requests;

    expect(call?.method).to.equal('GET');
    expect(`${callback().pathname}?shop=${callback().searchParams.get('shop')}`).to.equal('/hook?shop=7');
    expect(secret()).to.match(UUID);
    expect((await client.get(`/job/${asked.data.job_id}`)).data.status).to.equal('done');
  });

  row('Events', 3, async () => {
    const attempts = await until(async () => {
      const { data } = await client.get(`/job/${asked.data.job_id}`);
      return data.callbacks.length > 0 && data.callbacks;
    });

    expect(attempts).to.have.length(1);
    expect(attempts[0], 'satisfied with an empty 200').to.include({ status: 200, error: null });
  });

  row('Events', 4, async () => {
    const { status, data } = await result();

    expect(status).to.equal(200);
    expect(data.url)
      .to.be.a('string')
      .and.match(/^https?:\/\/.*\.zip\?/);
    expect((await send('GET', `/webhook?id=${secret()}`)).status, 'without the token').to.equal(401);
  });

  row('Events', 5, async () => {
    const { data } = await result();

    const download = await fetch(data.url);
    const bytes = Buffer.from(await download.arrayBuffer());

    expect(download.status).to.equal(200);
    expect(bytes.length).to.equal(data.size);
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(data.sha256);
  });

  row('What the service does', 3, async () => {
    expect(asked.data.status, 'at once').to.equal('queued');
    expect((await result()).data.status, 'afterwards').to.equal('done');
  });

  row('Limits', 'Webhook threshold', async () => {
    expect(asked.status).to.equal(202);
    // Other programs of a busy machine may hold one request up, and not each of them.
    let least = milliseconds;
    for (let more = 0; least >= THRESHOLD_MS && more < 5; more += 1) {
      const started = performance.now();
      expect((await askFor(receiver.url('/later'))).status).to.equal(202);
      least = Math.min(least, performance.now() - started);
    }
    expect(least).to.be.below(THRESHOLD_MS);
  });

  row('Endpoints', 'POST | /backup/owner', async () => {
    expect(asked.body.successCode).to.equal(202);
    expect(await askFor()).to.be.refused(...says('POST (add one item)', 'Body empty'));
    expect(await askFor('')).to.be.refused(
      ...says('POST (add one item)', 'Required field missing', 'webhook_url'),
    );
  });

  row('Endpoints', 'GET | /webhook', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';

    expect((await result()).body).to.have.all.keys('successCode', 'data');
    expect(await client.get(`/webhook?id=${unknown}`)).to.be.refused(
      ...says('GET single record', 'Primary ID not found', 'id', unknown),
    );
  });
});
