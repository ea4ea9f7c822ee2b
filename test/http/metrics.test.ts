// /metrics: text that Prometheus can read, with the figures that an operator needs.

import manifest from '../../package.json' with { type: 'json' };
import { LISTS, lowerNameOf } from '../../src/core/trade/lists.ts';
import { readClock } from '../../src/platform/database/clock.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import { isHeld } from '../../src/platform/database/installation.ts';
import { Metrics } from '../../src/work/metrics.ts';
import { type Client, newClient, send } from '../support/client/client.ts';
import { subscribe } from '../support/client/event.ts';
import { expect } from '../support/client/expect.ts';
import { openReceiver } from '../support/process/https-receiver.ts';
import { theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

interface Sample {
  readonly name: string;
  /** The labels as they stand between the braces. */
  readonly labels: string;
  readonly value: number;
}

// A number as Prometheus reads it: NaN in capitals or small letters.
const SAMPLE =
  /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*)\})? ([Nn]a[Nn]|[+-]Inf|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Reads the text format 0.0.4; throws at the first line that breaks it. */
function read(text: string): Sample[] {
  const types = new Map<string, string>();
  const samples = new Map<string, Sample>();
  for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('# HELP '))) {
    const [, typed, type] = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) {
      expect(types.has(typed), `${typed} is there twice`).to.equal(false);
      types.set(typed, type);
      continue;
    }
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    if (name === undefined) throw new Error(`no line of Prometheus: ${line}`);
    const family = [name, name.replace(/_(bucket|sum|count)$/, '')].find((one) => types.has(one));
    expect(family, `${name} has no type`).to.be.a('string');
    expect(samples.has(`${name}{${labels}}`), line).to.equal(false);
    samples.set(`${name}{${labels}}`, { name, labels, value: Number(value?.replace('Inf', 'Infinity')) });
  }
  return [...samples.values()];
}

describe('/metrics', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  const scrape = async () => {
    const { text, headers } = await send('GET', `${theService().url}/metrics`);
    expect(headers.get('content-type')).to.match(/^text\/plain; version=0\.0\.4/);
    return read(text);
  };
  const values = (samples: Sample[], name: string, labels = '') =>
    samples.filter((one) => one.name === name && one.labels.includes(labels)).map(({ value }) => value);

  it('counts requests by route and status in a histogram, never by path', async () => {
    const labels = 'route="GET /order",status="404"';
    const count = async () => values(await scrape(), 'forecourt_http_request_seconds_count', labels)[0] ?? 0;
    const before = await count();

    await client.get('/order/123456');
    await client.get('/nowhere/123456');
    await send('GET', `${theService().url}/files/123456`);

    expect(await count()).to.equal(before + 1);
    for (const route of ['unknown', 'GET /files/:name', 'GET /metrics'])
      expect(values(await scrape(), 'forecourt_http_request_seconds_count', `route="${route}"`), route).not.to
        .be.empty;
    const samples = await scrape();
    expect(samples.filter((sample) => sample.labels.includes('123456'))).to.deep.equal([]);
    const buckets = values(samples, 'forecourt_http_request_seconds_bucket', labels);
    expect(buckets).to.deep.equal([...buckets].sort((one, other) => one - other));
    expect(buckets.at(-1)).to.equal(before + 1);
  });

  it('shows the event loop, the pool, the threads, and jobs by status', async () => {
    const samples = await scrape();

    for (const name of [
      'nodejs_eventloop_lag_seconds',
      'nodejs_eventloop_lag_p99_seconds',
      'process_cpu_seconds_total',
    ])
      expect(values(samples, name), name).to.have.length(1);
    for (const state of ['used', 'free', 'waiting'])
      expect(values(samples, 'forecourt_database_connections', `state="${state}"`), state).to.have.length(1);
    for (const what of ['running', 'threads', 'waiting'])
      expect(values(samples, 'forecourt_worker_threads', `what="${what}"`), what).to.have.length(1);
    for (const status of Object.values(LISTS.jobstatuses)) {
      const name = lowerNameOf('jobstatuses', status);
      expect(values(samples, 'forecourt_jobs', `status="${name}"`), name).to.have.length(1);
    }
  });

  it('names the version of the service', async () => {
    const found = (await scrape()).filter(({ name }) => name === 'forecourt_build_info');

    const labels = `version="${manifest.version}"`;
    expect(found).to.deep.equal([{ name: 'forecourt_build_info', labels, value: 1 }]);
  });

  it('counts callbacks by outcome', async () => {
    const receiver = await openReceiver();
    const delivered = async () =>
      values(await scrape(), 'forecourt_callback_attempts_total', 'outcome="delivered"')[0] ?? 0;
    const before = await delivered();

    await client.post('/backup/owner', { webhook_url: receiver.url('/hook') });
    await until(async () => (await delivered()) > before);

    expect(receiver.requests).to.have.length(1);
    await receiver.close();
  });

  it('counts tries to send events by outcome', async () => {
    const receiver = await openReceiver();
    receiver.answerWith({ status: 500 });
    const { id } = await subscribe(client, receiver, { resources: ['country'] });
    const failed = async () =>
      values(await scrape(), 'forecourt_delivery_attempts_total', 'outcome="failed"')[0] ?? 0;
    const before = await failed();

    await client.post('/webhooksubscription/test', { id });

    await until(async () => (await failed()) > before);
    await receiver.close();
  });

  it('starts every counter at 0, and shows the other metrics while the database is away', async () => {
    const { service, base } = theService();
    const away = connectDatabase(
      { hosts: [{ host: '127.0.0.1', port: 1 }], user: 'root', database: 'forecourt' },
      base.storage.files,
    );

    const metrics = new Metrics(away, {
      version: manifest.version,
      jobs: () => service.services.jobs,
      isHeld: () => isHeld(away, base.installation),
      waitMs: async () => (await readClock(away)).waitMs,
    });
    const samples = read((await metrics.read()).text);
    await away.close();

    for (const name of ['forecourt_jobs', 'forecourt_held', 'forecourt_clock_wait_seconds'])
      expect(values(samples, name)).to.deep.equal([]);
    expect(values(samples, 'forecourt_database_connections')).to.have.length(3);
    // Prometheus misses the first increase of a new series.
    for (const name of ['forecourt_callback_attempts_total', 'forecourt_delivery_attempts_total'])
      expect(values(samples, name), name).to.deep.equal([0, 0, 0]);
    expect(values(samples, 'forecourt_folded_records_total')).to.deep.equal([0]);
  });
});
