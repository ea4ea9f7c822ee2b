// A subscription has the rights of one key: the key that last set its address or its resources, or unblocked it.

import { problem, type Violation, violation } from '../../core/errors.ts';
import { nextNumber } from '../../core/model/records/counter.ts';
import { type Change, rulesOf } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { OutboxEntry } from '../../core/model/writes/change-log.ts';
import {
  ALL,
  isActive,
  WebhookSubscription,
  type WebhookSubscriptionRow,
} from '../../core/resources/webhook-subscription.ts';
import { ApiKey } from '../../platform/auth/key.ts';
import { allowance, mayReadEvent } from '../../platform/auth/permission.ts';
import { lockPlaces, placeAllChanges } from '../../platform/changes/place.ts';
import { WebhookDelivery } from '../../platform/changes/webhook-delivery.ts';

const NEEDS_SECRET = 'subscription with a secret';
const MOST_OF_OWNER = 20;
/** Counting subscriptions locks and writes its row: a Galera cluster compares written rows only. */
const COUNTER = 'subscriptions';
/** Entries of the outbox that get their places when a subscription becomes active. */
const MOST_PLACED = 3_000;

rulesOf(WebhookSubscription, {
  rules: [refuseUnreadable, refuseWithoutSecret, refuseTooMany],
  refuses: {
    write: [violation('key_forbids', { endpoint: 'GET /order' })],
    add: [violation('too_many_subscriptions')],
  },
  before: prepare,
  afterDelete: endDeliveries,
  afterRestore: blockRestored,
});

/**
 * Whether the change concerns the receiver or the sent resources, or unblocks. Then the rights of the caller's key
 * count.
 */
const takesRights = ({ previous, next, given }: Change<WebhookSubscriptionRow>): boolean =>
  !previous ||
  given('url') !== undefined ||
  given('resources') !== undefined ||
  next.is_blocked < previous.is_blocked ||
  next.is_archived < previous.is_archived;

/**
 * The patterns of the caller's key; undefined if the service makes the change. `key revoke` waits for this transaction,
 * and then blocks the subscription. Throws Problem: the key is revoked.
 */
async function patternsOf({ knex, changes }: Session): Promise<string | undefined> {
  const id = changes?.actor?.apiKey;
  if (id === undefined) return undefined;
  const key = await ApiKey.query(knex).select('allow').findById(id).whereNull('revoked_at').forShare();
  if (!key) throw problem('not_authorized');
  return key.allow;
}

async function refuseUnreadable(change: Change<WebhookSubscriptionRow>): Promise<Violation[]> {
  const patterns = takesRights(change) ? await patternsOf(change.garage) : undefined;
  if (patterns === undefined) return [];
  const allow = allowance(JSON.parse(patterns) as string[]);
  const named = JSON.parse(change.next.resources) as string[];
  return named
    .filter((name) => name !== ALL && !allow('GET', `/${name}`))
    .map((name) => violation('key_forbids', { endpoint: `GET /${name}` }));
}

function refuseWithoutSecret({ next, previous }: Change<WebhookSubscriptionRow>): Violation[] {
  return previous?.is_blocked === 1 && next.is_blocked === 0 && previous.sealed_secret === null
    ? [violation('value_invalid', { field: 'is_blocked', value: 0, validation: NEEDS_SECRET })]
    : [];
}

/**
 * Blocked and archived subscriptions count too. Subscriptions without a secret do not count: they came with a backup,
 * send nothing and stay blocked, and they can't be deleted.
 */
async function refuseTooMany({ previous, garage }: Change<WebhookSubscriptionRow>): Promise<Violation[]> {
  if (previous) return [];
  await nextNumber(garage, COUNTER);
  const own = await WebhookSubscription.of(garage).whereNotNull('sealed_secret').resultSize();
  return own < MOST_OF_OWNER ? [] : [violation('too_many_subscriptions')];
}

async function prepare(change: Change<WebhookSubscriptionRow>): Promise<void> {
  const { next, previous, garage } = change;
  const allow = takesRights(change) ? await patternsOf(garage) : undefined;
  if (allow !== undefined) {
    // A turn that has read the old rights commits its events first, and a later turn reads the new rights.
    await lockPlaces(garage);
    Object.assign(next, { allow, api_key_id: garage.changes?.actor?.apiKey });
    if (previous) await endUnreadable(garage, next.id, allow);
  }
  if (!isActive(next) || (previous && isActive(previous))) return;
  Object.assign(next, { since_change: await lastBefore(garage), failing_since: null });
}

/** Ends the waiting events of resources that the new key may not GET. */
async function endUnreadable(garage: Garage, id: number, patterns: string): Promise<void> {
  const waiting = () => WebhookDelivery.of(garage).where({ subscription_id: id, status: 'pending' });
  const types = await waiting().distinct('type');
  const unreadable = types.filter(({ type }) => !mayReadEvent(patterns, type)).map(({ type }) => type);
  if (unreadable.length === 0) return;
  await waiting()
    .whereIn('type', unreadable)
    .patch({ status: 'failed', next_at: null, last_error: 'the key of the subscription may not read it' });
}

/**
 * The entry of the outbox up to which nothing is sent to a subscription that becomes active. Null: all changes before
 * get their places now, for the subscriptions that are active already. The ID of an entry tells less: a long
 * transaction may have written lower ones, and commit them later.
 */
async function lastBefore(garage: Garage): Promise<number | null> {
  if (await placeAllChanges(garage, MOST_PLACED)) return null;
  const newest = await OutboxEntry.of(garage).select('id').orderBy('id', 'desc').first();
  return newest?.id ?? null;
}

/** Old deliveries stay in the list. */
async function endDeliveries({ next, garage }: Change<WebhookSubscriptionRow>): Promise<void> {
  await WebhookDelivery.of(garage)
    .where({ subscription_id: next.id, status: 'pending' })
    .patch({ status: 'failed', next_at: null, last_error: 'the subscription was deleted' });
}

/** A copy of a garage must not call the receivers of the original, and has no secret to sign with. */
async function blockRestored(garage: Garage): Promise<void> {
  await WebhookSubscription.of(garage).patch({ is_blocked: 1, failing_since: null });
}
