// Makes a delivery of each placed change for each subscription that matches it. Runs in the transaction that gives the
// changes their places, so each change gets its deliveries exactly once, whoever places it.

import type { Garage } from '../../core/model/statements/garage.ts';
import { insertInPortions } from '../../core/model/statements/insert-many.ts';
import { actionName } from '../../core/model/writes/change-action.ts';
import { ALL, WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { instant } from '../../core/trade/time/timestamp.ts';
import { allowance } from '../auth/permission.ts';
import type { PlacedChange } from './place.ts';
import { newDelivery, WebhookDelivery } from './webhook-delivery.ts';

/** Called in the transaction that gives these changes their places. */
export async function fanOut(garage: Garage, changes: readonly PlacedChange[]): Promise<void> {
  const matchers = await readMatchers(garage);
  if (matchers.length === 0) return;
  const rows = bySizeOfEntry(changes).flatMap((change) => {
    const matching = matchers.filter(({ matches }) => matches(change));
    if (matching.length === 0) return [];
    const event = eventOf(change);
    return matching.map(({ id }) => newDelivery({ owner: garage.owner, id }, event));
  });
  await insertInPortions(garage, WebhookDelivery.tableName, rows);
}

/**
 * The changes of full entries come first. Imports and other mass work fill their entries, and newer events are sent
 * earlier (work/events/delivery-turn.ts).
 */
function bySizeOfEntry(changes: readonly PlacedChange[]): PlacedChange[] {
  const sizes = new Map<number, number>();
  for (const { entry } of changes) sizes.set(entry, (sizes.get(entry) ?? 0) + 1);
  return changes.toSorted((a, b) => (sizes.get(b.entry) ?? 0) - (sizes.get(a.entry) ?? 0));
}

interface Matcher {
  readonly id: number;
  readonly matches: (change: PlacedChange) => boolean;
}

async function readMatchers(garage: Garage): Promise<Matcher[]> {
  const subscriptions = await WebhookSubscription.of(garage)
    .select('id', 'resources', 'actions', 'allow', 'since_change')
    .where({ is_blocked: 0, is_archived: 0 });
  return subscriptions.map(({ id, resources, actions, allow, since_change }) => {
    const named = new Set(JSON.parse(resources) as string[]);
    const wanted = new Set(JSON.parse(actions) as string[]);
    const allows = allowance(JSON.parse(allow ?? '[]') as string[]);
    return {
      id,
      matches: ({ entry, resource, action }) =>
        entry > (since_change ?? 0) &&
        (named.has(ALL) || named.has(resource)) &&
        wanted.has(actionName(action)) &&
        allows('GET', `/${resource}`),
    };
  });
}

/** The event of a change. It has no values: the receiver reads the record with its own key. */
function eventOf({ seq, resource, record_id, external_id, action, version, at }: PlacedChange) {
  const type = `${resource}.${actionName(action)}`;
  const data = { seq, resource, id: record_id, external_id, action: actionName(action), version };
  return { seq, type, body: JSON.stringify({ type, timestamp: instant(at), data }) };
}
