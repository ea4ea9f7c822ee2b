// Finds the events that are due, sends them, and records the result.

import type { RawBuilder } from 'objection';
import { now, onIndex, plusOne } from '../../core/model/statements/fragment.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { columns, selected, text } from '../../core/model/statements/selected.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { unseal } from '../../platform/auth/secret.ts';
import { type Delivery, delivered } from '../../platform/calls/exchange.ts';
import {
  type CallOptions,
  type Calls,
  type Claimed,
  isFreeCall,
  type Running,
} from '../../platform/calls/turn.ts';
import {
  CALL_COLUMNS,
  type DeliveryStatus,
  WebhookDelivery,
} from '../../platform/changes/webhook-delivery.ts';
import type { SendMail } from '../../platform/mail.ts';
import { type DueSubscription, shareCalls } from './call-share.ts';
import { sendEvent } from './event-call.ts';
import { noteFailure } from './failed-days.ts';
import { ReceiverPace } from './receiver-pace.ts';
import { addressesOfAdmins, blockSubscription } from './subscription-block.ts';

const MOST_FAILED_DAYS = 5;
/** The receiver wants no more events. */
const GONE = 410;
const ERROR_LENGTH = 500;

const DELIVERY = {
  ...columns(WebhookDelivery, WebhookDelivery.tableName, 'id', 'owner_id', 'subscription_id'),
  ...columns(WebhookDelivery, WebhookDelivery.tableName, 'message_id', 'body'),
};
type DueRow = Claimed<typeof DELIVERY>;

export type DueDelivery = DueRow & {
  readonly url: string;
  readonly sealedSecret: string | null;
  readonly isSlow: boolean;
};

export interface DeliveryOptions extends CallOptions {
  readonly mail: SendMail;
}

/** The deliveries of a process, for `callLoop`. `wake`: looks for due ones now. */
export const deliveries = (
  options: DeliveryOptions,
  wake: () => void,
  pace = new ReceiverPace(),
): Calls<typeof DELIVERY, DueDelivery> => ({
  what: 'event',
  model: WebhookDelivery,
  columns: CALL_COLUMNS,
  reads: DELIVERY,
  findDue: (most, running) => findDue(options.database, pace, most, running),
  findStranded: (isStrandedCall) => findStranded(options.database, isStrandedCall),
  complete: (session, rows) => withSubscriptions(session, pace, rows),
  make: (due, { draining }) => pace.measure(due.subscription_id, async () => send(options, due, draining)),
  record: async (session, due, delivery) => {
    const blocked = await recordAttempt(session, due, delivery);
    if (blocked) return () => tellBlocked(options, due, blocked);
    // More may be due for this subscription than it may get at once.
    return delivered(delivery) ? async () => wake() : undefined;
  },
  changes: (outcome) => ({ status: STATUS[outcome] }),
  about: ({ id, subscription_id }) => ({ delivery: id, subscription: subscription_id }),
});

const STATUS = {
  delivered: 'delivered',
  failed: 'pending',
  given_up: 'failed',
} as const satisfies Record<string, DeliveryStatus>;

/**
 * Adds the address and the secret of its subscription to each delivery. Leaves out deliveries of inactive
 * subscriptions.
 */
async function withSubscriptions(
  { knex }: Session,
  pace: ReceiverPace,
  rows: readonly DueRow[],
): Promise<DueDelivery[]> {
  const subscriptions = await WebhookSubscription.ofAllOwners('turns', { knex })
    .select('id', 'url', 'sealed_secret', 'failing_since')
    .whereIn('id', [...new Set(rows.map(({ subscription_id }) => subscription_id))])
    .where({ is_blocked: 0, is_archived: 0 });
  const known = new Map(subscriptions.map((one) => [one.id, one]));
  return rows.flatMap((delivery) => {
    const found = known.get(delivery.subscription_id);
    if (!found) return [];
    const { url, sealed_secret: sealedSecret, failing_since } = found;
    return [{ ...delivery, url, sealedSecret, isSlow: pace.isSlow(found.id, failing_since) }];
  });
}

/**
 * The IDs of events that are due, as many of each subscription as it may send now. Half of them are the oldest and half
 * the newest: behind thousands of events of an import, the event of a change made now would wait for minutes.
 */
async function findDue(
  { knex }: Session,
  pace: ReceiverPace,
  most: number,
  running: Running<DueDelivery>,
): Promise<number[]> {
  const shares = shareCalls(await dueSubscriptions(knex, pace), [...running.values()], most);
  if (shares.size === 0) return [];
  const events = [...shares].flatMap(([id, share]) => {
    // A coin gives the odd one: often a subscription has a single free place.
    const newest = Math.floor(share / 2 + Math.random());
    return [...firstDue(id, 'asc', share - newest), ...firstDue(id, 'desc', newest)];
  });
  const found: { id: number }[] = await knex.union(events, true);
  return found.map(({ id }) => id);
}

