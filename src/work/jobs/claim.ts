// Which job runs next: owners take turns, and one owner has two running jobs at most. The turn of an owner is locked
// while a job of the owner is chosen, so that two processes can't start more than that.
import { fn, ref } from 'objection';
import { now, onIndex, plusOne, secondsFromNow } from '../../core/model/statements/fragment.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { type Claim, failed } from './attempt.ts';
import { unlessAhead } from './fragment.ts';
import { Job, LEASE_SECONDS, MOST_ATTEMPTS } from './job.ts';
import { endTurn, takeFreeTurn } from './job-turn.ts';
import { KINDS, KNOWN_KINDS } from './kind-table.ts';

const { RUNNING } = LISTS.jobstatuses;

const MOST_RUNNING_OF_OWNER = 2;
const OWNERS_AT_ONCE = 20;
const ENDED_TOO_OFTEN = `The process that ran it ended ${MOST_ATTEMPTS} times before it was done`;
/** The modifiers of jobs that may start now. Stranded jobs were asked for before the queued ones. */
const STATES = ['abandoned', 'stranded', 'queued'] as const;

interface Claimed {
  /** Undefined: no job can run now. */
  readonly claim?: Claim;
  /** Jobs that used up their attempts; they have failed now. */
  readonly givenUp: readonly string[];
}

/**
 * Takes the next job that may run: owners take turns. Within an owner, a job whose lease has ended goes before queued
 * ones. Leaves out the jobs in `running`, which this process still runs: a process does not take a job over from
 * itself, nor begins one anew before its old attempt has ended. A job of a kind that only a newer version knows waits
 * for a process of that version.
 */
export async function claimJob(database: Database, running: readonly string[] = []): Promise<Claimed> {
  const givenUp: string[] = [];
  for (const owner of await ownersWithWork(database)) {
    const claimed = await database.transaction((session) => claimOf(garageOf(session, owner), running));
    givenUp.push(...claimed.givenUp);
    if (claimed.claim) return { claim: claimed.claim, givenUp };
  }
  return { givenUp };
}

/** Owners who have a job that may run, and room for it; first the one whose last start was longest ago. */
async function ownersWithWork({ knex }: Database): Promise<number[]> {
  const busyOwners = Job.ofAllOwners('part')
    .select('owner_id')
    .modify('running')
    .groupBy('owner_id')
    .having(fn.count(ref('id')), '>=', MOST_RUNNING_OF_OWNER);
  const owners = await Job.ofAllOwners('turns', { knex })
    .from(CLAIM_INDEX)
    .select('jobs.owner_id')
    .leftJoin('job_turns', 'job_turns.owner_id', 'jobs.owner_id')
    .where((any) => {
      for (const state of STATES) any.orWhere((one) => one.modify(state));
    })
    .whereIn('jobs.kind', [...KNOWN_KINDS])
    .whereNotIn('jobs.owner_id', busyOwners)
    .groupBy('jobs.owner_id')
    .orderBy(fn('max', unlessAhead('job_turns.last_start_at')))
    .orderBy(fn.min(ref('jobs.run_at')))
    .limit(OWNERS_AT_ONCE);
  return owners.map(({ owner_id }) => owner_id);
}

/** Without this index, SKIP LOCKED would lock every row. */
const CLAIM_INDEX = onIndex('jobs', 'jobs', 'jobs__claim');

/**
 * Takes the next job of an owner, if the owner has room for it. One process counts at a time, so that two cannot start
 * more than that; a process that does not get the turn goes on to the next owner.
 */
async function claimOf(garage: Garage, running: readonly string[]): Promise<Claimed> {
  const givenUp: string[] = [];
  if (!(await takeFreeTurn(garage))) return { givenUp };
  const others = await Job.of(garage).from(CLAIM_INDEX).select('id').modify('running');
  if (others.length >= MOST_RUNNING_OF_OWNER) return { givenUp };
  for (;;) {
    const job = await next(garage, running);
    if (!job) return { givenUp };
    // Nobody could tell what a job has written that reports its work. So its next attempts are for its report only.
    if (job.attempts >= MOST_ATTEMPTS && KINDS[job.kind].reports && job.error === null)
      job.$set({ attempts: 0, error: ENDED_TOO_OFTEN });
    if (job.attempts < MOST_ATTEMPTS) return { claim: await start(garage, job), givenUp };
    await giveUp(garage, job);
    givenUp.push(job.id);
  }
}

/** The next job of an owner, locked. */
const next = async (garage: Garage, running: readonly string[]): Promise<Job | undefined> =>
  (await oldest(garage, 'abandoned', running)) ??
  (await oldest(garage, 'stranded', running)) ??
  (await oldest(garage, 'queued', running));

/** The oldest such job of an owner that no other transaction holds, locked. */
const oldest = (
  garage: Garage,
  state: (typeof STATES)[number],
  except: readonly string[],
): Promise<Job | undefined> =>
  Job.of(garage)
    .from(CLAIM_INDEX)
    .select('id', 'owner_id', 'kind', 'params', 'fence', 'attempts', 'error', 'cancelled_at')
    .modify(state)
    .whereIn('kind', [...KNOWN_KINDS])
    .whereNotIn('id', [...except])
    .orderBy('run_at')
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .first()
    .execute();

async function giveUp(session: Session, { id, cancelled_at, error }: Job): Promise<void> {
  await Job.ofAllOwners('turns', session)
    .patch({ ...failed(cancelled_at !== null, error ?? ENDED_TOO_OFTEN), fence: plusOne('fence') })
    .where('id', id);
}

async function start(session: Session, job: Job): Promise<Claim> {
  const { id, owner_id, kind, params, error, cancelled_at } = job;
  const fence = job.fence + 1;
  await Job.ofAllOwners('turns', session)
    .patch({
      status: RUNNING,
      fence,
      attempts: job.attempts + 1,
      progress: 0,
      error,
      started_at: now(),
      lease_until: secondsFromNow(LEASE_SECONDS),
    })
    .where('id', id);
  await endTurn(garageOf(session, owner_id));
  const isCancelled = cancelled_at !== null;
  const givenUpFor = error ?? undefined;
  return { id, owner: owner_id, kind, params: JSON.parse(params), fence, isCancelled, givenUpFor };
}
