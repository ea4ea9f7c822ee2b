// Finds the events that are due, sends them, and records the result.

import { unseal } from '../auth/secret.ts';
import { type Delivery, delivered } from '../calls/exchange.ts';
import type { CallOptions, Calls, DueCall, Running } from '../calls/turn.ts';
import { CALL_COLUMNS, type DeliveryStatus, WebhookDelivery } from '../changes/webhook-delivery.ts';
import type { SendMail } from '../mail.ts';
import { daysAgo, isFree, now, plusOne } from '../model/fragment.ts';
import { garageOf } from '../model/garage.ts';
import type { Session } from '../model/session.ts';
import { WebhookSubscription } from '../resources/webhook-subscription.ts';
import { type DueSubscription, shareCalls } from './call-share.ts';
import { sendEvent } from './event-call.ts';
import { ReceiverPace } from './receiver-pace.ts';
import { addressesOfAdmins, blockSubscription } from './subscription-block.ts';

const FAILING_DAYS = 5;
/** The receiver wants no more events. */
const GONE = 410;
const ERROR_LENGTH = 500;

type DueRow = DueCall & Pick<WebhookDelivery, 'id' | 'owner_id' | 'subscription_id' | 'message_id' | 'body'>;

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
): Calls<DueRow, DueDelivery> => ({
  what: 'event',
  model: WebhookDelivery,
  columns: CALL_COLUMNS,
  reads: ['owner_id', 'subscription_id', 'message_id', 'body'],
  findDue: (most, running) => findDue(options.database, pace, most, running),
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
  const subscriptions = await WebhookSubscription.ofAllOwners({ knex })
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

/** The IDs of events that are due, as many of each subscription as it may send now. */
async function findDue(
  { knex }: Session,
  pace: ReceiverPace,
  most: number,
  running: Running<DueDelivery>,
): Promise<number[]> {
  const shares = shareCalls(await dueSubscriptions(knex, pace), [...running.values()], most);
  if (shares.size === 0) return [];
  const events = [...shares].map(([id, share]) =>
    WebhookDelivery.query()
      .select('id')
      .where('subscription_id', id)
      .modify('due')
      .orderBy('next_at')
      .orderBy('id')
      .limit(share)
      .toKnexQuery(),
  );
  const found: { id: number }[] = await knex.unionAll(events, true);
  return found.map(({ id }) => id);
}

/**
 * The active subscriptions with an event that is due and that nobody sends. The time of the first event is the first
 * entry of an index, however many events wait.
 */
async function dueSubscriptions(knex: Session['knex'], pace: ReceiverPace): Promise<DueSubscription[]> {
  const first = WebhookDelivery.query()
    .select('next_at')
    .whereColumn('subscription_id', 's.id')
    .where('status', 'pending')
    .where(isFree('lease_until'))
    .orderBy('next_at')
    .limit(1);
  const due = await WebhookSubscription.ofAllOwners({ knex })
    .alias('s')
    .select('s.id', 's.owner_id', 's.failing_since', first.as('first_at'))
    .where({ 's.is_blocked': 0, 's.is_archived': 0 })
    .having('first_at', '<=', now())
    .castTo<(Pick<WebhookSubscription, 'id' | 'owner_id' | 'failing_since'> & { first_at: string })[]>();
  return due.map(({ id, owner_id: owner, failing_since, first_at: since }) => ({
    id,
    owner,
    isSlow: pace.isSlow(id, failing_since),
    since,
  }));
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
  const subscription = WebhookSubscription.of(garageOf(session, owner_id)).where('id', subscription_id);
  if (isDelivered) await subscription.patch({ last_delivery_at: now(), failing_since: null });
  else await subscription.patch({ failing_since: now() }).whereNull('failing_since');
  await WebhookDelivery.query(session.knex)
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
  if (status === GONE) return 'gone';
  const long = await WebhookSubscription.of(garageOf(session, owner_id))
    .select('id')
    .where('id', subscription_id)
    .where('failing_since', '<', daysAgo(FAILING_DAYS))
    .first();
  return long && 'failing';
}

async function tellBlocked(
  { database, mail, log }: DeliveryOptions,
  { owner_id, subscription_id, url }: DueDelivery,
  why: Blocked,
): Promise<void> {
  log.warn({ subscription: subscription_id, why }, 'a subscription was blocked');
  if (why !== 'failing') return;
  const text =
    `The webhook subscription ${subscription_id} was blocked: nothing could be delivered for five days to\n\n` +
    `${url}\n\nOnce the receiver works again, set is_blocked of the subscription to 0.\n`;
  const mailTo = async (to: string) => mail({ to, subject: 'A webhook subscription was blocked', text });
  const sent = await Promise.allSettled((await addressesOfAdmins(garageOf(database, owner_id))).map(mailTo));
  for (const { reason } of sent.filter((one) => one.status === 'rejected'))
    log.error(
      { err: reason, subscription: subscription_id },
      'mailing that a subscription was blocked failed',
    );
}
