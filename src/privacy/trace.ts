// Copies of personal values outside the records: the log of changes, the events that were made of it, and the answers that
// are kept for Idempotency-Keys. A row stays where it says that something happened; the values go.
import { placeAllChanges } from '../changes/place.ts';
import { HIDDEN_VALUE, LoggedChange } from '../model/change-log.ts';
import { instantText } from '../model/fragment.ts';
import { findResource } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

type Logged = Record<string, [from: unknown, to: unknown]>;

/** The log of the contact's records, also of those that are deleted, and of the vehicles; the oldest first. */
export async function readLog(
  { knex }: Session,
  owner: number,
  contact: number,
  vehicles: readonly number[],
): Promise<LoggedChange[]> {
  const rows = () =>
    LoggedChange.query(knex)
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
  const found = [
    ...(await rows().where('contact_id', contact)),
    ...(await rows()
      .where('resource', 'vehicle')
      .whereIn('record_id', [...vehicles])),
  ];
  return found.sort((one, other) => one.seq - other.seq);
}

/** Hides the personal values in the log of the contact's records and of the vehicles, and empties the outbox for it. */
export async function hideLogged(
  session: Session,
  owner: number,
  contact: number,
  vehicles: readonly number[],
): Promise<void> {
  await placeAllChanges(session, owner);
  const places: number[] = [];
  for (const row of await readLog(session, owner, contact, vehicles)) {
    const hidden = withoutValues(row);
    if (hidden.changes === row.changes && hidden.external_id === row.external_id) continue;
    await LoggedChange.query(session.knex).patch(hidden).where({ owner_id: owner, seq: row.seq });
    places.push(row.seq);
  }
  await hideEvents(session, owner, places);
}

/** Takes the key of the record out of the events of these places. By the table's name, since events/ lies above this room. */
async function hideEvents({ knex }: Session, owner: number, places: readonly number[]): Promise<void> {
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
 * Leaves only the ID in the answers that are kept about the contact's records and the records at `paths` (`vehicle/5`):
 * a request that is sent again still adds nothing. By the table's name, since http/ lies above this room.
 */
export async function hideAnswers(
  { knex }: Session,
  owner: number,
  contact: number,
  paths: readonly string[],
): Promise<void> {
  const rows: { api_key_id: number; idempotency_key: string; body: string }[] = await knex('idempotency_keys')
    .select('api_key_id', 'idempotency_key', 'body')
    .where('owner_id', owner)
    .where((either) => {
      either.where('body', 'like', `%"contact_id":${contact},%`);
      for (const path of paths) either.orWhere('headers', 'like', `%/${path}"%`);
    });
  for (const { body, ...key } of rows) {
    const { successCode, data } = JSON.parse(body) as Answered;
    const left = JSON.stringify({ successCode, data: { id: data?.id } });
    await knex('idempotency_keys')
      .update({ body: left })
      .where({ owner_id: owner, ...key });
  }
}
