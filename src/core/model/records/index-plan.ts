// Which indexes the table of a resource has, as its fields declare them. Migrations are made from this plan, the
// check of the tables compares with it, and lists name its indexes in hints.
import { type Field, isNullable } from '../fields/field.ts';
import { remembered } from '../statements/remembered.ts';
import { keyOf, type Resource } from './record.ts';
import { resourceNamed } from './registry.ts';
import { isFolded, SEARCH_TEXT, UNFOLDED_AT } from './search-text.ts';

export interface Index {
  /** `<table>__<field>`, so that a refusal by a unique key leads back to its field. */
  readonly name: string;
  /** In the order of the index; `owner_id` comes first wherever the index starts with the owner. */
  readonly columns: readonly string[];
  readonly unique: boolean;
}

/** All indexes of the resource's table but its primary key. */
export const indexesOf = remembered((resource: Resource): readonly Index[] =>
  resource.ownership === 'column' ? ownedIndexes(resource) : sharedIndexes(resource),
);

/** The names of the indexes by their columns. If a unique index has a non-unique copy for sorting, the copy's name. */
const indexNames = remembered((resource: Resource): ReadonlyMap<string, string> => {
  const uniqueFirst = [...indexesOf(resource)].sort((a, b) => Number(b.unique) - Number(a.unique));
  return new Map(uniqueFirst.map(({ columns, name }) => [columns.join(), name]));
});

/**
 * The name of the declared index on exactly the owner and these columns, in this order; undefined if the fields
 * declare none. A key other than `id` closes each index, since only the primary key stands in all indexes by itself.
 */
export function indexOf(resource: Resource, ...columns: string[]): string | undefined {
  const key = keyOf(resource);
  // A table with another key than the ID lies in the order of owner and key.
  if (key !== 'id' && columns.join() === key) return 'PRIMARY';
  const closing = key === 'id' || columns.at(-1) === key ? [] : [key];
  return indexNames(resource).get(['owner_id', ...columns, ...closing].join());
}

/** The columns that a unique field is unique on. */
function uniqueColumns({ fields }: Resource, name: string, { unique, uniqueColumn }: Field): string[] {
  const column = uniqueColumn?.name ?? name;
  if (unique === 'all') return [column];
  if (unique === undefined || unique === 'owner') return ['owner_id', column];
  // MySQL 9.7 does not check a foreign key whose columns begin a unique index with a null behind them. The parent of a
  // child, which is fixed, is locked before and so is checked anyway.
  return fields.get(unique)?.fixed ? ['owner_id', unique, column] : ['owner_id', column, unique];
}

const index = (table: string, name: string, columns: readonly string[], unique = false): Index => ({
  name: `${table}__${name}`,
  columns,
  unique,
});

// A table without an owner is small, or is read by its ID alone.
const sharedIndexes = (resource: Resource): Index[] =>
  [...resource.fields]
    .filter(([, field]) => field.unique === 'all')
    .map(([name, field]) => index(resource.table, name, uniqueColumns(resource, name, field), true));

const ownedIndexes = (resource: Resource): Index[] => [
  index(resource.table, 'id', ['id'], true),
  // Narrower than the primary key, which is the whole row: a page deep in a list is found on it.
  index(resource.table, 'list', ['owner_id', 'id']),
  ...[...resource.fields].flatMap(([name, field]) => fieldIndexes(resource, name, field)),
  ...(resource.traits.indexes ?? []).map((columns) =>
    index(resource.table, columns.join('__'), ['owner_id', ...columns]),
  ),
  ...(isFolded(resource) ? foldedIndexes(resource) : []),
];

/**
 * A search reads the first index alone; the second one has the texts of a record's children. The last one finds texts
 * that are not folded.
 */
const foldedIndexes = ({ table, traits: { parent } }: Resource): Index[] => [
  index(table, SEARCH_TEXT, ['owner_id', SEARCH_TEXT, ...(parent ? [parent] : [])]),
  ...(parent ? [index(table, `${parent}__${SEARCH_TEXT}`, ['owner_id', parent, SEARCH_TEXT])] : []),
  index(table, UNFOLDED_AT, ['owner_id', UNFOLDED_AT]),
];

function fieldIndexes(resource: Resource, name: string, field: Field): Index[] {
  const { table, fields } = resource;
  if (field.unique !== undefined) {
    const columns = uniqueColumns(resource, name, field);
    const unique = index(table, name, columns, true);
    const sorts = columns[0] === 'owner_id' && columns.some((column) => mayBeNull(fields, column));
    // The server does not sort by a unique index that may hold nulls.
    return sorts ? [unique, index(table, `${name}__order`, columns)] : [unique];
  }
  const owned = ['owner_id', name];
  if (field.reference !== undefined) {
    // A foreign key needs an index that begins with its own columns.
    const isShared = resourceNamed(field.reference).ownership !== 'column';
    return isShared
      ? [index(table, name, [name]), index(table, `owner_${name}`, owned)]
      : [index(table, name, owned)];
  }
  return field.indexed ? [index(table, name, owned)] : [];
}

// A column that the server computes is in no field, and may be null.
function mayBeNull(fields: Resource['fields'], column: string): boolean {
  if (column === 'owner_id') return false;
  const field = fields.get(column);
  return field === undefined || isNullable(field);
}
