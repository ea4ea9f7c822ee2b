// A record without the personal data that its fields declare. No file of this room names a personal field.
import { noteChange } from '../model/change-log.ts';
import type { Row } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { update } from '../model/store.ts';

/** The record without its personal data. `printed: 'kept'`: an invoice keeps the fields that it prints. */
export function anonymous({ fields }: Resource, row: Row, printed: 'kept' | 'emptied' = 'emptied'): Row {
  const next = { ...row };
  for (const [name, { personal, anonymous: stand = null, ...field }] of fields) {
    if (!personal || field.writeOnly || (field.printed && printed === 'kept')) continue;
    if ((row[name] ?? null) === null) continue;
    next[name] = typeof stand === 'function' ? stand(String(row[name])) : stand;
  }
  return next;
}

/** The names of the fields in which two rows differ. */
export const differing = ({ fields }: Resource, row: Row, next: Row): string[] =>
  [...fields.keys()].filter((name) => row[name] !== next[name]);

/** Writes `next` in place of a locked row, and logs which fields changed, without their values. */
export async function overwrite(
  session: Session,
  resource: Resource,
  owner: number,
  previous: Row,
  next: Row,
): Promise<void> {
  const secrets = differing(resource, previous, next);
  if (secrets.length === 0) return;
  await update(resource, { next, previous, given: () => undefined, owner, session });
  noteChange(session, resource, { owner, before: previous, after: next, secrets });
}

/** Deletes records. The log keeps the fact, without a personal external_id. */
export async function deleteRecords(
  session: Session,
  resource: Resource,
  owner: number,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  await resource.model
    .query(session.knex)
    .delete()
    .modify('owned', owner)
    .whereIn(
      'id',
      rows.map(({ id }) => Number(id)),
    );
  for (const row of rows) noteChange(session, resource, { owner, before: withoutKey(resource, row) });
}

const withoutKey = ({ fields }: Resource, row: Row): Row =>
  fields.get('external_id')?.personal ? { ...row, external_id: null } : row;
