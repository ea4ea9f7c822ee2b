// What a worker thread needs to know of a resource to copy its rows: plain data, so the thread does not load the engine.
import type { Kind } from './encode.ts';
import type { Resource } from './record.ts';
import { allResources } from './registry.ts';

export interface OwnedTable {
  readonly resource: string;
  /** Its name in the database. */
  readonly name: string;
  /** The column with the owner's ID. */
  readonly ownedBy: 'owner_id' | 'id';
  /** The columns that the API shows, in their order. */
  readonly columns: readonly { readonly name: string; readonly kind: Kind }[];
}

/** The tables whose rows belong to an owner, alphabetically by resource. */
export const ownedTables = (): OwnedTable[] =>
  allResources()
    .filter(({ ownership }) => ownership !== 'none')
    .map(tableOf);

export const tableOf = ({ name, table, ownership, columns, fields }: Resource): OwnedTable => ({
  resource: name,
  name: table,
  ownedBy: ownership === 'self' ? 'id' : 'owner_id',
  columns: columns.map((column) => ({ name: column, kind: fields.get(column)?.kind ?? 'text' })),
});
