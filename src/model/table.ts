// What a thread that only copies rows has to know of a resource: plain data that can be handed to it, so that
// it need not load the engine.
import type { Kind } from './encode.ts';
import type { Resource } from './record.ts';
import { allResources } from './registry.ts';

export interface Table {
  readonly resource: string;
  /** Its name in the database. */
  readonly name: string;
  /** The column that says whose a row is. */
  readonly ownedBy: 'owner_id' | 'id';
  /** Those that the API shows, in their order. */
  readonly columns: readonly { readonly name: string; readonly kind: Kind }[];
}

/** The tables whose rows belong to an owner, alphabetically by resource. */
export const ownedTables = (): Table[] =>
  allResources()
    .filter(({ ownership }) => ownership !== 'none')
    .map(tableOf);

export const tableOf = ({ name, table, ownership, columns, fields }: Resource): Table => ({
  resource: name,
  name: table,
  ownedBy: ownership === 'self' ? 'id' : 'owner_id',
  columns: columns.map((column) => ({ name: column, kind: fields.get(column)?.kind ?? 'text' })),
});