/** The oldest or the newest events of a subscription, as a query; none if there are to be none. */
const firstDue = (subscription: number, direction: 'asc' | 'desc', limit: number) =>
  limit === 0
    ? []
    : [
        WebhookDelivery.ofAllOwners('part')
          .select('id')
          .where('subscription_id', subscription)
          .modify('due')
          .orderBy('next_at', direction)
          .orderBy('id', direction)
          .limit(limit)
          .toKnexQuery(),
      ];

/**
 * The active subscriptions with an event that is due and that nobody sends. The time of the first event is the first
 * entry of an index, however many events wait.
 */
async function dueSubscriptions(knex: Session['knex'], pace: ReceiverPace): Promise<DueSubscription[]> {
  const first = WebhookDelivery.ofAllOwners('part')
    .select('next_at')
    .whereColumn('subscription_id', 's.id')
    .where('status', 'pending')
    .where(isFreeCall(CALL_COLUMNS))
    .orderBy('next_at')
    .limit(1);
  const active = WebhookSubscription.ofAllOwners('turns', { knex })
    .alias('s')
    .where({ 's.is_blocked': 0, 's.is_archived': 0 })
    .having('first_at', '<=', now());
  const due = await selected(active, {
    ...columns(WebhookSubscription, 's', 'id', 'owner_id', 'failing_since'),
    first_at: text(first),
  });
  return due.map(({ id, owner_id: owner, failing_since, first_at: since }) => ({
    id,
    owner,
    isSlow: pace.isSlow(id, failing_since),
    since,
  }));
}

/** One range of the index for each subscription. */
async function findStranded({ knex }: Session, isStrandedCall: RawBuilder): Promise<number[]> {
  const subscriptions = await WebhookSubscription.ofAllOwners('turns', { knex })
    .select('id')
    .where({ is_blocked: 0, is_archived: 0 });
  const events = await WebhookDelivery.ofAllOwners('turns', { knex })
    .select('id')
    .from(onIndex(WebhookDelivery.tableName, WebhookDelivery.tableName, 'webhookdeliveries__due'))
    .whereIn(
      'subscription_id',
      subscriptions.map(({ id }) => id),
    )
    .where('status', 'pending')
    .where(isStrandedCall);
  return events.map(({ id }) => id);
}

function send(
  { signingSecret, allow, log }: DeliveryOptions,
  { sealedSecret, subscription_id, url, message_id, body }: DueDelivery,
  signal: AbortSignal,
): Promise<Delivery> | Delivery {
  let secret: string;
  try {
    secret = unseal(signingSecret, String(sealedSecret));
  } catch (error) {
    log.error({ err: error, subscription: subscription_id }, 'a webhook secret could not be read');
    return { status: null, error: 'the secret of the subscription can not be read' };
  }
  return sendEvent({ url, secret, id: message_id, body, allow, signal });
}

/** Why a try blocked its subscription; undefined: it did not. */
type Blocked = 'gone' | 'failing' | undefined;

/** Records a try in the subscription and in the delivery. Blocks a subscription that is over. */
async function recordAttempt(session: Session, due: DueDelivery, delivery: Delivery): Promise<Blocked> {
  const { id, subscription_id, owner_id } = due;
  const { status, error } = delivery;
  const isDelivered = delivered(delivery);
  if (isDelivered)
    await WebhookSubscription.of(garageOf(session, owner_id))
      .patch({ last_delivery_at: now(), failing_since: null, failed_days: null, failed_on: null })
      .where('id', subscription_id);
  await WebhookDelivery.ofAllOwners('turns', session)
    .patch({
      attempts: plusOne('attempts'),
      last_status: status,
      last_error: error?.slice(0, ERROR_LENGTH) ?? null,
      ...(isDelivered ? { delivered_at: now() } : {}),
    })
    .where('id', id);
  const reason = isDelivered ? undefined : await reasonToBlock(session, due, delivery);
  return reason && (await blockSubscription(garageOf(session, owner_id), subscription_id))
    ? reason
    : undefined;
}

async function reasonToBlock(
  session: Session,
  { owner_id, subscription_id }: DueDelivery,
  { status }: Delivery,
): Promise<Blocked> {
  const days = await noteFailure(garageOf(session, owner_id), subscription_id);
  if (status === GONE) return 'gone';
  return days >= MOST_FAILED_DAYS ? 'failing' : undefined;
}

async function tellBlocked(
  { database, mail, log }: DeliveryOptions,
  { owner_id, subscription_id, url }: DueDelivery,
  why: Blocked,
): Promise<void> {
  log.warn({ subscription: subscription_id, why }, 'a subscription was blocked');
  if (why !== 'failing') return;
  const text =
    `The webhook subscription ${subscription_id} was blocked: all tries of five days failed to\n\n` +
    `${url}\n\nOnce the receiver works again, set is_blocked of the subscription to 0.\n`;
  const mailTo = async (to: string) => mail({ to, subject: 'A webhook subscription was blocked', text });
  const sent = await Promise.allSettled((await addressesOfAdmins(garageOf(database, owner_id))).map(mailTo));
  for (const { reason } of sent.filter((one) => one.status === 'rejected'))
    log.error(
      { err: reason, subscription: subscription_id },
      'mailing that a subscription was blocked failed',
    );
}
