// Copies of personal values outside the records: the log of changes, the events that were made of it, and the answers
// that are kept for Idempotency-Keys. A row stays where it says that something happened; the values go.
import { placeAllChanges } from '../changes/place.ts';
import { aboutOf } from '../model/about.ts';
import { HIDDEN_VALUE, LoggedChange } from '../model/change-log.ts';
import { instantText } from '../model/fragment.ts';
import { type Garage, garageOf } from '../model/garage.ts';
import { findResource } from '../model/registry.ts';
import { type Person, personalResources } from './person.ts';

type Logged = Record<string, [from: unknown, to: unknown]>;

/**
 * The log of the person's records, the oldest first. Records that name the contact are found also if they are deleted.
 */
export async function readLog(person: Person): Promise<LoggedChange[]> {
  const { session, owner, contact } = person;
  const rows = () =>
    LoggedChange.query(session.knex)
      .select(
        'seq',
        'resource',
        'record_id',
        'action',
        'external_id',
        'changes',
        instantText('changes', 'at'),
      )
      .where('owner_id', owner);
  const found = new Map((await rows().where('contact_id', contact)).map((row) => [row.seq, row]));
  for (const [{ name }, ids] of await person.unnamed())
    for (const row of await rows().where('resource', name).whereIn('record_id', ids)) found.set(row.seq, row);
  return [...found.values()].sort((one, other) => one.seq - other.seq);
}

/** Hides the personal values in the log of the person's records, and empties the outbox for it. */
export async function hideLogged(person: Person): Promise<void> {
  const { session, owner } = person;
  await placeAllChanges(garageOf(session, owner));
  const places: number[] = [];
  for (const row of await readLog(person)) {
    const hidden = withoutValues(row);
    if (hidden.changes === row.changes && hidden.external_id === row.external_id) continue;
    await LoggedChange.query(session.knex).patch(hidden).where({ owner_id: owner, seq: row.seq });
    places.push(row.seq);
  }
  await hideEvents(garageOf(session, owner), places);
}

/**
 * Takes the key of the record out of the events of these places. By the table's name, since events/ lies above this
 * room.
 */
async function hideEvents({ knex, owner }: Garage, places: readonly number[]): Promise<void> {
  const rows: { id: number; body: string }[] = await knex('webhookdeliveries')
    .select('id', 'body')
    .where('owner_id', owner)
    .whereIn('seq', [...places]);
  for (const { id, body } of rows) {
    const event = JSON.parse(body) as { data?: object };
    const hidden = JSON.stringify({ ...event, data: { ...event.data, external_id: null } });
    await knex('webhookdeliveries').update({ body: hidden }).where('id', id);
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
 * nothing. By the table's name, since http/ lies above this room.
 */
export async function hideAnswers(person: Person): Promise<void> {
  const { session, owner, contact } = person;
  const paths = [`contact/${contact}`];
  for (const [{ name }, ids] of await person.unnamed()) paths.push(...ids.map((id) => `${name}/${id}`));
  const rows: { api_key_id: number; idempotency_key: string; body: string }[] = await session
    .knex('idempotency_keys')
    .select('api_key_id', 'idempotency_key', 'body')
    .where('owner_id', owner)
    .where((either) => {
      for (const name of namesOfContacts()) either.orWhere('body', 'like', `%"${name}":${contact},%`);
      for (const path of paths) either.orWhere('headers', 'like', `%/${path}"%`);
    });
  for (const { body, ...key } of rows) {
    const { successCode, data } = JSON.parse(body) as Answered;
    const left = JSON.stringify({ successCode, data: { id: data?.id } });
    await session
      .knex('idempotency_keys')
      .update({ body: left })
      .where({ owner_id: owner, ...key });
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
