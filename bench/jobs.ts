// Backups asked of a running service, as a client would, and followed in the row of their job.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LISTS } from '../src/trade/lists.ts';
import type { Ground } from './ground.ts';
import { ask } from './same.ts';

const { DONE, QUEUED, RUNNING } = LISTS.jobstatuses;
const POLL_MS = 50;

/** Asks for a backup and waits until it is done. Answers the seconds between the job's two times. */
export async function backUp(ground: Ground, url: string, token: string): Promise<number> {
  const { database, storage } = ground.base;
  const answer = await ask(
    { url, token },
    {
      method: 'POST',
      path: '/v2/backup/owner',
      body: JSON.stringify({ webhook_url: 'https://127.0.0.1:1/' }),
    },
  );
  const { data } = JSON.parse(answer) as { data: { job_id: string } };
  for (;;) {
    const [job] = await database.rows(
      'SELECT status, error, TIMESTAMPDIFF(MICROSECOND, created_at, finished_at) AS took FROM jobs WHERE id = ?',
      [data.job_id],
    );
    if (job?.status === DONE) {
      for (const file of await readdir(storage.archives))
        await rm(join(storage.archives, file), { force: true });
      return Number(job.took) / 1e6;
    }
    if (job?.status !== QUEUED && job?.status !== RUNNING)
      throw new Error(`the backup failed: ${job?.error}`);
    await sleep(POLL_MS);
  }
}
