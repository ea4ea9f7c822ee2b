// The batches of an import: how much one transaction writes, when so many rows are refused that the import ends, and
// how long a batch is kept.
import { randomUUID } from 'node:crypto';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { removeProgress } from '../../../src/work/jobs/upload.ts';
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
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';
import { tidyAll } from '../../support/service/tidy.ts';
import { until } from '../../support/service/until.ts';

const MOST_REFUSED = 10_000;
const { WORKSHOP } = LISTS.ordertypes;

describe('a batch of an import', () => {
  let client: Client;
  beforeEach(async () => {
    client = await newClient();
    await client.post('/contact', person({ external_id: 'K' }));
  });

  const line = { line_kind: 2, description: 'Beurt', quantity: 1, price: 100, vat_code: 1 };
  const order = (lines: number, changes: Json = {}): Json => ({
    order_type: WORKSHOP,
    contact_external_id: 'K',
    order_date: '2026-01-05',
    orderline: Array.from({ length: lines }, () => ({ ...line, ...changes })),
  });

  /** Runs an import in this thread. Answers how many rows were done after each batch. */
  async function batchesOf(
    resource: string,
    mode: 'insert' | 'update',
    rows: readonly Json[],
  ): Promise<number[]> {
    const batches: number[] = [];
    const onProgress = (done: number) => void batches.push(done);
    const id = await importHere(client, resource, rows, { mode, onProgress });
    await removeProgress(database(), id);
    return batches;
  }
  const steps = (batches: readonly number[]) =>
    batches.map((done, index) => done - (batches[index - 1] ?? 0));

  it('has 200 rows at most', async () => {
    const rows = Array.from({ length: 450 }, () => person());

    const batches = await batchesOf('contact', 'insert', rows);

    expect(Math.max(...steps(batches))).to.equal(200);
    expect(batches.at(-1)).to.equal(450);
  });

  it('has 500 records at most with their children, or one row', async () => {
    const lines = [299, 99, 99, 99, 300, 600, 1];
    const rows = lines.map((count) => order(count));

    const batches = await batchesOf('order', 'insert', rows);

    // A batch may end early, after one second.
    for (const [index, done] of batches.entries()) {
      const records = lines.slice(batches[index - 1] ?? 0, done).map((count) => count + 1);
      const sum = records.reduce((total, count) => total + count, 0);
      expect(sum <= 500 || records.length === 1, `${records}`).to.equal(true);
    }
    expect(batches.at(-1)).to.equal(7);
    expect((await client.get('/orderline?count=1&page_size=1')).body.total).to.equal(1_497);
  });

  it('ends after one second', async () => {
    const ids: number[] = [];
    for (const last_name of ['Jansen', 'Bakker', 'Visser'])
      ids.push((await client.post('/contact', person({ last_name }))).data.id);
    const waits = () =>
      select(
        database(),
        "SELECT 1 FROM information_schema.processlist WHERE time >= 2 AND info LIKE 'select%city%for update'",
      );

    const held = await database().transaction(async (session) => {
      await select(session, 'SELECT id FROM contacts WHERE id = ? FOR UPDATE', [ids[0] ?? 0]);
      const batches = batchesOf(
        'contact',
        'update',
        ids.map((id) => ({ id, city: 'Zwolle' })),
      );
      await until(async () => (await waits()).length > 0, 20_000);
      return { batches };
    });

    const done = await held.batches;
    expect([done[0], done.at(-1)]).to.deep.equal([1, 3]);
  });

  it('takes large orders whose lines are all wrong, and reports 101 errors of each', async () => {
    const rows = Array.from({ length: 40 }, () => ({ ...order(0), orderline: Array(1_000).fill({}) }));

    const report = await importJson(client, 'resource=order', rows);

    expect(report.summary).to.include({ rows: 40, refused: 40 });
    expect(report.rows.every(({ errors }) => errors.length === 101)).to.equal(true);
    expect(rowMessages(report.rows[39])[100]).to.match(/^\[\d+\] more errors$/);
  }).timeout(120_000);

  it('takes refused rows of megabytes', async () => {
    const rows = Array.from({ length: 3 }, () => ({ document_kind: 9, name: '"'.repeat(6 * 2 ** 20) }));

    const report = await importJson(client, 'resource=document', rows);

    expect(report.summary).to.include({ rows: 3, refused: 3 });
    expect(report.refused).to.equal(linesOf(rows));
  }).timeout(120_000);

  for (const dry of ['0', '1'])
    it(`is the last one when 10,000 rows were refused, with dry_run=${dry}`, async () => {
      const good = person();
      const bad = Array.from({ length: MOST_REFUSED }, () => ({ contact_kind: 9 }));
      const rows = [good, ...bad, good, good];

      const answer = await sendImport(client, `resource=contact&dry_run=${dry}`, linesOf(rows), NDJSON);
      const job = await endOf(client, answer);

      expect(job).to.include({ status: 'failed', error: 'Too many refused rows' });
      const { summary, rows: reported, refused } = await readReport(String(job.url));
      expect(summary).to.include({ rows: 10_001, rows_total: 10_003, created: 1, refused: MOST_REFUSED });
      expect(reported).to.have.length(10_001);
      expect(refused.split('\n')).to.have.length(10_001);
      expect((await client.get('/contact?count=1')).body.total).to.equal(dry === '1' ? 1 : 2);
    }).timeout(120_000);
});

describe('the progress of an import', () => {
  const batch = (id: string, number: number, hoursAgo: number) =>
    execute(
      database(),
      'INSERT INTO import_batches (import_id, batch, rows_done, rows_total, counts, report, refused, created_at) ' +
        "VALUES (?, ?, ?, 9, '{}', '', '', UTC_TIMESTAMP(3) - INTERVAL ? HOUR)",
      [id, number, number, hoursAgo],
    );

  it('is kept as a whole for seven days after its last batch', async () => {
    const [resumed, left] = [randomUUID(), randomUUID()];
    for (const id of [resumed, left]) await batch(id, 1, 169);
    await batch(resumed, 2, 0);

    await tidyAll();

    const sql = 'SELECT import_id, batch FROM import_batches WHERE import_id IN (?, ?) ORDER BY batch';
    const kept = await select(database(), sql, [resumed, left]);
    await removeProgress(database(), resumed);
    expect(kept.map(({ import_id, batch: number }) => [import_id, number])).to.deep.equal([
      [resumed, 1],
      [resumed, 2],
    ]);
  });
});
