// One event for one subscription. The row has the whole body, so each try sends the same bytes, and it has the time of
// the next try, so that a restart loses none.
import { randomUUID } from 'node:crypto';
import type { Modifiers } from 'objection';
import { problem } from '../../core/errors.ts';
import { int4, primaryId, timestamp, varchar } from '../../core/model/fields/field.ts';
import { listed } from '../../core/model/records/listed.ts';
import type { RowIn } from '../../core/model/records/record.ts';
import { OwnedModel } from '../../core/model/statements/base-model.ts';
import { now } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { isActive, WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { mayReadEvent } from '../auth/permission.ts';
import { type CallColumns, dueAnew, isFreeCall } from '../calls/turn.ts';

export const STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof STATUSES)[number];

export class WebhookDelivery extends OwnedModel {
  static override tableName = 'webhookdeliveries';
  declare id: number;
  declare owner_id: number;
  declare subscription_id: number;
  /** The place of the change in the feed of the owner; null: a test. */
  declare seq: number | null;
  /** `order.updated`, or `test`. */
  declare type: string;
  /** The `webhook-id` of all tries. */
  declare message_id: string;
  /** JSON, as it is sent. */
  declare body: string;
  declare status: DeliveryStatus;
  /** All tries. */
  declare attempts: number;
  /** The tries since the event was made or requested again: they decide the next pause. */
  declare tries: number;
  /** The HTTP status of the last try; null: there was no answer. */
  declare last_status: number | null;
  declare last_error: string | null;
  /** When the next try is due; null: no try is due. */
  declare next_at: string | null;
  declare lease_until: string | null;
  declare created_at: string;
  declare delivered_at: string | null;

  /** `due`: to be sent now, by a process that takes it. */
  static override get modifiers(): Modifiers {
    return {
      ...OwnedModel.modifiers,
      due: (query) =>
        query.where('status', 'pending').where('next_at', '<=', now()).where(isFreeCall(CALL_COLUMNS)),
    };
  }
}

const status = varchar(10, { required: true, readonly: true, isAscii: true });

const FIELDS = {
  id: primaryId(),
  subscription_id: int4({ required: true, readonly: true, indexed: true }),
  seq: int4({ readonly: true, description: 'The place of the change in the feed; null for a test' }),
  type: varchar(60, {
    required: true,
    readonly: true,
    isAscii: true,
    description: '`<resource>.<action>`, or `test`',
  }),
  status: { ...status, indexed: true, schema: { type: 'string' as const, enum: STATUSES } },
  attempts: int4({ required: true, readonly: true }),
  last_status: int4({ readonly: true, description: 'HTTP status of the last try; null: no answer' }),
  last_error: varchar(500, { readonly: true, description: 'Why the last try failed' }),
  next_at: timestamp({ readonly: true, description: 'When it is sent next; null: no more' }),
  delivered_at: timestamp({ readonly: true }),
  created_at: timestamp({ required: true, readonly: true }),
};

/** Deliveries as `GET /webhookdelivery` lists them. Nobody changes a delivery. */
export const deliveryResource = listed('webhookdelivery', WebhookDelivery, FIELDS, {
  description: 'An event for a subscription, kept for 30 days',
});

export const CALL_COLUMNS: CallColumns = { due: 'next_at', tries: 'tries', lease: 'lease_until' };

/** An event that is sent as soon as it is committed. */
export function newDelivery(
  subscription: { owner: number; id: number },
  { seq, type, body }: Pick<WebhookDelivery, 'seq' | 'type' | 'body'>,
) {
  const at = databaseNow();
  return {
    owner_id: subscription.owner,
    subscription_id: subscription.id,
    seq,
    type,
    message_id: randomUUID(),
    body,
    status: 'pending' as const,
    next_at: at,
    created_at: at,
  };
}

/** Why a subscription gets no event: `blocked`, `archived`, `deleted`; undefined: it gets events. */
type Inactive = 'blocked' | 'archived' | 'deleted' | undefined;

/** The result of a request for a delivery. Undefined: there is no such record. */
export type Requested = { readonly inactive: Inactive; readonly delivery: number } | undefined;

/** Sends `{"type": "test"}` to a subscription. */
export async function requestTest(garage: Garage, id: number): Promise<Requested> {
  const inactive = inactiveOf(await findSubscription(garage, id));
  if (inactive !== undefined) return inactive === 'deleted' ? undefined : { inactive, delivery: 0 };
  const test = { seq: null, type: 'test', body: JSON.stringify({ type: 'test' }) };
  const made = await WebhookDelivery.ofAllOwners('insert', garage).insert(
    newDelivery({ owner: garage.owner, id }, test),
  );
  return { inactive, delivery: made.id };
}

/**
 * Sends an event again, with its `webhook-id` and the pauses of a new one. Throws Problem if the key of the
 * subscription may not read the record by now.
 */
export async function requestRedelivery(garage: Garage, id: number): Promise<Requested> {
  const delivery = await WebhookDelivery.of(garage).findById(id).forUpdate();
  if (!delivery) return undefined;
  const subscription = await findSubscription(garage, delivery.subscription_id);
  const inactive = inactiveOf(subscription);
  if (inactive !== undefined) return { inactive, delivery: id };
  if (!mayReadEvent(String(subscription?.allow ?? '[]'), delivery.type))
    throw problem('key_forbids', { endpoint: `GET /${delivery.type.split('.')[0]}` });
  await WebhookDelivery.of(garage)
    .patch({ status: 'pending', ...dueAnew(CALL_COLUMNS) })
    .where('id', id);
  return { inactive, delivery: id };
}

type Found = Pick<RowIn<typeof WebhookSubscription>, 'is_blocked' | 'is_archived' | 'allow'> | undefined;

const findSubscription = (garage: Garage, id: number): Promise<Found> =>
  WebhookSubscription.of(garage)
    .select('is_blocked', 'is_archived', 'allow')
    .where('id', id)
    .first()
    .execute();

function inactiveOf(found: Found): Inactive {
  if (!found) return 'deleted';
  const { is_blocked, is_archived } = found;
  if (isActive({ is_blocked, is_archived })) return undefined;
  return is_blocked === 1 ? 'blocked' : 'archived';
}
