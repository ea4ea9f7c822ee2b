// Copies of personal values outside the records: the log of changes, the events that were made of it, and the answers
// that are kept for Idempotency-Keys. The rows stay, because they say that something happened; the values go.

import type { QueryBuilder } from 'objection';
import { aboutOf } from '../../core/model/records/about.ts';
import { findResource } from '../../core/model/records/registry.ts';
import { instantText } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { LoggedChange } from '../../core/model/writes/change-log.ts';
import { HIDDEN_VALUE } from '../../core/model/writes/changed-values.ts';
import { IdempotencyKey } from '../../core/model/writes/idempotency-key.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { placeAllChanges } from '../../platform/changes/place.ts';
import { WebhookDelivery } from '../../platform/changes/webhook-delivery.ts';
import { type Named, type Person, personalResources } from './person.ts';
import { ownSince } from './vehicle-holder.ts';
import { VALUES_A_STATEMENT } from './whole-row.ts';

const VEHICLE = Vehicle.resource.name;

type Logged = Record<string, [from: unknown, to: unknown]>;

const BEFORE = 0;
const AFTER = 1;
/** Where an update has the old value of a field, and the new one. */
const SIDES = [BEFORE, AFTER] as const;
type Side = (typeof SIDES)[number];

/** A row of the log, and its sides that tell about the person. */
interface OwnRow {
  readonly row: LoggedChange;
  readonly sides: readonly Side[];
}

/** The person's records that don't name the person, by the name of their resource. */
type Unnamed = ReadonlyMap<string, ReadonlyMap<number, Named>>;

/** A row may have a thousand characters of each text, twice. */
const MOST_LOGGED = 200;
/** As many as an owner may have. For too many pairs of subscription and place the server would read all rows. */
const SUBSCRIPTIONS_AT_ONCE = 20;
const LOGGED = ['seq', 'resource', 'record_id', 'action', 'external_id', 'contact_id', 'changes'] as const;

/**
 * The log of the person's records, the oldest first, some rows at a time. Finds deleted records too if they named the
 * contact.
 */
async function* readLog(person: Person): AsyncGenerator<OwnRow[]> {
  const { garage, contact } = person;
  const unnamed: Unnamed = new Map(
    [...(await person.unnamed())].map(([{ name }, named]) => [name, named] as const),
  );
  for (const places of portionsOf(await placesOf(person, unnamed), MOST_LOGGED)) {
    const rows = await LoggedChange.of(garage)
      .select(...LOGGED, instantText('changes', 'at'))
      .whereIn('seq', places)
      .orderBy('seq');
    yield rows.flatMap((row) => {
      const named = unnamed.get(row.resource);
      const isOwn = row.contact_id === contact || named?.has(row.record_id) || gives(row, contact);
      return isOwn ? { row, sides: sidesOf(row, contact, named?.get(row.record_id) ?? null) } : [];
    });
  }
}

/** The places of the rows of the log that may be about the person, in their order. */
async function placesOf({ garage, contact }: Person, unnamed: Unnamed): Promise<number[]> {
  const places = () => LoggedChange.of(garage).select('seq');
  const found = new Set<number>();
  for (const { seq } of await places().where('contact_id', contact)) found.add(seq);
  for (const { seq } of await places().where((any) => {
    for (const name of namesOfContacts()) any.orWhere('changes', 'like', `%"${name}":[${contact},%`);
  }))
    found.add(seq);
  for (const [name, named] of unnamed)
    for (const ids of portionsOf([...named.keys()], VALUES_A_STATEMENT))
      for (const { seq } of await places().where('resource', name).whereIn('record_id', ids)) found.add(seq);
  return [...found].sort((one, other) => one - other);
}

/** An update that gives a record to another contact is logged under that contact. */
const gives = (row: LoggedChange, contact: number): boolean => holdersIn(row)?.[BEFORE] === contact;

/** The contacts before and after an update that gives the record another one; otherwise undefined. */
function holdersIn({ resource, changes }: LoggedChange): Logged[string] | undefined {
  const known = findResource(resource);
  const { contact = '' } = (known && aboutOf(known)) ?? {};
  return changes === null || !known?.fields.has(contact) ? undefined : loggedIn(changes)[contact];
}

