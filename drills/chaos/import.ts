// Two large imports during which the service is killed again and again: no row is lost, and none comes twice. The same
// files again change nothing.
import { setTimeout as pause } from 'node:timers/promises';
import type { Row } from '../../src/core/model/fields/field.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { send } from '../../test/support/client/client.ts';
import { readReport } from '../../test/support/client/import.ts';
import { select } from '../../test/support/database/sql.ts';
import { until } from '../../test/support/service/until.ts';
import { type Report, seconds } from './report.ts';
import { Scene } from './scene.ts';

const { DONE } = LISTS.jobstatuses;
interface ImportOptions {
  /** The rows of each file. */
  readonly rows: number;
  /** How often the service is killed during each import. */
  readonly kills: number;
  /** The longest time from new rows to the kill. */
  readonly lifeMs: number;
  /** Does not wait for the leases of the dead. */
  readonly hurry?: boolean;
}

interface File {
  readonly resource: string;
  readonly table: string;
  readonly text: (rows: number) => string;
}

const FILES: readonly File[] = [
  {
    resource: 'contact',
    table: 'contacts',
    text: (rows) =>
      `external_id,contact_kind,last_name,country_id,debtor_number\n${lines(rows, (n) => `K-${n},1,Jansen ${n},1,${String(n).padStart(7, '0')}`)}`,
  },
  {
    resource: 'vehicle',
    table: 'vehicles',
    text: (rows) =>
      `external_id;license_plate;plate_country_id;vehicle_kind;make;model;stock_status\n${lines(rows, (n) => `V-${n};DE${n};2;1;Volvo;V${n % 90};1`)}`,
  },
];

const lines = (rows: number, line: (n: number) => string) =>
  Array.from({ length: rows }, (_, n) => `${line(n)}\n`).join('');

export async function importing(report: Report, folder: string, options: ImportOptions): Promise<void> {
  const scene = await Scene.open(folder, { orders: 0 });
  try {
    await scene.start();
    for (const file of FILES) await importFile(report, scene, file, options);
  } finally {
    await scene.close();
  }
}

async function importFile(
  report: Report,
  scene: Scene,
  { resource, table, text }: File,
  { rows, kills, lifeMs, hurry = false }: ImportOptions,
): Promise<void> {
  const file = text(rows);
  const started = performance.now();
  const id = await ask(scene, resource, file);
  const done: number[] = [];
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = await countOf(scene, table);
    await until(async () => (await countOf(scene, table)) > before || (await isOver(scene, id)), 120_000);
    await pause(Math.random() * lifeMs);
    if (await isOver(scene, id)) break;
    await scene.end('SIGKILL');
    done.push(await countOf(scene, table));
    if (hurry) await scene.endLease(id);
    await scene.start();
  }
  const job = await scene.over(id);
  report.say(
    `${resource}: ${rows} rows in ${seconds(performance.now() - started)}, killed at ${done.join(', ')}`,
  );
  report.demand(done.length === kills, `${resource}: killed ${done.length} times only`);
  await compare(report, scene, { resource, table, id, job, rows, created: rows });
  const again = await ask(scene, resource, file);
  await compare(report, scene, {
    resource,
    table,
    id: again,
    job: await scene.over(again),
    rows,
    created: 0,
  });
}

interface Ended {
  readonly resource: string;
  readonly table: string;
  readonly id: string;
  readonly job: Row;
  readonly rows: number;
  readonly created: number;
}

/** Rows of the database and of the report. */
async function compare(report: Report, scene: Scene, ended: Ended): Promise<void> {
  const { resource, table, id, job, rows, created } = ended;
  report.demand(job.status === DONE, `${resource}: the import has status ${job.status}: ${job.error}`);
  if (job.status !== DONE) return;
  const [found] = await select(
    scene.server.database,
    `SELECT COUNT(*) AS n, COUNT(DISTINCT external_id) AS different, MAX(version) AS version FROM ${table} WHERE owner_id = ?`,
    [scene.tenant.owner],
  );
  const { data } = await scene.tenant.ask(scene.url, 'GET', `/job/${id}`);
  const { summary, rows: reported } = await readReport(data.url);
  const ids = new Set(reported.map((row) => row.id));
  const numbers = new Set(reported.map(({ line }) => line));
  report.say(
    `  ${table}: ${found?.n} rows, ${found?.different} different; report: ${reported.length} rows, ` +
      `${summary.created} created, ${summary.unchanged} unchanged, ${summary.refused} refused`,
  );
  const all = [found?.n, found?.different, reported.length, ids.size, numbers.size];
  report.demand(
    all.every((count) => count === rows),
    `${table}: ${all.join(', ')} in place of ${rows}`,
  );
  report.demand(found?.version === 1, `${table}: a row was written again`);
  report.demand(
    summary.created === created && summary.unchanged === rows - created,
    `${resource}: ${JSON.stringify(summary)}`,
  );
}

async function ask(scene: Scene, resource: string, body: string): Promise<string> {
  const headers = { token: await scene.tenant.token(scene.url), 'content-type': 'text/csv' };
  const path = `${scene.url}/v2/import?resource=${resource}&mode=upsert`;
  const answer = await send('POST', path, { body, headers });
  if (answer.status !== 202) throw new Error(answer.text);
  return answer.data.job_id;
}

const countOf = async (scene: Scene, table: string): Promise<number> =>
  Number((await select(scene.server.database, `SELECT COUNT(*) AS n FROM ${table}`, []))[0]?.n);

const isOver = async (scene: Scene, id: string): Promise<boolean> => (await scene.job(id)).status === DONE;
