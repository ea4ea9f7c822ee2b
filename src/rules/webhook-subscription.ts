// A subscription sends what the key that last set its address or its resources may read.
import { ApiKey } from '../auth/key.ts';
import { allowance } from '../auth/permission.ts';
import { type Violation, violation } from '../errors.ts';
import { OutboxEntry } from '../model/change-log.ts';
import { type Change, type RowIn, rulesOf } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { ALL, isActive, WebhookSubscription } from '../resources/webhook-subscription.ts';

const NEEDS_SECRET = 'subscription with a secret';

type Subscription = RowIn<typeof WebhookSubscription>;

rulesOf(WebhookSubscription, {
  rules: [refuseUnreadable, refuseWithoutSecret],
  refuses: { write: [violation('key_forbids', { endpoint: 'GET /order' })] },
  before: prepare,
  afterDelete: endDeliveries,
  afterRestore: blockRestored,
});

/** Whether the change decides what is sent to whom: then the caller's key must be allowed to read it. */
const setsTarget = ({ previous, given }: Change<Subscription>): boolean =>
  !previous || given('url') !== undefined || given('resources') !== undefined;

/** The patterns of the caller's key; undefined where the service makes the change. */
async function patternsOf({ knex, changes }: Session): Promise<string | undefined> {
  const id = changes?.actor?.apiKey;
  return id === undefined ? undefined : (await ApiKey.query(knex).select('allow').findById(id))?.allow;
}

async function refuseUnreadable(change: Change<Subscription>): Promise<Violation[]> {
  const patterns = setsTarget(change) ? await patternsOf(change.session) : undefined;
  if (patterns === undefined) return [];
  const allow = allowance(JSON.parse(patterns) as string[]);
  const named = JSON.parse(change.next.resources) as string[];
  return named
    .filter((name) => name !== ALL && !allow('GET', `/${name}`))
    .map((name) => violation('key_forbids', { endpoint: `GET /${name}` }));
}

function refuseWithoutSecret({ next, previous }: Change<Subscription>): Violation[] {
  return previous?.is_blocked === 1 && next.is_blocked === 0 && previous.sealed_secret === null
    ? [violation('value_invalid', { field: 'is_blocked', value: 0, validation: NEEDS_SECRET })]
    : [];
}

async function prepare(change: Change<Subscription>): Promise<void> {
  const { next, previous, owner, session } = change;
  const allow = setsTarget(change) ? await patternsOf(session) : undefined;
  if (allow !== undefined) Object.assign(next, { allow, api_key_id: session.changes?.actor?.apiKey });
  if (!isActive(next) || (previous && isActive(previous))) return;
  Object.assign(next, { since_change: await newestUnplaced(session, owner), failing_since: null });
}

/** Placed changes have been sent already: only those without a place are still to come. */
async function newestUnplaced({ knex }: Session, owner: number): Promise<number> {
  const newest = await OutboxEntry.query(knex)
    .select('id')
    .where('owner_id', owner)
    .orderBy('id', 'desc')
    .first();
  return newest?.id ?? 0;
}

/** By the table's name, since events/ lies above this room. Old deliveries stay in the list. */
async function endDeliveries({ next, session }: Change<Subscription>): Promise<void> {
  await session
    .knex('webhookdeliveries')
    .where({ subscription_id: next.id, status: 'pending' })
    .update({ status: 'failed', next_at: null, last_error: 'the subscription was deleted' });
}

/** A copy of a garage must not call the receivers of the original, and has no secret to sign with. */
async function blockRestored(session: Session, owner: number): Promise<void> {
  await WebhookSubscription.of(session, owner).patch({ is_blocked: 1, failing_since: null });
}
