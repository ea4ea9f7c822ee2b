// Deliveries as lists know them: `GET /webhookdelivery` filters, sorts and pages like the list of any resource. A delivery
// is no record: nobody changes it, so it is not in the registry.
import { type Field, int4, primaryId, timestamp, varchar } from '../model/field.ts';
import type { AnyRecordClass, Resource } from '../model/record.ts';
import { STATUSES, WebhookDelivery } from './webhook-delivery.ts';

const status = varchar(10, { required: true, readonly: true });

const FIELDS: Readonly<Record<string, Field>> = {
  id: primaryId(),
  subscription_id: int4({ required: true, readonly: true, indexed: true }),
  seq: int4({ readonly: true, description: 'The place of the change in the feed; null for a test' }),
  type: varchar(60, { required: true, readonly: true, description: '`<resource>.<action>`, or `test`' }),
  status: { ...status, indexed: true, schema: { type: 'string', enum: STATUSES } },
  attempts: int4({ required: true, readonly: true }),
  last_status: int4({ readonly: true, description: 'HTTP status of the last try; null: no answer' }),
  last_error: varchar(500, { readonly: true, description: 'Why the last try failed' }),
  next_at: timestamp({ readonly: true, description: 'When it is sent next; null: no more' }),
  delivered_at: timestamp({ readonly: true }),
  created_at: timestamp({ required: true, readonly: true }),
};

class ListedDelivery extends WebhookDelivery {
  static get resource(): Resource {
    return deliveryResource;
  }
}

export const deliveryResource: Resource = {
  name: 'webhookdelivery',
  model: ListedDelivery as unknown as AnyRecordClass,
  table: WebhookDelivery.tableName,
  fields: new Map(Object.entries(FIELDS)),
  columns: Object.keys(FIELDS),
  unshown: [],
  traits: { description: 'An event for a subscription, kept for 30 days' },
  ownership: 'column',
  methods: ['GET'],
};
