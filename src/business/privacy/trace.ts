// Copies of personal values outside the records: the log of changes, the events that were made of it, and the answers
// that are kept for Idempotency-Keys. The rows stay, because they say that something happened; the values go.

import { aboutOf } from '../../core/model/records/about.ts';
import { findResource } from '../../core/model/records/registry.ts';
import { instantText } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { HIDDEN_VALUE, LoggedChange } from '../../core/model/writes/change-log.ts';
import { IdempotencyKey } from '../../core/model/writes/idempotency-key.ts';
import { placeAllChanges } from '../../platform/changes/place.ts';
import { WebhookDelivery } from '../../platform/changes/webhook-delivery.ts';
import { type Person, personalResources } from './person.ts';

type Logged = Record<string, [from: unknown, to: unknown]>;

/** The log of the person's records, the oldest first. Finds deleted records too if they named the contact. */
export async function readLog(person: Person): Promise<LoggedChange[]> {
  const { garage, contact } = person;
  const rows = () =>
    LoggedChange.of(garage).select(
      'seq',
      'resource',
      'record_id',
      'action',
      'external_id',
      'changes',
      instantText('changes', 'at'),
    );
  const found = new Map((await rows().where('contact_id', contact)).map((row) => [row.seq, row]));
  for (const [{ name }, ids] of await person.unnamed())
    for (const row of await rows().where('resource', name).whereIn('record_id', ids)) found.set(row.seq, row);
  return [...found.values()].sort((one, other) => one.seq - other.seq);
}

/** Hides the personal values in the log of the person's records, and empties the outbox for it. */
export async function hideLogged(person: Person): Promise<void> {
  const { garage } = person;
  await placeAllChanges(garage);
  const places: number[] = [];
  for (const row of await readLog(person)) {
    const hidden = withoutValues(row);
    if (hidden.changes === row.changes && hidden.external_id === row.external_id) continue;
    await LoggedChange.of(garage).patch(hidden).where('seq', row.seq);
    places.push(row.seq);
  }
  await hideEvents(garage, places);
}

/** Takes the key of the record out of the events of these changes. */
async function hideEvents(garage: Garage, places: readonly number[]): Promise<void> {
  const rows = await WebhookDelivery.of(garage)
    .select('id', 'body')
    .whereIn('seq', [...places]);
  for (const { id, body } of rows) {
    const event = JSON.parse(body) as { data?: object };
    const hidden = JSON.stringify({ ...event, data: { ...event.data, external_id: null } });
    await WebhookDelivery.of(garage).patch({ body: hidden }).where('id', id);
  }
}

function withoutValues({
  resource,
  external_id,
  changes,
}: LoggedChange): Pick<LoggedChange, 'external_id' | 'changes'> {
  const fields = findResource(resource)?.fields;
  const isPersonal = (name: string) => fields?.get(name)?.personal === true;
  const key = isPersonal('external_id') ? null : external_id;
  const logged = JSON.parse(changes ?? '{}') as Logged;
  const names = Object.keys(logged).filter(isPersonal);
  if (changes === null || names.length === 0) return { external_id: key, changes };
  const hide = (value: unknown) => (value === null ? null : HIDDEN_VALUE);
  for (const name of names) logged[name] = [hide(logged[name]?.[0]), hide(logged[name]?.[1])];
  return { external_id: key, changes: JSON.stringify(logged) };
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
  const paths = [`contact/${contact}`];
  for (const [{ name }, ids] of await person.unnamed()) paths.push(...ids.map((id) => `${name}/${id}`));
  const rows = await IdempotencyKey.of(garage)
    .select('api_key_id', 'idempotency_key', 'body')
    .where((either) => {
      for (const name of namesOfContacts()) either.orWhere('body', 'like', `%"${name}":${contact},%`);
      for (const path of paths) either.orWhere('headers', 'like', `%/${path}"%`);
    });
  for (const { body, api_key_id, idempotency_key } of rows) {
    const { successCode, data } = JSON.parse(body) as Answered;
    const left = JSON.stringify({ successCode, data: { id: data?.id } });
    await IdempotencyKey.of(garage).patch({ body: left }).where({ api_key_id, idempotency_key });
  }
}

/** The fields that name the person in an answer: `contact_id`. */
const namesOfContacts = (): Set<string> =>
  new Set(
    personalResources().flatMap((resource) => {
      const { contact = '' } = aboutOf(resource) ?? {};
      return resource.fields.has(contact) ? [contact] : [];
    }),
  );
