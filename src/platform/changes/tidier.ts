// Removes old events and changes, and the answers that are kept for 24 hours.

import { dateNoLater } from '../../core/model/statements/fragment.ts';
import { retried } from '../../core/model/statements/retried.ts';
import { type Tidier, untilNone } from '../../core/model/statements/tidier.ts';
import { IdempotencyKey, keepNoLonger } from '../../core/model/writes/idempotency-key.ts';
import { daysBefore } from '../../core/trade/time/timestamp.ts';
import { closeFeeds, removeChanges } from './retention.ts';
import { WebhookDelivery } from './webhook-delivery.ts';

const DELIVERY_DAYS = 30;
const ROWS_AT_ONCE = 1_000;

export const CHANGES_TIDIERS: readonly Tidier[] = [
  {
    name: 'webhook_deliveries',
    byAge: true,
    remove: async ({ database, at }) => {
      const old = daysBefore(at, DELIVERY_DAYS);
      await retried(() => dateNoLater(WebhookDelivery.ofAllOwners('tidying', database), 'created_at'));
      // An event that waits for its next try stays, also if a clock that was behind dated it.
      const deliveries = () =>
        WebhookDelivery.ofAllOwners('tidying', database)
          .where('created_at', '<', old)
          .where((over) => over.whereNull('next_at').orWhere('next_at', '<', old));
      return untilNone(() => retried(() => deliveries().delete().limit(ROWS_AT_ONCE)));
    },
  },
  {
    name: 'idempotency_keys',
    byAge: true,
    remove: async ({ database, at }) => {
      await keepNoLonger(database);
      return retried(() =>
        IdempotencyKey.ofAllOwners('tidying', database).delete().where('created_at', '<', daysBefore(at, 1)),
      );
    },
  },
  // The feed first: it tells that its rows are gone before they are.
  {
    name: 'changes_of_feed',
    byAge: true,
    remove: ({ database, at, changesDays }) => closeFeeds(database, at, changesDays),
  },
  {
    name: 'changes',
    byAge: true,
    remove: ({ database, at, auditDays }) => removeChanges(database, at, auditDays),
  },
];
