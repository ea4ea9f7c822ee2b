// Records that all owners share, such as countries. They are not in a backup, since their IDs are the same everywhere.
import { allResources } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

/** The IDs of shared records, by resource. */
export type Shared = ReadonlyMap<string, ReadonlySet<number>>;

export async function readShared(session: Session): Promise<Shared> {
  const shared = allResources().filter(({ ownership }) => ownership === 'none');
  const ids = async (table: string) =>
    new Set((await session.rows(`SELECT id FROM ${table}`, [])).map(({ id }) => Number(id)));
  return new Map(await Promise.all(shared.map(async ({ name, table }) => [name, await ids(table)] as const)));
}
