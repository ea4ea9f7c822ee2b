// Asks a running service for a backup, as a client would, and waits until its job is done.
import { setTimeout as sleep } from 'node:timers/promises';
import { LISTS } from '../src/core/trade/lists.ts';
import type { Dataset } from './dataset.ts';
import { send } from './same.ts';

const { DONE, QUEUED, RUNNING } = LISTS.jobstatuses;
const POLL_MS = 50;

/** Makes one backup. Returns the seconds between the job's created_at and finished_at. */
export async function backUp(dataset: Dataset, url: string, token: string): Promise<number> {
  const { database, storage } = dataset.base;
  const { knex } = database;
  const body = JSON.stringify({ webhook_url: 'https://127.0.0.1:1/' });
  const answer = await send({ url, token }, { method: 'POST', path: '/v2/backup/owner', body });
  const { data } = JSON.parse(answer) as { data: { job_id: string } };
  for (;;) {
    const job = await knex('jobs')
      .select('status', 'error')
      .select({ microseconds: knex.raw('TIMESTAMPDIFF(MICROSECOND, created_at, finished_at)') })
      .where('id', data.job_id)
      .first();
    if (job?.status === DONE) {
      for await (const { name } of storage.archives.list()) await storage.archives.remove(name);
      return Number(job.microseconds) / 1e6;
    }
    if (job?.status !== QUEUED && job?.status !== RUNNING)
      throw new Error(`the backup failed: ${job?.error}`);
    await sleep(POLL_MS);
  }
}
