// Limits the uploads of an owner, over all processes and nodes. An upload holds a lease while it runs. The lease of a
// process that dies runs out, so a crash blocks one upload of the owner for some seconds only.
import { Problem, violation } from '../../core/errors.ts';
import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { isFree, isLeased, now, secondsFromNow } from '../../core/model/statements/fragment.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { takeTurn } from './job-turn.ts';

const MOST_UPLOADS_OF_OWNER = 2;
const LEASE_SECONDS = 15;
const RENEW_MS = 5_000;
const RETRY_AFTER_SECONDS = 10;

/** A row for each upload that runs. Its ID is the ID of the job that it will get. */
class UploadLease extends OwnedModel {
  static override tableName = 'upload_leases';
  declare id: string;
  declare owner_id: number;
  declare lease_until: string;
}

interface Upload {
  readonly id: string;
  readonly owner: number;
}

/**
 * Runs `work` while the owner has the upload. `lost` is aborted with a Problem when the lease ran out and others have
 * taken its place. Throws Problem 429 if the owner has too many uploads.
 */
export async function withUploadLease<T>(
  database: Database,
  upload: Upload,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<T> {
  await refuseTooManyUploads(database, upload);
  const lost = new AbortController();
  const take = () => database.transaction((session) => takeLease(session, upload));
  await take();
  const timer = setInterval(() => {
    take().catch((error) => {
      // Without the database, the lease may outlive the outage. The next renewal tells.
      if (error instanceof Problem) lost.abort(error);
    });
  }, RENEW_MS);
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(timer);
    // A lease that can't be deleted runs out.
    await UploadLease.ofAllOwners('turns', database)
      .deleteById(upload.id)
      .catch(() => {});
  }
}

/** Takes the lease, or renews it. Throws Problem. */
async function takeLease(session: Session, { id, owner }: Upload): Promise<void> {
  await takeTurn(garageOf(session, owner));
  await refuseTooManyUploads(session, { id, owner });
  await UploadLease.ofAllOwners('insert', session)
    .insert({ id, owner_id: owner, lease_until: secondsFromNow(LEASE_SECONDS) })
    .onConflict('id')
    .merge();
}

/** Also asked before the turn is taken, because the turn keeps the owner's jobs from starting. */
async function refuseTooManyUploads({ knex }: Pick<Session, 'knex'>, { id, owner }: Upload): Promise<void> {
  const others = await UploadLease.of({ knex, owner })
    .where(isLeased('lease_until', LEASE_SECONDS))
    .whereNot('id', id)
    .resultSize();
  if (others >= MOST_UPLOADS_OF_OWNER)
    throw new Problem(violation('too_many_uploads'), { 'Retry-After': String(RETRY_AFTER_SECONDS) });
}

/** Whether an upload may still be written. After the clock went back it may, until removeEndedLeases has run. */
export async function isUploading({ knex }: Pick<Session, 'knex'>, id: string): Promise<boolean> {
  return (
    (await UploadLease.ofAllOwners('turns', { knex })
      .where({ id })
      .where('lease_until', '>=', now())
      .resultSize()) > 0
  );
}

/** Removes the leases of processes that have died. */
export async function removeEndedLeases({ knex }: Pick<Session, 'knex'>): Promise<void> {
  await UploadLease.ofAllOwners('turns', { knex }).delete().where(isFree('lease_until', LEASE_SECONDS));
}
