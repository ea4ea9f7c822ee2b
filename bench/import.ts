// Rows a second of an import, beside a loop of POSTs on 16 connections and the server's own LOAD DATA into a bare
// table, in turn. Meanwhile another client reads at a fixed rate, and the memory of the service is watched.
import { createReadStream, openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createConnection } from 'mysql2/promise';
import type { Dataset } from './dataset.ts';
import { type Answers, measure, type Request } from './load.ts';
import type { Options } from './options.ts';
import type { Pace } from './paced-client.ts';
import { memory, runProgram } from './process.ts';
import { type Measured, section, shown, tableText, verdict } from './report.ts';
import { type ServerSettings, startService } from './servers.ts';
import { median, spread } from './statistics.ts';

const LEAST_RATIO = 5;
const MOST_MEGABYTES = 200;
const MOST_LATENCY = 2;
const READS_PER_SECOND = 200;
const POLL_MS = 50;
const BARE_TABLE = 'bench_rows';
const COLUMNS = [
  'external_id',
  'contact_kind',
  'last_name',
  'street',
  'huisnummer',
  'postcode',
  'city',
  'country_id',
];

interface Round {
  /** Rows a second. */
  readonly imported: number;
  readonly posted: number;
  readonly loaded: number;
}

export async function measureImport(
  dataset: Dataset,
  settings: ServerSettings,
  reads: readonly Request[],
  { orders, rounds, seconds, connections }: Options,
): Promise<Measured> {
  const rows = orders;
  const service = await startService(settings);
  const made: Round[] = [];
  const latencies: number[] = [];
  let peak = 0;
  try {
    const caller = { url: service.url, token: await dataset.token() };
    for (let round = 0; round < rounds; round += 1) {
      const file = join(dataset.folder, 'contacts.csv');
      await writeFile(file, csv(rows, `${Date.now()}`));
      caller.token = await dataset.token();
      const imported = rows / (await importFile(caller, file, rows));
      // The first import is all that this process has done yet.
      if (round === 0) peak = memory(service.pid, 'VmHWM');
      const load = { token: caller.token, connections, requests: [POST], length: { seconds } };
      const posted = (await measure(service, dataset, load)).rate;
      made.push({ imported, posted, loaded: rows / (await loadData(dataset, file)) });
      latencies.push(await latencyRatio(caller, file, reads, seconds));
    }
    return report(made, latencies, peak, rows);
  } finally {
    await service.stop();
  }
}

const POST: Request = {
  method: 'POST',
  path: '/v2/contact',
  body: JSON.stringify({
    contact_kind: 1,
    last_name: 'Jansen',
    street: 'Dorpsstraat',
    huisnummer: 7,
    postcode: '1234 AB',
    city: 'Utrecht',
    country_id: 1,
  }),
};

function csv(rows: number, run: string): string {
  const line = (n: number) => `${run}-${n},1,Jansen ${n},Dorpsstraat,${(n % 300) + 1},1234 AB,Utrecht,1\n`;
  return `${COLUMNS.join()}\n${Array.from({ length: rows }, (_, n) => line(n)).join('')}`;
}

interface Caller {
  readonly url: string;
  token: string;
}

/** Seconds from the request to the end of the job. */
async function importFile(caller: Caller, file: string, rows: number, mode = 'insert'): Promise<number> {
  const headers = { token: caller.token, 'content-type': 'text/csv' };
  const started = performance.now();
  const answer = await fetch(`${caller.url}/v2/import?resource=contact&mode=${mode}`, {
    method: 'POST',
    headers,
    body: await openAsBlob(file, { type: 'text/csv' }),
  });
  const { data } = (await answer.json()) as { data: { job_id: string } };
  for (;;) {
    const found = await fetch(`${caller.url}/v2/job/${data.job_id}`, { headers });
    const job = ((await found.json()) as { data: { status: string; error: string | null } }).data;
    if (job.status === 'done') return (performance.now() - started) / 1000;
    if (job.status !== 'queued' && job.status !== 'running')
      throw new Error(`the import of ${rows} rows is ${job.status}: ${job.error}`);
    await sleep(POLL_MS);
  }
}

/** Seconds of LOAD DATA into a table without any key but the first column. */
async function loadData({ base }: Dataset, file: string): Promise<number> {
  const { knex } = base.database;
  await knex.schema.dropTableIfExists(BARE_TABLE);
  await knex.schema.createTable(BARE_TABLE, (t) => {
    for (const column of COLUMNS) t.string(column, 64);
    t.primary(['external_id']);
  });
  const connection = await createConnection({ ...base.connection });
  try {
    // A private MySQL server reads no files by itself, so the client sends them.
    await connection.query('SET GLOBAL local_infile = ON');
    const started = performance.now();
    await connection.query({
      sql: 'LOAD DATA LOCAL INFILE ? INTO TABLE ?? FIELDS TERMINATED BY ? IGNORE 1 LINES',
      values: [file, BARE_TABLE, ','],
      infileStreamFactory: () => createReadStream(file),
    });
    return (performance.now() - started) / 1000;
  } finally {
    connection.destroy();
    await knex.schema.dropTable(BARE_TABLE);
  }
}

/** p99 of GET one while the same file is imported again, in proportion to p99 before. */
async function latencyRatio(
  caller: Caller,
  file: string,
  reads: readonly Request[],
  seconds: number,
): Promise<number> {
  const pace: Pace = {
    url: caller.url,
    token: caller.token,
    perSecond: READS_PER_SECOND,
    seconds,
    paths: reads.slice(0, READS_PER_SECOND * seconds).map(({ path }) => path),
  };
  const read = async () => {
    const answers = await runProgram<Answers>('paced-client.js', pace);
    if (answers.failures > 0) throw new Error(`${answers.failures} requests failed`);
    return answers.p99;
  };
  const idle = await read();
  await writeFile(file, csv(READS_PER_SECOND * 100, `${Date.now()}`));
  const importing = importFile(caller, file, 0);
  const busy = await read();
  await importing;
  return busy / idle;
}

function report(made: readonly Round[], latencies: readonly number[], peak: number, rows: number): Measured {
  const rate = (of: (round: Round) => number) => median(made.map(of)).toFixed(0);
  const ratios = spread(made.map(({ imported, posted }) => imported / posted));
  const loads = spread(made.map(({ imported, loaded }) => imported / loaded));
  const latency = spread(latencies);
  return {
    text: section(
      `Import of ${rows} contacts (\`import\`)`,
      tableText([
        ['', 'rows a second'],
        ['POST /import, from the request to the end of the job', rate(({ imported }) => imported)],
        ['POST /contact, again and again', rate(({ posted }) => posted)],
        ['LOAD DATA into a table without rules, log and indexes', rate(({ loaded }) => loaded)],
      ]),
      `- import to POSTs: ${shown(ratios)}; import to LOAD DATA: ${shown(loads)}\n` +
        `- p99 of GET one order at ${READS_PER_SECOND} requests per second during an import to p99 idle: ${shown(latency)}\n` +
        `- peak memory of the service: ${peak.toFixed(0)} MB`,
    ),
    verdicts: [
      verdict('Import to a loop of POSTs', ratios, { least: LEAST_RATIO }),
      verdict('Peak memory during an import, MB', spread([peak]), { most: MOST_MEGABYTES }, 0),
      verdict('GET one order: p99 during an import to p99 idle', latency, { most: MOST_LATENCY }),
    ],
  };
}
