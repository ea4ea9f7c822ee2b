// Imports a file over HTTP and reads the report.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { namesIn, textOf } from '../files/zip.ts';
import { until } from '../service/until.ts';
import type { Answer, Client, Json } from './client.ts';

const OVER = ['done', 'failed', 'cancelled'];

interface Report {
  readonly summary: Json;
  // biome-ignore lint/suspicious/noExplicitAny: a report has any lines, and a wrong one fails the test that reads it
  readonly rows: any[];
  readonly refused: string;
  /** The files of the zip. */
  readonly names: string[];
}

export const CSV = 'text/csv';
export const NDJSON = 'application/x-ndjson';

/** A row that is a contact. */
export const person = (changes: Json = {}): Json => ({
  contact_kind: 1,
  last_name: 'Jansen',
  country_id: 1,
  ...changes,
});

/** Sends a file. `query`: such as `resource=contact`. */
export const sendImport = (
  client: Client,
  query: string,
  body: string | Uint8Array,
  type = CSV,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  client.request('POST', `/import?${query}`, {
    body: body as string,
    headers: { 'content-type': type, ...headers },
  });

/** The job of an answer, once it is over. A cancelled import writes its report after its status says so. */
export const endOf = (client: Client, { data }: Answer): Promise<Json> =>
  until(async () => {
    const job = (await client.get(`/job/${data.job_id}`)).data;
    return OVER.includes(job.status) && (job.status !== 'cancelled' || job.url) && job;
  }, 110_000);

/** Imports a file and answers its report; throws if the file was refused. */
export async function importRows(
  client: Client,
  query: string,
  body: string | Uint8Array,
  type = CSV,
): Promise<Report> {
  const answer = await sendImport(client, query, body, type);
  if (answer.status !== 202) throw new Error(answer.text);
  const job = await endOf(client, answer);
  if (job.status !== 'done') throw new Error(`the import is ${job.status}: ${job.error}`);
  return readReport(String(job.url));
}

/** JSON lines. */
export const linesOf = (rows: readonly Json[]): string =>
  rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Sends JSON lines. */
export const importJson = (client: Client, query: string, rows: readonly Json[]): Promise<Report> =>
  importRows(client, query, linesOf(rows), NDJSON);

export async function readReport(url: string): Promise<Report> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-report-'));
  try {
    const file = join(folder, 'report.zip');
    await writeFile(file, Buffer.from(await (await fetch(url)).arrayBuffer()));
    const names = await namesIn(file);
    return {
      names,
      summary: JSON.parse(await textOf(file, 'summary.json')) as Json,
      rows: (await textOf(file, 'report.ndjson'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
      refused: await textOf(file, names.find((name) => name.startsWith('refused.')) ?? ''),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The messages of a row of the report. */
export const rowMessages = ({ errors }: { errors: Json[] }): unknown[] =>
  errors.map(({ message }) => message);
