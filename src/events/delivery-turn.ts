// Which events are due, and which of them are sent now. Each subscription gets few calls at once, and those that fail get
// half of all calls at most, so that a receiver that hangs does not hold up the others.

import { type Delivery, delivered } from '../calls/exchange.ts';
import { MOST_CALLS } from '../calls/loop.ts';
import { pauseAfter } from '../calls/pause.ts';
import { WebhookDelivery } from '../changes/webhook-delivery.ts';
import { daysAgo, now, plusOne, secondsFromNow } from '../model/fragment.ts';
import type { Database, Session } from '../model/session.ts';
import { WebhookSubscription } from '../resources/webhook-subscription.ts';
import { blockSubscription } from './subscription-block.ts';

const MOST_CALLS_OF_SUBSCRIPTION = 8;
const MOST_CALLS_OF_FAILING = MOST_CALLS / 2;
/** Longer than a call may take. */
const LEASE_SECONDS = 30;
const FAILING_DAYS = 5;
/** The receiver wants no more events. */
const GONE = 410;
const ERROR_LENGTH = 500;

type Sent = 'id' | 'owner_id' | 'subscription_id' | 'message_id' | 'body' | 'tries' | 'next_at';

export type DueDelivery = Pick<WebhookDelivery, Sent> & {
  readonly url: string;
  readonly sealedSecret: string | null;
  readonly isFailing: boolean;
};

export interface ClaimOptions {
  /** How many events at once. */
  readonly most: number;
  /** The events that this process is sending. */
  readonly running: ReadonlyMap<number, DueDelivery>;
  readonly isHeld: () => Promise<boolean>;
}

/** Takes events that are due; none while they are held. */
export async function claimDue(database: Database, options: ClaimOptions): Promise<DueDelivery[]> {
  const ids = await findDue(database, options);
  // Asked each time: the database may become a copy of another one, or be released, while this process runs.
  if (ids.length === 0 || (await options.isHeld())) return [];
  return database.transaction(async ({ knex }) => {
    const taken: Pick<WebhookDelivery, Sent>[] = await WebhookDelivery.query(knex)
      .select('id', 'owner_id', 'subscription_id', 'message_id', 'body', 'tries', 'next_at')
      .whereIn('id', ids)
      .modify('due')
      .forUpdate()
      .skipLocked();
    if (taken.length === 0) return [];
    await WebhookDelivery.query(knex)
      .patch({ lease_until: secondsFromNow(LEASE_SECONDS) })
      .whereIn('id', idsOf(taken));
    const subscriptions = await WebhookSubscription.ofAllOwners({ knex })
      .select('id', 'url', 'sealed_secret', 'failing_since')
      .whereIn('id', [...new Set(taken.map(({ subscription_id }) => subscription_id))])
      .where({ is_blocked: 0, is_archived: 0 });
    const known = new Map(subscriptions.map((one) => [one.id, one]));
    return taken.flatMap((delivery) => {
      const found = known.get(delivery.subscription_id);
      if (!found) return [];
      const { url, sealed_secret: sealedSecret, failing_since } = found;
      return [{ ...delivery, url, sealedSecret, isFailing: failing_since !== null }];
    });
  });
}

const idsOf = (rows: readonly Pick<WebhookDelivery, 'id'>[]) => rows.map(({ id }) => id);

/** The IDs of events that are due: a few for each subscription, healthy subscriptions first. */
async function findDue({ knex }: Session, { most, running }: ClaimOptions): Promise<number[]> {
  const due = await dueSubscriptions(knex);
  const each = Math.max(1, Math.min(MOST_CALLS_OF_SUBSCRIPTION, Math.floor(most / Math.max(1, due.length))));
  const calls = [...running.values()];
  const counts = new Map<number, number>();
  for (const { subscription_id: id } of calls) counts.set(id, (counts.get(id) ?? 0) + 1);
  let free = most;
  let freeOfFailing = MOST_CALLS_OF_FAILING - calls.filter(({ isFailing }) => isFailing).length;
  const found: number[] = [];
  for (const { id, isFailing } of due) {
    const left = Math.min(each, MOST_CALLS_OF_SUBSCRIPTION - (counts.get(id) ?? 0), free);
    const share = isFailing ? Math.min(left, freeOfFailing) : left;
    if (share <= 0) continue;
    const rows = await WebhookDelivery.query(knex)
      .select('id')
      .where('subscription_id', id)
      .modify('due')
      .orderBy('next_at')
      .orderBy('id')
      .limit(share);
    found.push(...idsOf(rows));
    free -= rows.length;
    if (isFailing) freeOfFailing -= rows.length;
  }
  return found;
}

