// Describes a resource for a worker thread that copies its rows: plain data, so the thread does not load the engine.
import type { Resource } from './record.ts';
import { allResources } from './registry.ts';
import { type ShownColumn, shownColumns } from './serialize.ts';

export interface OwnedTable {
  readonly resource: string;
  /** Its name in the database. */
  readonly name: string;
  /** The column with the owner's ID. */
  readonly ownedBy: 'owner_id' | 'id';
  /** The columns that the API shows, in their order. */
  readonly columns: readonly ShownColumn[];
}

/** The tables whose rows belong to an owner, alphabetically by resource. */
export const ownedTables = (): OwnedTable[] =>
  allResources()
    .filter(({ ownership }) => ownership !== 'none')
    .map(tableOf);

export const tableOf = (resource: Resource): OwnedTable => ({
  resource: resource.name,
  name: resource.table,
  ownedBy: resource.ownership === 'self' ? 'id' : 'owner_id',
  columns: shownColumns(resource, resource.columns),
});
