// Jobs as the API shows them, one or a page, with the attempts to call back. The secret is never shown.
import { statusName } from '../jobs/job.ts';
import { marks, padded } from '../model/clause.ts';
import { readCursor, writeCursor } from '../model/cursor.ts';
import type { Row } from '../model/field.ts';
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
const SELECT =
  'SELECT id, kind, status, progress, created_at, started_at, finished_at, error FROM jobs WHERE owner_id = ?';
const NEWEST_FIRST = 'ORDER BY created_at DESC, id DESC LIMIT ?';

export async function showJob(session: Session, owner: number, id: string): Promise<object | undefined> {
  const [shown] = await show(session, await session.rows(`${SELECT} AND id = ?`, [owner, id]));
  return shown;
}

/** The answer to a list. Throws Problem where a parameter of the page is invalid. */
export async function listJobs(
  session: Session,
  owner: number,
  parameters: ReadonlyMap<string, string>,
): Promise<object> {
  const { page = 1, pageSize, cursor } = readPlace(parameters);
  const most = String(pageSize + 1);
  const rows =
    cursor === undefined
      ? await session.rows(`${SELECT} ${NEWEST_FIRST} OFFSET ?`, [owner, most, String((page - 1) * pageSize)])
      : await session.rows(`${SELECT} AND (created_at, id) < (?, ?) ${NEWEST_FIRST}`, [
          owner,
          ...readCursor(LIST, cursor, isPlace),
          most,
        ]);
  const shown = rows.slice(0, pageSize);
  const last = shown.at(-1);
  const hasMore = rows.length > pageSize;
  return {
    successCode: 200,
    data: await show(session, shown),
    page: cursor === undefined ? page : null,
    page_size: pageSize,
    has_more: hasMore,
    next: hasMore && last ? writeCursor(LIST, [last.created_at ?? null, last.id ?? null]) : null,
  };
}

const isPlace = ([at, id, ...more]: unknown[]) =>
  typeof at === 'string' &&
  parseTimestamp(formatTimestamp(at)) !== undefined &&
  typeof id === 'string' &&
  more.length === 0;

async function show(session: Session, jobs: readonly Row[]): Promise<object[]> {
  const ids = jobs.map(({ id = null }) => id);
  const attempts =
    ids.length === 0
      ? []
      : await session.rows(
          `SELECT job_id, at, status, error FROM job_callbacks WHERE job_id IN (${marks(ids.length)}) ORDER BY id`,
          padded(ids),
        );
  return jobs.map((job) => ({
    id: job.id,
    job_id: job.id,
    kind: job.kind,
    status: statusName(job.status),
    progress: job.progress,
    created_at: instant(job.created_at),
    started_at: instant(job.started_at),
    finished_at: instant(job.finished_at),
    error: job.error,
    callbacks: attempts
      .filter(({ job_id }: Row) => job_id === job.id)
      .map(({ at, status, error }: Row) => ({ at: instant(at), status, error })),
  }));
}

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
