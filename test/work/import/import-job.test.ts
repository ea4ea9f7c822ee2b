// POST /import as a long-running request: who may ask, dry runs, cancelling, and what is left afterwards.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build } from '../../support/build/build.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import {
  endOf,
  importJson,
  linesOf,
  NDJSON,
  person,
  readReport,
  rowMessages,
  sendImport,
} from '../../support/client/import.ts';
import { importHere } from '../../support/client/import-here.ts';
import { messages } from '../../support/client/resources.ts';
import { execute, select } from '../../support/database/sql.ts';
import { heldJob, takeRoom } from '../../support/service/job.ts';
import { database, inStorage } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const { RUNNING } = LISTS.jobstatuses;

const total = async (client: Client, resource = 'contact') =>
  (await client.get(`/${resource}?count=1&page_size=1`)).body.total;

describe('POST /import', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
  });

  it('names what is wrong with its parameters', async () => {
    const ask = (query: string) => sendImport(client, query, linesOf([person()]), NDJSON);

    expect(await ask('mode=insert')).to.be.refused(400, 'These parameter(s): [resource] are required');
    expect(
      messages(await ask('resource=country&mode=x&dry_run=2&history=yes&webhook_url=http://x.example')),
    ).to.deep.equal([
      'Field: [resource] has an invalid value: [country] for validation: [importable resources]',
      'Field: [mode] has an invalid value: [x] for validation: [insert,update,upsert]',
      'Field: [dry_run] has an invalid value: [2] for validation: [0,1]',
      'Field: [history] has an invalid value: [yes] for validation: [0,1]',
      'Field: [webhook_url] has an invalid value: [http://x.example] for validation: [https, publicly accessible]',
    ]);
    for (const resource of ['owner', 'webhooksubscription', 'job', '__proto__'])
      expect((await ask(`resource=${resource}`)).status).to.equal(403);
    expect(await total(client)).to.equal(0);
  });

  it('is for an ADMIN, with a key that may do what the rows do', async () => {
    const as = async (options: Parameters<typeof newClient>[0], query: string) =>
      messages(await sendImport(await newClient(options), query, linesOf([person()]), NDJSON))[0];
    const allowed = ['POST /import', 'GET /job', 'POST /order', 'POST /contact'];
    const limited = await newClient({ allow: allowed });
    const contact = await limited.post('/contact', person({ external_id: 'K' }));
    const order = { order_type: 1, order_date: '2026-01-05', contact_external_id: 'K' };
    const line = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };

    for (const role of ['USER', 'READONLY'] as const)
      expect(await as({ role }, 'resource=contact')).to.equal(
        'Endpoint: [POST /import] is not allowed for this user',
      );
    expect(await as({ allow: allowed }, 'resource=vehicle')).to.equal(
      'Endpoint: [POST /vehicle] is not allowed for this api_key',
    );
    expect(await as({ allow: allowed }, 'resource=contact&mode=upsert')).to.equal(
      'Endpoint: [PUT /contact] is not allowed for this api_key',
    );
    const { rows } = await importJson(limited, 'resource=order', [order, { ...order, orderline: [line] }]);
    expect(contact.status).to.equal(201);
    expect(rows[0].status).to.equal('created');
    expect(rowMessages(rows[1])).to.deep.equal([
      'Endpoint: [POST /orderline] is not allowed for this api_key',
    ]);
  });

  it('checks everything in a dry run and writes nothing', async () => {
    await build(client, 'contact', person({ external_id: 'old', debtor_number: 'D1' }));
    const rows = [
      person({ external_id: 'A', debtor_number: 'D1' }),
      person({ external_id: 'B', debtor_number: 'D2' }),
      ...Array.from({ length: 250 }, (_, n) => person({ external_id: `N${n}` })),
      person({ external_id: 'C', debtor_number: 'D2' }),
      person({ external_id: 'D', parent_contact_external_id: 'B' }),
      person({ external_id: 'B', city: 'Zwolle' }),
      person({ external_id: 'old', city: 'Zwolle' }),
      person({ external_id: 'E', country_id: 999 }),
    ];
    const before = await total(client);

    const dry = await importJson(client, 'resource=contact&mode=upsert&dry_run=1', rows);
    expect([before, await total(client)]).to.deep.equal([1, 1]);
    expect((await client.get('/audit?filter=resource:contact&count=1')).body.total).to.equal(1);
    const wet = await importJson(client, 'resource=contact&mode=upsert', rows);

    const outcome = ({ rows: some }: typeof dry) =>
      some.map((row) => [row.line, row.status, rowMessages(row)]);
    expect(outcome(dry)).to.deep.equal(outcome(wet));
    expect(dry.summary).to.include({ dry_run: 1, created: 252, updated: 2, refused: 3 });
    expect(dry.rows.filter(({ status }) => status === 'created').every(({ id }) => id === null)).to.equal(
      true,
    );
    expect(wet.summary).to.include({ dry_run: 0, created: 252 });
  });

  it('stores no file in a dry run', async () => {
    const content = Buffer.from(`only tried ${client.garage.username}`).toString('base64');
    const document = { document_kind: 9, name: 'Foto', file_name: 'a.txt', mime_type: 'text/plain', content };
    const file = inStorage(
      'documents',
      createHash('sha256').update(Buffer.from(content, 'base64')).digest('hex'),
    );

    const dry = await importJson(client, 'resource=document&dry_run=1', [document]);
    const isThere = existsSync(file);
    const wet = await importJson(client, 'resource=document', [document]);

    expect([dry.summary.created, wet.summary.created]).to.deep.equal([1, 1]);
    expect([isThere, existsSync(file)]).to.deep.equal([false, true]);
  });

  it('can be cancelled, and its report shows what was committed', async () => {
    const rows = Array.from({ length: 40_000 }, (_, n) => person({ external_id: `N${n}` }));
    const answer = await sendImport(client, 'resource=contact', linesOf(rows), NDJSON);
    await until(async () => (await total(client)) > 0);

    const cancelled = await client.del(`/job/${answer.data.job_id}`);
    const again = await client.del(`/job/${answer.data.job_id}`);

    expect(cancelled.status).to.equal(200);
    expect(again).to.be.refused(409, '[job] is [cancelled], cannot cancel');
    const job = await endOf(client, answer);
    expect(job.status).to.equal('cancelled');
    const { summary, rows: reported } = await readReport(String(job.url));
    const added = await total(client);
    expect(added).to.be.within(1, rows.length - 1);
    expect(summary).to.include({ cancelled: 1, rows: added, created: added, rows_total: rows.length });
    expect(reported).to.have.length(added);
    expect(reported.every(({ status }) => status === 'created')).to.equal(true);
  }).timeout(120_000);

  it('that waits can be cancelled too', async () => {
    const letGo = await takeRoom(client);
    const waiting = await sendImport(client, 'resource=contact', linesOf([person()]), NDJSON);

    const cancelling = client.del(`/job/${waiting.data.job_id}`);
    await until(async () => (await client.get(`/job/${waiting.data.job_id}`)).data.status === 'cancelled');
    await letGo();

    const job = await endOf(client, waiting);
    expect([(await cancelling).status, job.status]).to.deep.equal([200, 'cancelled']);
    expect((await readReport(String(job.url))).summary).to.include({ rows: 0, created: 0, cancelled: 1 });
  });

  it('answers an identical request that waits with the same job, and keeps one file', async () => {
    const letGo = await takeRoom(client);
    const file = linesOf([person({ external_id: 'once' })]);

    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await sendImport(client, 'resource=contact', file, NDJSON));
    const other = await sendImport(client, 'resource=contact&mode=upsert', file, NDJSON);

    expect(new Set(answers.map(({ data }) => data.job_id)).size).to.equal(1);
    expect(other.data.job_id).to.not.equal(answers[0]?.data.job_id);
    await letGo();
    for (const answer of [...answers, other]) expect((await endOf(client, answer)).status).to.equal('done');
  });

  it('that was cancelled is not the answer to the same file, also while its report waits', async () => {
    const letGo = await takeRoom(client);
    const file = linesOf([person({ external_id: 'again' })]);
    const { job_id: cancelled } = (await sendImport(client, 'resource=contact', file, NDJSON)).data;
    const cancelling = client.del(`/job/${cancelled}`);
    await until(async () => (await client.get(`/job/${cancelled}`)).data.status === 'cancelled');

    const again = await sendImport(client, 'resource=contact', file, NDJSON);

    await letGo();
    expect((await cancelling).status).to.equal(200);
    expect(again.data.job_id).to.not.equal(cancelled);
    expect((await endOf(client, again)).status).to.equal('done');
    expect((await client.get('/contact?filter=external_id:again')).data).to.have.length(1);
  });

  it('with an Idempotency-Key is done once, and another file with the key is refused', async () => {
    const ask = (rows: Json[]) =>
      sendImport(client, 'resource=contact', linesOf(rows), NDJSON, { 'idempotency-key': 'import-1' });

    const first = await ask([person()]);
    await endOf(client, first);
    const second = await ask([person()]);

    expect(second.data).to.deep.equal(first.data);
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(await ask([person({ city: 'Zwolle' })])).to.be.refused(
      422,
      'Idempotency-Key was used with another request',
    );
    expect(await total(client)).to.equal(1);
  });

  it('with an Idempotency-Key is another request if it is to call back another address', async () => {
    const file = linesOf([person()]);
    const ask = (path: string) => {
      const query = `resource=contact&webhook_url=https://receiver.example/${path}`;
      return sendImport(client, query, file, NDJSON, { 'idempotency-key': 'import-2' });
    };

    const first = await ask('one');
    const other = await ask('other');
    const again = await ask('one');

    expect(first.status).to.equal(202);
    expect(other).to.be.refused(422, 'Idempotency-Key was used with another request');
    expect(again.data).to.deep.equal(first.data);
  });

  it('with an Idempotency-Key gets its first answer also while no more jobs may be open', async () => {
    const letGo = await takeRoom(client);
    for (let open = 2; open < 99; open += 1)
      await heldJob(client, { webhookUrl: `https://127.0.0.1:1/held/${open}` });
    const file = linesOf([person()]);
    const ask = (headers = {}) => sendImport(client, 'resource=contact', file, NDJSON, headers);

    const first = await ask({ 'idempotency-key': 'import-3' });
    const again = await ask({ 'idempotency-key': 'import-3' });
    const other = await ask();
    await letGo();

    expect([first.status, again.status]).to.deep.equal([202, 202]);
    expect(again.data).to.deep.equal(first.data);
    expect(other).to.be.refused(429, 'Too many jobs');
    expect((await endOf(client, first)).status).to.equal('done');
  });

  it('reports the committed rows when its process has ended too often', async () => {
    const letGo = await takeRoom(client);
    const rows = Array.from({ length: 300 }, () => person());
    const spent = await sendImport(client, 'resource=contact', linesOf(rows), NDJSON);
    const id = String(spent.data.job_id);
    const change = (assignments: string) =>
      execute(database(), `UPDATE jobs SET ${assignments} WHERE id = ?`, [id]);
    await change(
      `status = ${RUNNING}, attempts = 5, fence = 5, lease_until = UTC_TIMESTAMP(3) + INTERVAL 20 SECOND`,
    );
    let batches = 0;
    const hold = async () => {
      batches += 1;
      if (batches > 1) throw new Error('the process ends');
    };
    await importHere(client, 'contact', rows, { id, hold }).catch(() => {});
    await change('lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND');

    await letGo();
    const job = await endOf(client, spent);

    const cause = 'The process that ran it ended 5 times before it was done';
    expect(job).to.include({ status: 'failed', error: cause });
    const report = await readReport(String(job.url));
    expect(report.summary).to.include({ rows: 200, rows_total: 300, created: 200, cancelled: 0 });
    expect(report.rows).to.have.length(200);
  });

  it('leaves neither the file nor its progress behind', async () => {
    const csv = 'contact_kind,last_name,country_id\n1,Spoorloos,1\n1,,1\n';
    const imported = await sendImport(client, 'resource=contact', csv);
    const refused = await sendImport(client, 'resource=contact', 'colour\nred\n');
    const [done, failed] = [await endOf(client, imported), await endOf(client, refused)];

    const { rows } = await readReport(String(done.url));
    expect(rows.map(({ status }) => status)).to.deep.equal(['created', 'refused']);
    expect(failed.status).to.equal('failed');
    const ids = [imported, refused].map(({ data }) => String(data.job_id));
    await until(async () => (await readdir(inStorage('uploads'))).every((name) => !ids.includes(name)));
    for (const table of ['import_batches', 'import_keys'])
      await until(async () => {
        const left = await select(database(), `SELECT * FROM ${table} WHERE import_id IN (?, ?)`, ids);
        return left.length === 0;
      });
  });
});