/**
 * The active subscriptions with an event that is due or being sent, those that do not fail first. The time of the first
 * event is the first entry of an index, however many events wait.
 */
async function dueSubscriptions(knex: Session['knex']): Promise<{ id: number; isFailing: boolean }[]> {
  const first = WebhookDelivery.query()
    .select('next_at')
    .whereColumn('subscription_id', 's.id')
    .where('status', 'pending')
    .orderBy('next_at')
    .limit(1);
  const active = await WebhookSubscription.ofAllOwners({ knex })
    .alias('s')
    .select('s.id', 's.failing_since', first.as('first_at'))
    .where({ 's.is_blocked': 0, 's.is_archived': 0 })
    .having('first_at', '<=', now());
  return active
    .map(({ id, failing_since }) => ({ id, isFailing: failing_since !== null }))
    .sort((a, b) => Number(a.isFailing) - Number(b.isFailing));
}

/** Lets another process send the event. */
export async function releaseDelivery({ knex }: Session, { id }: DueDelivery): Promise<void> {
  await WebhookDelivery.query(knex).patch({ lease_until: null }).where('id', id);
}

/** Why an attempt blocked its subscription; undefined: it did not. */
export type Blocked = 'gone' | 'failing' | undefined;

/** Records how an attempt ended and, if it failed, when the next one is due. Blocks a subscription that is over. */
export function recordAttempt(database: Database, due: DueDelivery, delivery: Delivery): Promise<Blocked> {
  const { subscription_id, owner_id } = due;
  return database.transaction(async (session) => {
    const { knex } = session;
    const subscription = WebhookSubscription.of(session, owner_id).where('id', subscription_id);
    if (delivered(delivery)) await subscription.patch({ last_delivery_at: now(), failing_since: null });
    else await subscription.patch({ failing_since: now() }).whereNull('failing_since');
    await writeAttempt(knex, due, delivery);
    const blocked = delivered(delivery) ? undefined : await reasonToBlock(session, due, delivery);
    const isBlocked = blocked !== undefined && (await blockSubscription(session, owner_id, subscription_id));
    return isBlocked ? blocked : undefined;
  });
}

async function writeAttempt(knex: Session['knex'], due: DueDelivery, delivery: Delivery): Promise<void> {
  const { status, error } = delivery;
  const isDelivered = delivered(delivery);
  const pause = isDelivered ? undefined : pauseAfter(due.tries);
  await WebhookDelivery.query(knex)
    .patch({
      attempts: plusOne('attempts'),
      last_status: status,
      last_error: error?.slice(0, ERROR_LENGTH) ?? null,
      ...(isDelivered ? { delivered_at: now() } : {}),
    })
    .where('id', due.id);
  // A redelivery that was requested during the call has changed next_at, and stays due.
  await WebhookDelivery.query(knex)
    .patch({
      status: isDelivered ? 'delivered' : pause === undefined ? 'failed' : 'pending',
      next_at: pause === undefined ? null : secondsFromNow(pause),
      tries: plusOne('tries'),
      lease_until: null,
    })
    .where('id', due.id)
    .where('next_at', due.next_at);
}

async function reasonToBlock(
  session: Session,
  { owner_id, subscription_id }: DueDelivery,
  { status }: Delivery,
): Promise<Blocked> {
  if (status === GONE) return 'gone';
  const long = await WebhookSubscription.of(session, owner_id)
    .select('id')
    .where('id', subscription_id)
    .where('failing_since', '<', daysAgo(FAILING_DAYS))
    .first();
  return long && 'failing';
}
