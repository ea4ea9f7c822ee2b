// A job: its row, its list, its result. Everything about a job is in its row, so that a job survives the process that
// runs it.
import { Model, type Modifiers, type RelationMappings } from 'objection';
import { int4, jobStatus, timestamp, varchar } from '../../core/model/fields/field.ts';
import type { Shown } from '../../core/model/fields/options.ts';
import type { Condition } from '../../core/model/lists/condition.ts';
import { listed } from '../../core/model/records/listed.ts';
import { BaseModel, OwnedModel } from '../../core/model/statements/base-model.ts';
import { isFree, isLeased, isStranded, now, rowCount } from '../../core/model/statements/fragment.ts';
import { columns, selected, whole } from '../../core/model/statements/selected.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { LISTS, lowerNameOf } from '../../core/trade/lists.ts';
import type { Kind } from './kind.ts';
import type { Viewer } from './viewer.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED } = LISTS.jobstatuses;
const ONGOING: readonly number[] = [QUEUED, RUNNING];

/** An import that was cancelled, or stopped because of its refused rows, has an archive too, its report. */
const MADE: readonly number[] = [DONE, FAILED, CANCELLED];

/** How long a process has a job without a sign of life. */
export const LEASE_SECONDS = 15;
/** Seconds until the next attempt, after the first, second, … failure. */
export const PAUSES = [2, 4, 8, 16];
export const MOST_ATTEMPTS = PAUSES.length + 1;

/** One attempt to call a webhook back. Attempts are only ever added. */
export class JobCallback extends BaseModel {
  static override tableName = 'job_callbacks';
  declare id: number;
  declare job_id: string;
  declare at: string;
  /** The HTTP status; null: there was no answer. */
  declare status: number | null;
  declare error: string | null;

  static override get modifiers(): Modifiers {
    return { oldestFirst: (query) => query.orderBy('id') };
  }
}

export class Job extends OwnedModel {
  static override tableName = 'jobs';
  declare id: string;
  declare owner_id: number;
  declare api_key_id: number;
  /**
   * The ID of the employee who asked for the job. It stays if the employee is deleted. Null: an older version made the
   * job.
   */
  declare employee_id: number | null;
  declare kind: Kind;
  /**
   * `GET /contact`: callers who may not use this endpoint do not see the job. A column, so that a list has one
   * condition, and anonymising may empty the parameters without hiding the job.
   */
  declare endpoint: string;
  /** JSON. */
  declare params: string;
  declare params_hash: string;
  /** Null: the requester polls, and is not called back. */
  declare webhook_url: string | null;
  declare secret: string;
  declare status: number;
  declare progress: number;
  declare attempts: number;
  /** Goes up with each claim: a process with a lower number no longer holds the job. */
  declare fence: number;
  declare run_at: string;
  declare lease_until: string | null;
  declare created_at: string;
  declare started_at: string | null;
  declare finished_at: string | null;
  /** When somebody cancelled a job that still has to write its report. */
  declare cancelled_at: string | null;
  /** Why the job failed. A job that is open, and has one, is to write its report only. */
  declare error: string | null;
  declare file_name: string | null;
  declare file_size: number | null;
  declare file_sha256: string | null;
  declare callback_tries: number;
  /** When the next callback is due; null: no callback is due. */
  declare callback_at: string | null;
  declare callback_lease_until: string | null;
  /** The attempts to call back, if they were fetched. */
  declare callbacks?: JobCallback[];

  static override get relationMappings(): RelationMappings {
    return {
      callbacks: {
        relation: Model.HasManyRelation,
        modelClass: JobCallback,
        join: { from: 'jobs.id', to: 'job_callbacks.job_id' },
      },
    };
  }