const loggedIn = (changes: string): Logged => JSON.parse(changes);

/**
 * The sides of a row of the person's log that tell about the person, and not about somebody else: whoever the record
 * was about then, or before or after the update. `named`: the contact that a record of the person names now. The log
 * follows the record: an approval for the payer is the driver's too.
 */
function sidesOf(row: LoggedChange, contact: number, named: Named): readonly Side[] {
  const isOwn = (holder: unknown) => holder === null || holder === contact || holder === named;
  const holders = holdersIn(row);
  if (!holders) return isOwn(row.contact_id) ? SIDES : [];
  return SIDES.filter((side) => isOwn(holders[side]));
}

/**
 * The log as the person gets it, with the values of updates: without the books of the dealer, and with the personal
 * values of others hidden. A vehicle had others before the person had to do with it.
 */
export async function readShownLog(person: Person): Promise<(LoggedChange & { readonly values: Logged })[]> {
  const { garage, contact } = person;
  const [since, vehicles] = [await ownSince(garage, contact), await person.vehicles()];
  const shown: (LoggedChange & { readonly values: Logged })[] = [];
  for await (const rows of readLog(person))
    for (const { row, sides } of rows) {
      const { resource, record_id, at, changes } = row;
      // A row that names nobody is about whoever had the vehicle then.
      const ofVehicle = row.contact_id === null ? vehicles.get(`${resource} ${record_id}`) : undefined;
      const vehicle = resource === VEHICLE ? record_id : ofVehicle;
      const own = vehicle !== undefined && at < (since.get(vehicle) ?? at) ? [] : sides;
      const logged = Object.entries(loggedIn(changes ?? '{}')).filter(
        ([name]) => !fieldOf(resource, name)?.internal,
      );
      const others = SIDES.filter((side) => !own.includes(side));
      const values = withHidden(Object.fromEntries(logged), isPersonalIn(resource), others);
      shown.push(Object.assign(row, { values }));
    }
  return shown;
}

/** Hides the personal values in the log of the person's records, and empties the outbox for it. */
export async function hideLogged(person: Person): Promise<void> {
  const { garage } = person;
  await placeAllChanges(garage);
  const subscriptions = await subscriptionsOf(garage);
  for await (const rows of readLog(person)) {
    const places: number[] = [];
    for (const { row, sides } of rows) {
      const hidden = withoutValues(row, sides);
      if (hidden.changes === row.changes && hidden.external_id === row.external_id) continue;
      await LoggedChange.of(garage).patch(hidden).where('seq', row.seq);
      if (hidden.external_id !== row.external_id) places.push(row.seq);
    }
    if (places.length > 0)
      for (const some of portionsOf(subscriptions, SUBSCRIPTIONS_AT_ONCE))
        await hideEvents(garage, some, places);
  }
}

/** The subscriptions that have events, deleted ones too. */
async function subscriptionsOf(garage: Garage): Promise<number[]> {
  const sent = await WebhookDelivery.of(garage).distinct('subscription_id');
  return sent.map(({ subscription_id }) => subscription_id);
}

/** Takes the key of the record out of the events of these changes. An index has the place behind the subscription. */
async function hideEvents(
  garage: Garage,
  subscriptions: readonly number[],
  places: readonly number[],
): Promise<void> {
  const rows = await WebhookDelivery.of(garage)
    .select('id', 'body')
    .whereIn('subscription_id', subscriptions)
    .whereIn('seq', places);
  for (const { id, body } of rows) {
    const event = JSON.parse(body) as { data?: object };
    const hidden = JSON.stringify({ ...event, data: { ...event.data, external_id: null } });
    await WebhookDelivery.of(garage).patch({ body: hidden }).where('id', id);
  }
}

function withoutValues(
  row: LoggedChange,
  sides: readonly Side[],
): Pick<LoggedChange, 'external_id' | 'changes'> {
  const { resource, external_id, changes } = row;
  const isPersonal = isPersonalIn(resource);
  // The key stays with a record that somebody else has now.
  const key = isPersonal('external_id') && sides.includes(AFTER) ? null : external_id;
  const logged = loggedIn(changes ?? '{}');
  const names = Object.keys(logged).filter(isPersonal);
  if (changes === null || names.length === 0) return { external_id: key, changes };
  return { external_id: key, changes: JSON.stringify(withHidden(logged, isPersonal, sides)) };
}

