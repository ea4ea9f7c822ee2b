// Jobs as the API shows them, one or a page, with the attempts to call back. The secret is never shown.
import { findJob, type Job, listJobs, statusName } from '../jobs/job.ts';
import { readCursor, writeCursor } from '../model/cursor.ts';
import { readPlace } from '../model/list-query.ts';
import type { Session } from '../model/session.ts';
import { LISTS, lowerNameOf } from '../trade/lists.ts';
import { formatTimestamp, instant, parseTimestamp } from '../trade/timestamp.ts';
import {
  instant as anyInstant,
  integer,
  optionalInstant,
  optionalInteger,
  optionalText,
  text,
  uuid,
} from './openapi/operation.ts';
import { object, type SchemaObject } from './openapi/schema.ts';

const states = Object.values(LISTS.jobstatuses).map((status) => lowerNameOf('jobstatuses', status));
export const JOB_STATUS: SchemaObject = { type: 'string', enum: states };

export const PLACE = ['page', 'page_size', 'cursor'];
const LIST = 'job';

export async function showJob(session: Session, owner: number, id: string): Promise<object | undefined> {
  const job = await findJob(session, owner, id);
  return job && show(job);
}

/** The answer to a list. Throws Problem where a parameter of the page is invalid. */
export async function pageOfJobs(
  session: Session,
  owner: number,
  parameters: ReadonlyMap<string, string>,
): Promise<object> {
  const { page = 1, pageSize, cursor } = readPlace(parameters);
  const after = cursor === undefined ? undefined : (readCursor(LIST, cursor, isPlace) as [string, string]);
  const found = await listJobs(session, owner, {
    limit: pageSize + 1,
    offset: (page - 1) * pageSize,
    after,
  });
  const shown = found.slice(0, pageSize);
  const last = shown.at(-1);
  const hasMore = found.length > pageSize;
  return {
    successCode: 200,
    data: shown.map(show),
    page: after ? null : page,
    page_size: pageSize,
    has_more: hasMore,
    next: hasMore && last ? writeCursor(LIST, [last.created_at, last.id]) : null,
  };
}

const isPlace = ([at, id, ...more]: unknown[]) =>
  typeof at === 'string' &&
  parseTimestamp(formatTimestamp(at)) !== undefined &&
  typeof id === 'string' &&
  more.length === 0;

const show = (job: Job): object => ({
  id: job.id,
  job_id: job.id,
  kind: job.kind,
  status: statusName(job.status),
  progress: job.progress,
  created_at: instant(job.created_at),
  started_at: instant(job.started_at),
  finished_at: instant(job.finished_at),
  error: job.error,
  callbacks: (job.callbacks ?? []).map(({ at, status, error }) => ({ at: instant(at), status, error })),
});

/** The schema of a job, as `show` makes it. */
export const jobSchemas: Record<string, SchemaObject> = {
  job: object(
    {
      id: uuid,
      job_id: uuid,
      kind: text,
      status: JOB_STATUS,
      progress: { ...integer, minimum: 0, maximum: 100 },
      created_at: anyInstant,
      started_at: optionalInstant,
      finished_at: optionalInstant,
      error: optionalText,
      callbacks: {
        type: 'array',
        items: object({ at: anyInstant, status: optionalInteger, error: optionalText }),
        description: 'The attempts to call the webhook_url',
      },
    },
    { description: 'A long-running request' },
  ),
};
