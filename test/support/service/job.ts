// Makes jobs as rows, in any state, and waits for jobs.
import { createHash } from 'node:crypto';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Storage } from '../../../src/platform/storage/open.ts';
import { renewLease } from '../../../src/work/jobs/attempt.ts';
import { LEASE_SECONDS, MOST_ATTEMPTS } from '../../../src/work/jobs/job.ts';
import { type JobRequest, requestJob } from '../../../src/work/jobs/job-request.ts';
import type { Kinds, Task } from '../../../src/work/jobs/kind.ts';
import type { Client, Json } from '../client/client.ts';
import { execute, select } from '../database/sql.ts';
import { database, theService } from './service.ts';
import { until } from './until.ts';

const { QUEUED, RUNNING, DONE } = LISTS.jobstatuses;

const RENEW_MS = 2_000;

type FreeRequest = Omit<JobRequest, 'params'> & { readonly params: object };

/** Asks for a job as the client's garage would, and puts it beyond reach of the service's own threads. */
export async function heldJob(client: Client, changes: Partial<FreeRequest> = {}): Promise<string> {
  const { tokens } = theService().service.services;
  const identity = await tokens.find(client.garage.token);
  if (!identity) throw new Error('The token of the client has ended');
  const { owner, employee, apiKey } = identity;
  const request: FreeRequest = {
    owner,
    employee,
    apiKey,
    kind: 'owner-backup',
    params: {},
    webhookUrl: 'https://127.0.0.1:1/',
  };
  return database().transaction(async (session) => {
    const id = await requestJob(session, { ...request, ...changes } as JobRequest);
    // The first try waits for no time, and a later one for its pause only. No pause follows the last attempt.
    const hold = 'UPDATE jobs SET run_at = run_at + INTERVAL 1 DAY, attempts = ? WHERE id = ?';
    await execute(session, hold, [MOST_ATTEMPTS, id]);
    return id;
  });
}

/** Lets the service run a held job. */
export const letRun = (id: string) =>
  execute(database(), 'UPDATE jobs SET run_at = UTC_TIMESTAMP(3), attempts = 0 WHERE id = ?', [id]);

/** Asks for documents. The job is running, but not by the service: the task of an attempt of the test. */
export async function heldGeneration(
  client: Client,
  params: Kinds['document-generation'],
  webhookUrl?: string,
): Promise<Task<'document-generation'>> {
  const job = await heldJob(client, {
    kind: 'document-generation',
    params,
    ...(webhookUrl && { webhookUrl }),
  });
  await runElsewhere(job);
  const { connection, storage } = theService().base;
  return {
    ...params,
    job,
    fence: 1,
    owner: client.garage.owner,
    archive: `document-generation-${job}-1.zip`,
    isCancelled: false,
    connection,
    storage: storage.settings,
    tables: [],
    serviceVersion: '1.2.3',
  };
}

/** Lets a held job run in another process, which renews the lease until it loses the job. */
export async function runElsewhere(id: string, { fence = 1, attempts = 1 } = {}): Promise<void> {
  await execute(
    database(),
    'UPDATE jobs SET status = ?, fence = ?, attempts = ?, started_at = UTC_TIMESTAMP(3), ' +
      'lease_until = UTC_TIMESTAMP(3) + INTERVAL ? SECOND WHERE id = ?',
    [RUNNING, fence, attempts, LEASE_SECONDS, id],
  );
  const renewal = setInterval(() => {
    renewLease(database(), { id, fence }).then(
      (isHeld) => isHeld || clearInterval(renewal),
      () => clearInterval(renewal),
    );
  }, RENEW_MS).unref();
}

/**
 * Fills the room that a garage has for running jobs: its next jobs wait. Answers the function that makes room again.
 */
export async function takeRoom(client: Client): Promise<() => Promise<void>> {
  const ids = [1, 2].map((number) => heldJob(client, { webhookUrl: `https://127.0.0.1:1/${number}` }));
  for (const id of ids) await runElsewhere(await id);
  return async () => {
    for (const id of ids) await client.del(`/job/${await id}`);
  };
}

/** A job that is done, with these bytes as its archive, not to be called back. */
export async function makeArchive(
  client: Client,
  bytes: Buffer,
  { archives }: Storage = theService().base.storage,
): Promise<{ name: string; secret: string }> {
  const id = await heldJob(client);
  const name = `owner-backup-${id}-1.zip`;
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  await archives.write(name, bytes);
  await execute(
    database(),
    'UPDATE jobs SET status = ?, fence = 1, attempts = 1, finished_at = UTC_TIMESTAMP(3), file_name = ?, file_size = ?, ' +
      'file_sha256 = ? WHERE id = ? AND status = ?',
    [DONE, name, bytes.length, sha256, id, QUEUED],
  );
  return { name, secret: String((await jobRow(id)).secret) };
}

export const jobRow = async (id: string): Promise<Row> =>
  (await select(database(), 'SELECT * FROM jobs WHERE id = ?', [id]))[0] ?? {};

/** Waits for a job, and answers it. Throws if the job fails. */
export const finished = (client: Client, job: string): Promise<Json> =>
  until(async () => {
    const { data } = await client.get(`/job/${job}`);
    if (data.status === 'failed') throw new Error(data.error);
    return data.status === 'done' ? data : undefined;
  });