const fieldOf = (resource: string, name: string) => findResource(resource)?.fields.get(name);

const isPersonalIn = (resource: string) => (name: string) => fieldOf(resource, name)?.personal === true;

/** The values with HIDDEN_VALUE in the place of those of some fields. */
function withHidden(logged: Logged, isHidden: (name: string) => boolean, sides: readonly Side[]): Logged {
  const of = (pair: Logged[string], side: Side) =>
    sides.includes(side) && pair[side] !== null ? HIDDEN_VALUE : pair[side];
  return Object.fromEntries(
    Object.entries(logged).map(([name, pair]) => [
      name,
      isHidden(name) ? [of(pair, BEFORE), of(pair, AFTER)] : pair,
    ]),
  );
}

/** As POST answers a record. */
interface Answered {
  readonly successCode: number;
  readonly data?: { readonly id?: number };
}

/**
 * Leaves only the ID in the answers that are kept about the person's records: a request that is sent again still adds
 * nothing.
 */
export async function hideAnswers(person: Person): Promise<void> {
  const { garage, contact } = person;
  const addresses = new Set([`contact/${contact}`]);
  for (const [{ name }, named] of await person.unnamed())
    for (const id of named.keys()) addresses.add(`${name}/${id}`);
  // Deleted ones too: the log says whom they were about.
  const logged = await LoggedChange.of(garage).distinct('resource', 'record_id').where('contact_id', contact);
  for (const { resource, record_id } of logged) addresses.add(`${resource}/${record_id}`);
  const naming = await IdempotencyKey.of(garage)
    .select('api_key_id', 'idempotency_key')
    .where((either) => {
      for (const name of namesOfContacts()) either.orWhere('body', 'like', `%"${name}":${contact},%`);
    });
  for (const key of naming) await hideAnswer(garage, key);
  for await (const answers of readHeaders(garage))
    for (const answer of answers)
      if (addressesIn(answer).some((address) => addresses.has(address))) await hideAnswer(garage, answer);
}

/** `contact/7`, for each header that ends with the address of a record. */
const addressesIn = ({ headers }: Pick<IdempotencyKey, 'headers'>): string[] =>
  [...headers.matchAll(/\/(\w+\/\d+)"/g)].map(([, address]) => String(address));

/** The headers of all kept answers of the garage, some at a time. */
async function* readHeaders(garage: Garage): AsyncGenerator<IdempotencyKey[]> {
  for (let last: IdempotencyKey | undefined; ; ) {
    const query = IdempotencyKey.of(garage).select('api_key_id', 'idempotency_key', 'headers');
    if (last) query.where(isBehind(last));
    const rows = await query.orderBy(['api_key_id', 'idempotency_key']).limit(VALUES_A_STATEMENT);
    yield rows;
    if (rows.length < VALUES_A_STATEMENT) return;
    last = rows.at(-1);
  }
}

const isBehind =
  ({ api_key_id, idempotency_key }: IdempotencyKey) =>
  (behind: QueryBuilder<IdempotencyKey>) =>
    void behind
      .where('api_key_id', '>', api_key_id)
      .orWhere((same) => same.where({ api_key_id }).where('idempotency_key', '>', idempotency_key));

/** One at a time, since an answer may be long. */
async function hideAnswer(
  garage: Garage,
  { api_key_id, idempotency_key }: Pick<IdempotencyKey, 'api_key_id' | 'idempotency_key'>,
): Promise<void> {
  const key = { api_key_id, idempotency_key };
  const answer = await IdempotencyKey.of(garage).select('body').findOne(key);
  if (!answer) return;
  const { successCode, data } = JSON.parse(answer.body) as Answered;
  const left = JSON.stringify({ successCode, data: { id: data?.id } });
  await IdempotencyKey.of(garage).patch({ body: left }).where(key);
}

/** The fields that name the person in an answer: `contact_id`. */
const namesOfContacts = (): Set<string> =>
  new Set(
    personalResources().flatMap((resource) => {
      const { contact = '' } = aboutOf(resource) ?? {};
      return resource.fields.has(contact) ? [contact] : [];
    }),
  );
