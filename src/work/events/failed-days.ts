// Counts the days on which all tries of a subscription failed. Days without a try count neither way, so a service that
// was off blocks nothing. While the clock is in doubt, no day counts.

import { now } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { columns, type Selected, selected, text } from '../../core/model/statements/selected.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { utcDay } from '../../core/trade/time/timestamp.ts';
import { readClock } from '../../platform/database/clock.ts';

const FAILURES = {
  ...columns(WebhookSubscription, WebhookSubscription.tableName, 'failing_since', 'last_delivery_at'),
  ...columns(WebhookSubscription, WebhookSubscription.tableName, 'failed_days', 'failed_on'),
};
type Failures = Selected<typeof FAILURES>;

/**
 * Notes a failed try at this moment. Returns the number of days with failed tries only, today included; 0 if the clock
 * is in doubt and today was not counted before.
 */
export async function noteFailure(garage: Garage, id: number): Promise<number> {
  const read = () =>
    selected(WebhookSubscription.of(garage).where('id', id), { ...FAILURES, now: text(now()) });
  const [seen] = await read();
  if (!seen) return 0;
  if (!changesOf(seen, seen.now)) return seen.failed_days ?? 0;
  // Once a day. The row is locked, because another process may count the same day.
  const isDoubtful = (await readClock(garage)).waitMs > 0;
  const [locked] = await read().forUpdate();
  const changes = locked && changesOf(locked, locked.now, isDoubtful);
  if (changes) await WebhookSubscription.of(garage).patch(changes).where('id', id);
  return isDoubtful ? 0 : (changes?.failed_days ?? locked?.failed_days ?? 0);
}

/** The columns that a failed try changes. Undefined: none. `at`: now, in the form of the database. */
export function changesOf(
  { failing_since, last_delivery_at, failed_days, failed_on }: Failures,
  at: string,
  isDoubtful = false,
): Partial<Failures> | undefined {
  if (isDoubtful) return failing_since === null ? { failing_since: at } : undefined;
  // An older version begins anew without this count, and a clock that ran ahead has left a time that is to come.
  const isNew = failing_since === null || failing_since > at;
  if (isNew || failed_on === null || failed_on < failing_since)
    return {
      failing_since: isNew ? at : failing_since,
      // A day with a success is no failed day.
      failed_days: last_delivery_at !== null && utcDay(last_delivery_at) === utcDay(at) ? 0 : 1,
      failed_on: at,
    };
  if (utcDay(failed_on) === utcDay(at)) return undefined;
  const isLater = failed_on < at;
  return { failed_days: (failed_days ?? 0) + (isLater ? 1 : 0), failed_on: at };
}
