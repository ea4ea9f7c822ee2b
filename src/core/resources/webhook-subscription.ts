// An address that gets an event for each matching change. Deliveries update `failing_since` and `last_delivery_at`
// without a new version, so the ETag changes only with what a caller changes.
import { nameArray } from '../model/bodies/array-field.ts';
import { type Row, timestamp, varchar } from '../model/fields/field.ts';
import { WEBHOOK_URL } from '../model/fields/validation.ts';
import { type RowIn, record } from '../model/records/record.ts';
import { allResources } from '../model/records/registry.ts';
import { ACTION_NAMES } from '../model/writes/change-action.ts';
import { isLogged } from '../model/writes/change-log.ts';

/** In `resources`: all that the key may read. */
export const ALL = '*';

const resourceNames = (): string[] => [
  ALL,
  ...allResources()
    .filter(isLogged)
    .map(({ name }) => name),
];

export class WebhookSubscription extends record(
  'webhooksubscription',
  {
    url: varchar(2_000, {
      required: true,
      validation: WEBHOOK_URL,
      description: 'Gets a signed POST for each event',
    }),
    resources: nameArray({
      elements: resourceNames,
      named: 'resources',
      fallback: [ALL],
      description: 'The resources whose changes are sent; `["*"]`: all resources that the key may read',
    }),
    actions: nameArray({ elements: () => ACTION_NAMES, named: ACTION_NAMES.join(), fallback: ACTION_NAMES }),
    description: varchar(120),
    secret: varchar(100, {
      required: true,
      readonly: true,
      writeOnly: true,
      shownOnce: true,
      description: 'Verifies the signatures. Only the answer to the POST shows it',
    }),
    failing_since: timestamp({
      readonly: true,
      description:
        'The first failure since the last delivery. The subscription is blocked on the fifth day (UTC) on which all tries failed',
    }),
    last_delivery_at: timestamp({ readonly: true }),
  },
  {
    description: 'An address that gets an event for each change',
    needs: { GET: 'ADMIN', POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
    hidden: ['sealed_secret', 'api_key_id', 'allow', 'since_change', 'failed_days', 'failed_on'],
  },
) {
  /** Sealed under the signing secret. Null after a restore: a backup holds no secrets. */
  declare sealed_secret: string | null;
  declare api_key_id: number | null;
  /** JSON: the patterns of the key. */
  declare allow: string | null;
  /** Entries of the outbox up to this ID are not sent: too many had no place when the subscription became active. */
  declare since_change: number | null;
  /** Days (UTC) since `failing_since` with failed tries only. Days without a try do not count. */
  declare failed_days: number | null;
  /** The first failed try of the last counted day. */
  declare failed_on: string | null;
}

/** Whether events are sent. */
export const isActive = ({ is_blocked, is_archived }: Row): boolean => is_blocked === 0 && is_archived === 0;

export type WebhookSubscriptionRow = RowIn<typeof WebhookSubscription>;
