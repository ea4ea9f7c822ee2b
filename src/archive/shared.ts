// Records that all owners share, such as countries. They are not in a backup, since their IDs are the same everywhere.
import type { Resource } from '../model/record.ts';
import { allResources } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

/** The IDs of shared records, by resource. */
export type Shared = ReadonlyMap<string, ReadonlySet<number>>;

export async function readShared(session: Session): Promise<Shared> {
  const shared = allResources().filter(({ ownership }) => ownership === 'none');
  const ids = async ({ model }: Resource) =>
    new Set((await model.query(session.knex).select('id')).map(({ id }) => Number(id)));
  return new Map(
    await Promise.all(shared.map(async (resource) => [resource.name, await ids(resource)] as const)),
  );
}
