// Deliveries as `GET /webhookdelivery` lists them. Nobody changes a delivery.

import { STATUSES, WebhookDelivery } from '../changes/webhook-delivery.ts';
import { int4, primaryId, timestamp, varchar } from '../model/field.ts';
import { listed } from '../model/listed.ts';

const status = varchar(10, { required: true, readonly: true });

const FIELDS = {
  id: primaryId(),
  subscription_id: int4({ required: true, readonly: true, indexed: true }),
  seq: int4({ readonly: true, description: 'The place of the change in the feed; null for a test' }),
  type: varchar(60, { required: true, readonly: true, description: '`<resource>.<action>`, or `test`' }),
  status: { ...status, indexed: true, schema: { type: 'string' as const, enum: STATUSES } },
  attempts: int4({ required: true, readonly: true }),
  last_status: int4({ readonly: true, description: 'HTTP status of the last try; null: no answer' }),
  last_error: varchar(500, { readonly: true, description: 'Why the last try failed' }),
  next_at: timestamp({ readonly: true, description: 'When it is sent next; null: no more' }),
  delivered_at: timestamp({ readonly: true }),
  created_at: timestamp({ required: true, readonly: true }),
};

export const deliveryResource = listed('webhookdelivery', WebhookDelivery, FIELDS, {
  description: 'An event for a subscription, kept for 30 days',
});
