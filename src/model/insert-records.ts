// Adds many records of one resource with one statement for all of them: only of a resource without hooks and rules of its
// own, since these look at one record at a time.
import { numberRecords } from './counter.ts';
import type { Row } from './field.ts';
import type { Resource } from './record.ts';
import type { Session } from './session.ts';
import { insertRows } from './write.ts';

/** Whether a record of the resource is added by its row alone. */
export const isPlain = ({ traits, hooks, fields, ownership, methods }: Resource): boolean =>
  ownership === 'column' &&
  methods.includes('POST') &&
  traits.parent === undefined &&
  !hooks.before &&
  !hooks.after &&
  !hooks.rules &&
  [...fields.values()].every(
    ({ unique, writeOnly }) => !writeOnly && (unique === undefined || unique === 'owner' || unique === 'all'),
  );

/** Inserts records that passed all checks. Sets their IDs, numbers and times. */
export async function insertRecords(
  session: Session,
  resource: Resource,
  owner: number,
  records: readonly Row[],
): Promise<void> {
  await numberRecords(session, owner, resource, records);
  await insertRows(session, resource, owner, records);
}
