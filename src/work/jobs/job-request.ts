// What owners ask of jobs: to be queued, to be cancelled. Times come from the database's clock.
import { randomUUID } from 'node:crypto';
import { Problem, problem, violation } from '../../core/errors.ts';
import { now, plusOne } from '../../core/model/statements/fragment.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { digest } from '../../platform/auth/secret.ts';
import { isOver, Job, jobsSeenBy, shownStatus } from './job.ts';
import { takeTurn } from './job-turn.ts';
import type { Kind, Kinds } from './kind.ts';
import { endpointOf, kindsThat } from './kind-table.ts';
import { mayEnd, type Viewer } from './viewer.ts';

const { QUEUED, CANCELLED } = LISTS.jobstatuses;
const MOST_OPEN_OF_OWNER = 100;
const RETRY_AFTER_SECONDS = 30;

export interface JobRequest<K extends Kind = Kind> {
  /** A UUID, where something has the name of the job already. */
  readonly id?: string;
  readonly owner: number;
  readonly employee: number;
  readonly apiKey: number;
  readonly kind: K;
  readonly params: Kinds[K];
  /** Undefined: not to be called back. */
  readonly webhookUrl?: string;
}

/**
 * Queues a job within a transaction and answers its ID. If an identical job is still queued, answers the ID of that
 * job. Identical: same kind, parameters and webhook_url, requested with the same key, which signs the callback, by the
 * same employee, who may cancel the job. Throws Problem if the owner has too many open jobs.
 */
export async function requestJob(session: Session, request: JobRequest): Promise<string> {
  const { id = randomUUID(), owner, employee, apiKey, kind, webhookUrl = null } = request;
  const params = JSON.stringify(request.params);
  const hash = digest(JSON.stringify([apiKey, employee, kind, params, webhookUrl]));
  // Most requests beyond the limit end here: if they took the turn, they would keep the owner's jobs from starting.
  const known = await identicalJob(garageOf(session, owner), hash);
  if (known !== undefined) return known;
  await takeTurn(garageOf(session, owner));
  const added = await identicalJob(garageOf(session, owner), hash);
  if (added !== undefined) return added;
  await Job.ofAllOwners('insert', session).insert({
    id,
    owner_id: owner,
    api_key_id: apiKey,
    employee_id: employee,
    kind,
    endpoint: endpointOf(kind, request.params),
    params,
    params_hash: hash,
    webhook_url: webhookUrl,
    secret: randomUUID(),
    status: QUEUED,
    run_at: now(),
    created_at: now(),
  });
  return id;
}

/**
 * The ID of a queued job with the same hash. A cancelled job that still has to write its report does nothing else, so
 * it answers no request. Throws Problem if no such job exists and the owner has no room for another job.
 */
async function identicalJob(garage: Garage, hash: string): Promise<string | undefined> {
  const queued = await Job.of(garage)
    .select('id')
    .where('status', QUEUED)
    .whereNull('cancelled_at')
    .where('params_hash', hash)
    .first();
  if (queued) return queued.id;
  await refuseTooManyJobs(garage);
  return undefined;
}

/** Throws Problem if the owner has too many open jobs, before a request costs more. */
export async function refuseTooManyJobs(garage: Garage): Promise<void> {
  const open = await Job.of(garage).modify('open').resultSize();
  if (open >= MOST_OPEN_OF_OWNER)
    throw new Problem(violation('too_many_jobs'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}

interface Cancelled {
  /** The status before. */
  readonly status: number;
  /** Whether the job goes on with its report. */
  readonly writesReport: boolean;
}

/**
 * Cancels a job that is queued or running. Undefined: the caller sees no such job. Throws Problem if the caller may
 * not cancel the job.
 */
export function cancelJob(database: Database, viewer: Viewer, id: string): Promise<Cancelled | undefined> {
  return database.transaction(async (session) => {
    const job = await lockJob(session, viewer, id);
    if (!job) return undefined;
    const status = shownStatus(job);
    // A newer version may have added the kind.
    const writesReport = kindsThat('reports').includes(job.kind);
    if (!isOver(status)) {
      const ending = writesReport
        ? { status: QUEUED, cancelled_at: now(), run_at: now(), attempts: 0 }
        : { status: CANCELLED, finished_at: now() };
      await Job.of(garageOf(session, viewer.owner))
        .patch({ ...ending, lease_until: null, fence: plusOne('fence') })
        .where('id', id);
    }
    return { status, writesReport };
  });
}

/**
 * Part of a job that the caller may cancel and redeliver, locked until the transaction ends. Undefined: the caller sees
 * no such job. Throws Problem if the caller only sees the job.
 */
export async function lockJob(
  session: Session,
  viewer: Viewer,
  id: string,
): Promise<Pick<Job, 'kind' | 'status' | 'cancelled_at' | 'webhook_url'> | undefined> {
  const job = await jobsSeenBy(session, viewer)
    .select('employee_id', 'kind', 'status', 'cancelled_at', 'webhook_url')
    .where('id', id)
    .forUpdate()
    .first();
  // The contract names this endpoint, also for a redelivery.
  if (job && !mayEnd(viewer, job)) throw problem('role_forbids', { endpoint: 'DELETE /job' });
  return job;
}
