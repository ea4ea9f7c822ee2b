// Adds many records of one resource with one statement for all of them: only of a resource without hooks and rules of its
// own, since these look at one record at a time.
import { databaseNow } from '../trade/timestamp.ts';
import { noteChange } from './change-log.ts';
import { numberRecords } from './counter.ts';
import type { Row } from './field.ts';
import { insertMany } from './insert-many.ts';
import type { Resource } from './record.ts';
import { demandOwnRecords } from './self-reference.ts';
import type { Session } from './session.ts';
import { writtenColumns } from './store.ts';

/** Whether a record of the resource is added by its row alone. */
export const isPlain = ({ traits, fields, ownership, methods }: Resource): boolean =>
  ownership === 'column' &&
  methods.includes('POST') &&
  traits.parent === undefined &&
  !traits.before &&
  !traits.after &&
  !traits.rules &&
  [...fields.values()].every(
    ({ unique, writeOnly }) => !writeOnly && (unique === undefined || unique === 'owner' || unique === 'all'),
  );

/** Inserts records that passed all checks, and notes their changes. Sets their IDs, numbers and times. */
export async function insertRecords(
  session: Session,
  resource: Resource,
  owner: number,
  records: readonly Row[],
): Promise<void> {
  const now = databaseNow();
  await numberRecords(session, owner, resource, records);
  for (const row of records)
    Object.assign(row, { version: 1, created_at: row.created_at ?? now, modified_at: now });
  const columns = writtenColumns(resource);
  const rows = records.map((row): Row => {
    const written: Row = { owner_id: owner };
    for (const column of columns) written[column] = row[column] ?? null;
    return written;
  });
  await demandOwnRecords(session, resource, owner, records);
  const ids = await insertMany(session, resource.table, rows);
  records.forEach((row, index) => {
    row.id = ids[index] ?? null;
    noteChange(session, resource, { owner, after: row });
  });
}
