// POST and PUT of /webhooksubscription, which look up where the url leads, give a new subscription its secret, read the
// secret before they unblock, and make the events of earlier changes before a subscription begins or ends; the other
// operations are those of any resource.

import { type Row, varchar } from '../../core/model/fields/field.ts';
import { NO_WEBHOOK_URL } from '../../core/model/fields/validation.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { addRecord } from '../../core/model/writes/store.ts';
import { WebhookSubscription } from '../../core/resources/webhook-subscription.ts';
import { checkWebhookUrl } from '../../platform/calls/address.ts';
import { isBusy } from '../../platform/database/away.ts';
import { giveSecret, refuseUnreadableSecret } from '../../work/events/subscription-secret.ts';
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { once } from '../idempotency.ts';
import { added } from '../record-answer.ts';
import { change, recordEndpoint } from './records.ts';

/** Each may take two seconds. */
const MOST_PLACINGS = 5;

/** A function: its resource must be registered first. */
export function subscriptionEndpoint(): Endpoint {
  const { resource } = WebhookSubscription;
  const plain = recordEndpoint(resource);
  const { POST, PUT } = plain.methods;
  if (!POST || !PUT) throw new Error('A subscription needs POST and PUT');
  return {
    ...plain,
    methods: {
      ...plain.methods,
      POST: { ...POST, handle: add },
      PUT: { ...PUT, handle: changeSubscription },
    },
  };
}

async function changeSubscription(call: Call): Promise<Answer> {
  const checked = withReadableSecret(call, await checkedBy(call, WebhookSubscription.resource));
  const { is_blocked, is_archived } = call.body;
  if (is_blocked !== undefined || is_archived !== undefined) await placeEarlierChanges(call);
  return change(checked, call);
}

/**
 * Changes made before a block are sent after it, and changes made before a subscription begins are not sent. Events are
 * made when changes get their places, for the subscriptions that are active then. Gives up after some seconds: an owner
 * may have a million changes, or a long transaction that holds the places.
 */
async function placeEarlierChanges({ services: { feed }, identity: { owner } }: Call): Promise<void> {
  try {
    for (let tries = 1; !(await feed.place(owner)) && tries < MOST_PLACINGS; tries += 1);
  } catch (error) {
    if (!isBusy(error)) throw error;
  }
}

/** The resource, or a copy that refuses the url: a URL that leads to no public address counts as malformed. */
async function checkedBy<R extends Row>(
  { body: { url }, services: { config } }: Call,
  resource: Resource<R>,
): Promise<Resource<R>> {
  if (typeof url !== 'string' || (await checkWebhookUrl(url, config.webhookAllow))) return resource;
  const { length = 0 } = resource.fields.get('url') ?? {};
  const refusing = varchar(length, { required: true, validation: NO_WEBHOOK_URL });
  return { ...resource, fields: new Map([...resource.fields, ['url', refusing]]) };
}

/** A copy of the resource that judges the secret too. The rules of src/business/rules/ know no signing secret. */
function withReadableSecret<R extends Row>({ services }: Call, resource: Resource<R>): Resource<R> {
  const { rules = [] } = resource.hooks;
  const hooks = { ...resource.hooks, rules: [...rules, refuseUnreadableSecret(services.signingSecret)] };
  return { ...resource, hooks };
}

async function add(call: Call): Promise<Answer> {
  const { identity, body, services } = call;
  const { resource } = WebhookSubscription;
  const checked = await checkedBy(call, resource);
  await placeEarlierChanges(call);
  const work: Parameters<typeof once>[2] = async (session) => {
    const row = await addRecord(garageOf(session, identity.owner), checked, body);
    const secret = await giveSecret(garageOf(session, identity.owner), row.id, services.signingSecret);
    const json = `${serializer(resource)(row).slice(0, -1)},"secret":${JSON.stringify(secret)}}`;
    return added(call, resource, row, json);
  };
  return once(call, body, work, { secret: true });
}
