// An address that gets an event for each matching change. The subscription sends what the key that last set its address
// or its resources may read. Deliveries update `failing_since` and `last_delivery_at` without a new version, so the ETag
// changes only with what a caller changes.
import { ApiKey } from '../auth/key.ts';
import { allowance } from '../auth/permission.ts';
import { type Violation, violation } from '../errors.ts';
import { nameArray } from '../model/array-field.ts';
import { ACTIONS, isLogged, LoggedChange } from '../model/change-log.ts';
import { type Row, timestamp, varchar } from '../model/field.ts';
import { type Change, record } from '../model/record.ts';
import { allResources } from '../model/registry.ts';
import type { Session } from '../model/session.ts';
import { WEBHOOK_URL } from '../model/validation.ts';

/** In `resources`: all that the key may read. */
export const ALL = '*';
const ACTION_NAMES = Object.keys(ACTIONS);
const NEEDS_SECRET = 'subscription with a secret';

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
      description: 'The resources whose changes are sent; `["*"]`: all that the key may read',
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
      description: 'The first failure since the last delivery. After five days the subscription is blocked',
    }),
    last_delivery_at: timestamp({ readonly: true }),
  },
  {
    description: 'An address that gets an event for each change',
    hidden: ['sealed_secret', 'api_key_id', 'allow', 'since_change'],
    rules: [refuseUnreadable, refuseWithoutSecret],
    refuses: { write: [violation('key_forbids', { endpoint: 'GET /order' })] },
    before: prepare,
    afterDelete: endDeliveries,
    afterRestore: blockRestored,
  },
) {
  /** Sealed under the signing secret. Null after a restore: a backup holds no secrets. */
  declare sealed_secret: string | null;
  declare api_key_id: number | null;
  /** JSON: the patterns of the key. */
  declare allow: string | null;
  /** The newest change without a place when the subscription became active: no change up to it is sent. */
  declare since_change: number | null;
}

/** Whether events are sent. */
export const isActive = ({ is_blocked, is_archived }: Row): boolean => is_blocked === 0 && is_archived === 0;

/** Whether the change decides what is sent to whom: then the caller's key must be allowed to read it. */
const setsTarget = ({ previous, given }: Change<object>): boolean =>
  !previous || given('url') !== undefined || given('resources') !== undefined;

/** The patterns of the caller's key; undefined where the service makes the change. */
async function patternsOf({ knex, changes }: Session): Promise<string | undefined> {
  const id = changes?.actor?.apiKey;
  return id === undefined ? undefined : (await ApiKey.query(knex).select('allow').findById(id))?.allow;
}

async function refuseUnreadable(change: Change<object>): Promise<Violation[]> {
  const patterns = setsTarget(change) ? await patternsOf(change.session) : undefined;
  if (patterns === undefined) return [];
  const allow = allowance(JSON.parse(patterns) as string[]);
  const named = JSON.parse(String((change.next as Row).resources)) as string[];
  return named
    .filter((name) => name !== ALL && !allow('GET', `/${name}`))
    .map((name) => violation('key_forbids', { endpoint: `GET /${name}` }));
}

function refuseWithoutSecret({ next, previous }: Change<object>): Violation[] {
  const [row, before] = [next as Row, previous as Row | undefined];
  return before?.is_blocked === 1 && row.is_blocked === 0 && before.sealed_secret === null
    ? [violation('value_invalid', { field: 'is_blocked', value: 0, validation: NEEDS_SECRET })]
    : [];
}

async function prepare(change: Change<object>): Promise<void> {
  const { next, previous, owner, session } = change;
  const [row, before] = [next as Row, previous as Row | undefined];
  const allow = setsTarget(change) ? await patternsOf(session) : undefined;
  if (allow !== undefined) Object.assign(row, { allow, api_key_id: session.changes?.actor?.apiKey });
  if (!isActive(row) || (before && isActive(before))) return;
  Object.assign(row, { since_change: await newestUnplaced(session, owner), failing_since: null });
}

/** Placed changes have been sent already: only those without a place are still to come. */
async function newestUnplaced({ knex }: Session, owner: number): Promise<number> {
  const newest = await LoggedChange.query(knex)
    .select('id')
    .where('owner_id', owner)
    .whereNull('seq')
    .orderBy('id', 'desc')
    .first();
  return Number(newest?.id ?? 0);
}

/** By the table's name, since events/ lies above this room. Old deliveries stay in the list. */
async function endDeliveries({ next, session }: Change<object>): Promise<void> {
  await session
    .knex('webhookdeliveries')
    .where({ subscription_id: Number((next as Row).id), status: 'pending' })
    .update({ status: 'failed', next_at: null, last_error: 'the subscription was deleted' });
}

/** A copy of a garage must not call the receivers of the original, and has no secret to sign with. */
async function blockRestored({ knex }: Session, owner: number): Promise<void> {
  await WebhookSubscription.query(knex).patch({ is_blocked: 1, failing_since: null }).modify('owned', owner);
}
