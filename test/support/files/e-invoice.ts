// Asks for e-invoices and other documents, and reads the zip that they become.
import type { Row } from '../../../src/core/model/fields/field.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { jobRow } from '../service/job.ts';
import { inStorage } from '../service/service.ts';
import { until } from '../service/until.ts';
import { bytesOf, namesIn } from './zip.ts';

export const askForEInvoices = (client: Client, body: Json) =>
  client.post('/document/generate', { document_type: LISTS.documenttypes.UBL, ...body });

/** Waits for the e-invoices. Answers the files of the zip by their names, in their order. */
export const eInvoices = (client: Client, body: Json): Promise<Map<string, Buffer>> =>
  generated(client, { document_type: LISTS.documenttypes.UBL, ...body });

/** The same for documents of any type. */
export async function generated(client: Client, body: Json): Promise<Map<string, Buffer>> {
  const { data, status, text } = await client.post('/document/generate', body);
  expect(status, text).to.equal(202);
  const job = await over(data.job_id);
  expect(job.status, String(job.error)).to.equal(LISTS.jobstatuses.DONE);
  return filesOf(inStorage('archives', String(job.file_name)));
}

/** The job when it has ended. */
const over = (id: string): Promise<Row> =>
  until(async () => {
    const row = await jobRow(id);
    return row.finished_at === null ? undefined : row;
  });

async function filesOf(zip: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const name of await namesIn(zip)) files.set(name, await bytesOf(zip, name));
  return files;
}