  /**
   * `made`: has an archive; `open`: not over; `running`: a process has its lease; `abandoned`: no process has its
   * lease; `queued`: may start now; `stranded`: may start now too, because only the clock went back; `shown`: the
   * columns that the API shows, and the callbacks.
   */
  static override get modifiers(): Modifiers {
    return {
      ...OwnedModel.modifiers,
      made: (query) => query.whereIn('status', [...MADE]).whereNotNull('file_name'),
      open: (query) => query.whereIn('status', ONGOING),
      running: (query) => query.where('status', RUNNING).where(isLeased('lease_until', LEASE_SECONDS)),
      abandoned: (query) => query.where('status', RUNNING).where(isFree('lease_until', LEASE_SECONDS)),
      queued: (query) => query.where('status', QUEUED).where('run_at', '<=', now()),
      stranded: (query) => query.where('status', QUEUED).where(isStranded(DUE, PAUSES, LEASE_SECONDS)),
      shown: (query) =>
        query
          .select('id', 'kind', 'status', 'progress', 'created_at', 'started_at', 'finished_at', 'error')
          .select('cancelled_at')
          .select('file_name', 'file_size', 'file_sha256')
          .withGraphFetched('callbacks(oldestFirst)'),
    };
  }
}

const DUE = { due: 'run_at', tries: 'attempts' };

/** A cancelled job that writes its report is not over, and will not go on. */
const SHOWN_STATUS: Shown = { value: CANCELLED, insteadOf: ONGOING, where: 'cancelled_at' };

const FIELDS = {
  id: varchar(36, { required: true, readonly: true, isAscii: true }),
  kind: varchar(40, { required: true, readonly: true }),
  status: jobStatus({ required: true, readonly: true, shownAs: SHOWN_STATUS }),
  progress: int4({ required: true, readonly: true, min: 0, max: 100 }),
  created_at: timestamp({ required: true, readonly: true, indexed: true }),
  started_at: timestamp({ readonly: true }),
  finished_at: timestamp({ readonly: true }),
};

/** Jobs as `GET /job` lists them. A job has a UUID, and no POST or PUT. */
export const jobResource = listed('job', Job, FIELDS, {
  description: 'A long-running request',
  newest: 'created_at',
});

const ENDPOINT = varchar(100);

/** The jobs of the owner that a caller sees in the list. */
export const seenInList = ({ endpoints }: Viewer): Condition => ({
  column: 'endpoint',
  field: ENDPOINT,
  operator: 'in',
  values: endpoints,
  isScope: true,
});

/** The status as the API shows it, such as `queued`. */
export const statusName = (status: number): string => lowerNameOf('jobstatuses', status) ?? 'unknown';

/** Whether a job has an archive, as the modifier `made` asks the database. */
export const hasArchive = ({ status, file_name }: Pick<Job, 'status' | 'file_name'>): boolean =>
  MADE.includes(status) && file_name !== null;

/** The status that the API shows, as SHOWN_STATUS has it. */
export const shownStatus = ({ status, cancelled_at }: Pick<Job, 'status' | 'cancelled_at'>): number =>
  cancelled_at !== null && !isOver(status) ? SHOWN_STATUS.value : status;

/** Whether a job has ended: done, failed, cancelled or expired. */
export const isOver = (status: number): boolean => !ONGOING.includes(status);

/** The jobs that a caller sees. */
export const jobsSeenBy = ({ knex }: Session, { owner, endpoints }: Viewer) =>
  Job.of({ knex, owner }).whereIn('endpoint', [...endpoints]);

/** One job as the API shows it, with its callbacks; undefined: the caller sees no such job. */
export const findJob = (session: Session, viewer: Viewer, id: string): Promise<Job | undefined> =>
  jobsSeenBy(session, viewer).modify('shown').where('id', id).first().execute();

/** The job with this secret: its status, error and file; undefined: the caller sees no such job. */
export const findResult = (session: Session, viewer: Viewer, secret: string): Promise<Job | undefined> =>
  jobsSeenBy(session, viewer)
    .select('status', 'error', 'file_name', 'file_size', 'file_sha256')
    .where('secret', secret)
    .first()
    .execute();

/** The SHA-256 of an archive that may be downloaded; undefined: there is no such archive. */
export async function archiveDigest(session: Session, file: string): Promise<string | undefined> {
  const job = await Job.ofAllOwners('link', session)
    .select('file_sha256')
    .where('file_name', file)
    .modify('made')
    .first();
  return job && String(job.file_sha256);
}

/** How many jobs have each status that occurs. */
export const countJobs = ({ knex }: Session): Promise<{ status: number; jobs: number }[]> =>
  selected(Job.ofAllOwners('turns', { knex }).groupBy('status'), {
    ...columns(Job, Job.tableName, 'status'),
    jobs: whole(rowCount()),
  }).execute();
