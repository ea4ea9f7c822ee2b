// Asks for an export as a client does, waits for it, and reads its zip.

import { textOf } from '../files/zip.ts';
import { finished } from '../service/job.ts';
import { inStorage } from '../service/service.ts';
import type { Client, Json } from './client.ts';
import { expect } from './expect.ts';

export interface Exported {
  /** The content of the file. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a wrong summary fails the test that reads it
  readonly summary: any;
  /** The path of the zip. */
  readonly zip: string;
}

/** Exports, and reads the content of the zip. */
export async function exported(client: Client, body: Json): Promise<Exported> {
  const answer = await client.post('/export', body);
  expect(answer.status, answer.text).to.equal(202);
  return fetched(client, answer.data.job_id);
}

/** Waits for the job, and reads its zip. Throws if the job fails. */
export async function fetched(client: Client, job: string): Promise<Exported> {
  const { url } = await finished(client, job);
  const zip = inStorage('archives', /\/files\/([^?]+)/.exec(String(url))?.[1] ?? '');
  const summary = JSON.parse(await textOf(zip, 'summary.json'));
  return { text: await textOf(zip, summary.file), summary, zip };
}

/** All records of a list, page by page. */
export async function listed(client: Client, path: string): Promise<Json[]> {
  const all: Json[] = [];
  for (let cursor = ''; ; ) {
    const { data, body } = await client.get(
      `${path}${path.includes('?') ? '&' : '?'}page_size=1000${cursor}`,
    );
    all.push(...data);
    if (body.next === null) return all;
    cursor = `&cursor=${body.next}`;
  }
}

/** The records of an NDJSON file. */
export const recordsIn = (ndjson: string): Json[] =>
  ndjson
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
