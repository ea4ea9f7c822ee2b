// A record without the personal data that its fields declare. No file of this room names a personal field.
import type { Row } from '../../core/model/fields/field.ts';
import type { Resource } from '../../core/model/records/record.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { changeRow, deleteRows } from '../../core/model/writes/write.ts';

/** The record without its personal data. `printed: 'kept'`: an invoice keeps the fields that it prints. */
export function anonymous({ fields }: Resource, row: Row, printed: 'kept' | 'emptied' = 'emptied'): Row {
  const next = { ...row };
  for (const [name, { personal, fallback, anonymous: stand = fallback, ...field }] of fields) {
    if (!personal || field.writeOnly || (field.printed && printed === 'kept')) continue;
    if ((row[name] ?? null) === null) continue;
    next[name] = typeof stand === 'function' ? stand(String(row[name])) : stand;
  }
  return next;
}

/** Whether the record holds personal data. */
export const isPersonal = (resource: Resource, row: Row): boolean =>
  differing(resource, row, anonymous(resource, row)).length > 0;

/** The names of the fields in which two rows differ. */
const differing = ({ fields }: Resource, row: Row, next: Row): string[] =>
  [...fields.keys()].filter((name) => row[name] !== next[name]);

/** Writes `next` in place of a locked row, and logs which fields changed, without their values. */
export async function overwrite(garage: Garage, resource: Resource, previous: Row, next: Row): Promise<void> {
  const secrets = differing(resource, previous, next);
  if (secrets.length === 0) return;
  await changeRow(garage, resource, { previous, next, secrets });
}

/** Deletes records. The log keeps the fact, without a personal external_id. */
export const deleteRecords = (garage: Garage, resource: Resource, rows: readonly Row[]): Promise<void> =>
  deleteRows(
    garage,
    resource,
    rows.map((row) => withoutKey(resource, row)),
  );

const withoutKey = ({ fields }: Resource, row: Row): Row =>
  fields.get('external_id')?.personal ? { ...row, external_id: null } : row;
