// Finds records that were changed past the log, by hand in SQL: their versions differ from their last logged change, or
// they came or went without one. To be called in a snapshot, so that records and log are of one moment.
import { ACTIONS, isLogged, LoggedChange } from '../model/change-log.ts';
import type { Row } from '../model/field.ts';
import { ownerColumn, type Resource } from '../model/record.ts';
import { allResources } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

const PORTION = 1_000;

export interface Unlogged {
  readonly resource: string;
  readonly owner: number;
  readonly id: number;
  readonly fault: 'changed' | 'missing' | 'back' | 'unlogged';
}

/** What the log says last about a record. */
type Last = Pick<LoggedChange, 'record_id' | 'version' | 'action'>;

/**
 * Passes all records of all owners whose state is not that of their last logged change. A record without any logged
 * change is `unlogged` where it is younger than the log.
 */
export async function* findUnlogged(session: Session): AsyncGenerator<Unlogged> {
  const oldest = await LoggedChange.query(session.knex).select('at').orderBy('id').first();
  if (!oldest) return;
  for (const resource of allResources().filter((one) => isLogged(one) && one.ownership !== 'none')) {
    for (const owner of await ownersOf(session)) {
      const found = (id: number, fault: Unlogged['fault']) => ({ resource: resource.name, owner, id, fault });
      for await (const lasts of lastChanges(session, owner, resource)) {
        const ids = lasts.map(({ record_id }) => record_id);
        const versions = new Map(
          (await rowsOf(session, resource, owner).whereIn('id', ids)).map(({ id, version }) => [id, version]),
        );
        for (const last of lasts) {
          const fault = faultOf(last, versions.get(last.record_id));
          if (fault) yield found(last.record_id, fault);
        }
      }
      for await (const id of addedWithout(session, owner, resource, oldest.at)) yield found(id, 'unlogged');
    }
  }
}

function faultOf({ action, version }: Last, there: Row[string] | undefined): Unlogged['fault'] | undefined {
  const isDeleted = action === ACTIONS.deleted;
  if (there === undefined) return isDeleted ? undefined : 'missing';
  if (isDeleted) return 'back';
  return there === version ? undefined : 'changed';
}

const ownersOf = async ({ knex }: Session): Promise<number[]> =>
  knex('owners').orderBy('id').pluck<number[]>('id');

const rowsOf = ({ knex }: Session, resource: Resource, owner: number) =>
  knex(resource.table)
    .select<Row[]>('id', 'version')
    .where(ownerColumn(resource) ?? 'id', owner);

/** The last change of each record, in portions. The rows of a record are in the order of their IDs. */
async function* lastChanges(
  { knex }: Session,
  owner: number,
  { name }: Resource,
): AsyncGenerator<readonly Last[]> {
  const logged = () => LoggedChange.query(knex).where({ owner_id: owner, resource: name });
  let behind = 0;
  for (;;) {
    const ends = await logged()
      .select('record_id')
      .max('id as id')
      .where('record_id', '>', behind)
      .groupBy('record_id')
      .orderBy('record_id')
      .limit(PORTION);
    const last = ends.at(-1);
    if (!last) return;
    behind = last.record_id;
    yield await LoggedChange.query(knex)
      .select('record_id', 'version', 'action')
      .whereIn(
        'id',
        ends.map(({ id }) => id),
      );
  }
}

/** The records that were added after `since` and have no logged change. */
async function* addedWithout(
  session: Session,
  owner: number,
  resource: Resource,
  since: string,
): AsyncGenerator<number> {
  let behind = 0;
  for (;;) {
    const rows = await rowsOf(session, resource, owner)
      .where('id', '>', behind)
      .where('created_at', '>', since)
      .orderBy('id')
      .limit(PORTION);
    const ids = rows.map(({ id }) => Number(id));
    const last = ids.at(-1);
    if (last === undefined) return;
    behind = last;
    const logged = await LoggedChange.query(session.knex)
      .distinct('record_id')
      .where({ owner_id: owner, resource: resource.name })
      .whereIn('record_id', ids);
    const known = new Set(logged.map(({ record_id }) => record_id));
    for (const id of ids) if (!known.has(id)) yield id;
  }
}
