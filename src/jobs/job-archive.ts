// How long the archive of a job is kept: whether a file belongs to a job, and when an archive expires.
import { daysAgo } from '../model/fragment.ts';
import type { Session } from '../model/session.ts';
import { LISTS } from '../trade/lists.ts';
import { Job } from './job.ts';

const { RUNNING, DONE, EXPIRED } = LISTS.jobstatuses;

const EXPIRED_AT_ONCE = 1_000;

/** Whether the file of an attempt is the archive of a job that is done, or may still become that. */
export async function isNeeded(session: Session, id: string, fence: number, file: string): Promise<boolean> {
  // An attempt whose lease has ended may still finish, until another attempt begins.
  const job = await Job.query(session.knex)
    .select('id')
    .where('id', id)
    .where((either) =>
      either
        .where((done) => done.where('status', DONE).where('file_name', file))
        .orWhere((running) => running.where('status', RUNNING).where('fence', fence)),
    )
    .first();
  return job !== undefined;
}

/** Marks some archives older than `days` as expired. Answers the names of their files; none: no more are left. */
export async function expireArchives(session: Session, days: number): Promise<string[]> {
  const jobs = await Job.query(session.knex)
    .select('id', 'file_name')
    .where('status', DONE)
    .where('finished_at', '<', daysAgo(days))
    .limit(EXPIRED_AT_ONCE);
  for (const { id } of jobs) {
    await Job.query(session.knex)
      .patch({ status: EXPIRED, callback_at: null })
      .where('id', id)
      .where('status', DONE);
  }
  return jobs.map(({ file_name }) => String(file_name));
}
