// One job as the API shows it, with its result and the attempts to call back. The secret is never shown.

import { LISTS } from '../../core/trade/lists.ts';
import { instant } from '../../core/trade/time/timestamp.ts';
import { findJob, hasArchive, type Job, shownStatus, statusName } from '../../work/jobs/job.ts';
import { signLink } from '../../work/jobs/link.ts';
import { type Viewer, viewing } from '../../work/jobs/viewer.ts';
import type { Services } from '../../work/services.ts';
import type { Call } from '../endpoint.ts';
import {
  instant as anyInstant,
  integer,
  optionalInstant,
  optionalInteger,
  optionalText,
  text,
  uuid,
} from '../openapi/operation.ts';
import { object, type SchemaObject } from '../openapi/schema.ts';

export const JOB_STATUS: SchemaObject = {
  type: 'string',
  enum: Object.values(LISTS.jobstatuses).map(statusName),
};

/** The caller, as far as jobs go. */
export const viewerOf = ({ identity, forbids }: Call): Viewer =>
  viewing(identity, (endpoint) => !forbids(endpoint));

/** One job with its callbacks and, once it is done, its result; undefined: the caller sees no such job. */
export async function showJob(
  { database, ...services }: Services,
  viewer: Viewer,
  id: string,
): Promise<object | undefined> {
  const job = await findJob(database, viewer, id);
  return job && { ...show(job), ...(hasArchive(job) ? resultOf(services, job) : {}) };
}

/** Where the archive of a job can be downloaded. */
export function resultOf(
  { signingSecret, publicUrl }: Pick<Services, 'signingSecret' | 'publicUrl'>,
  { file_name, file_size, file_sha256 }: Job,
): object {
  const { url, expires_at } = signLink(signingSecret, publicUrl, String(file_name));
  return { url, size: Number(file_size), sha256: file_sha256, expires_at };
}

const show = (job: Job): object => ({
  id: job.id,
  job_id: job.id,
  kind: job.kind,
  status: statusName(shownStatus(job)),
  progress: job.progress,
  created_at: instant(job.created_at),
  started_at: instant(job.started_at),
  finished_at: instant(job.finished_at),
  error: job.error,
  callbacks: (job.callbacks ?? []).map(({ at, status, error }) => ({ at: instant(at), status, error })),
});

/** The properties of a result, as `resultOf` makes them. */
export const RESULT: Record<string, SchemaObject> = {
  url: { ...text, format: 'uri', description: 'Signed address of the file, valid for 24 hours' },
  size: integer,
  sha256: text,
  expires_at: anyInstant,
};

const SHOWN: Record<string, SchemaObject> = {
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
};

/** One job, as `showJob` makes it. */
export const JOB_SCHEMA = object(
  { ...SHOWN, ...RESULT },
  {
    required: Object.keys(SHOWN),
    description:
      'A long-running request. `url`, `size`, `sha256` and `expires_at` only once it is done, or for an import that was cancelled or had too many refused rows',
  },
);
