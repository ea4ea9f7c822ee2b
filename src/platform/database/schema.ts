// Reads the tables of a database as they are: columns, indexes and foreign keys, by information_schema.
import type { Knex } from 'knex';
import type { Database } from '../../core/model/statements/session.ts';

export interface FoundColumn {
  /** Without the width of integers, which MariaDB shows and MySQL does not. */
  readonly type: string;
  readonly nullable: boolean;
  readonly fallback: string | null;
}

interface FoundIndex {
  readonly columns: string[];
  readonly unique: boolean;
}

interface FoundReference {
  readonly columns: string[];
  readonly table: string;
  readonly referenced: string[];
}

export interface FoundTable {
  readonly columns: Map<string, FoundColumn>;
  readonly indexes: Map<string, FoundIndex>;
  readonly references: Map<string, FoundReference>;
}

/** The tables of the database that `knex` is connected to, by their names. */
export async function readTables(knex: Knex): Promise<Map<string, FoundTable>> {
  const tables = new Map<string, FoundTable>();
  for (const [table, columns] of await readColumns(knex))
    tables.set(table, { columns, indexes: new Map(), references: new Map() });

  const indexed = await inSchema(knex, 'statistics')
    .select({ table: 'table_name', index: 'index_name', name: 'column_name', repeats: 'non_unique' })
    .orderBy(['table_name', 'index_name', 'seq_in_index']);
  for (const { table, index, name, repeats } of indexed) {
    const indexes = tables.get(table)?.indexes ?? new Map();
    const found = getOrSet(indexes, index, () => ({ columns: [], unique: Number(repeats) === 0 }));
    found.columns.push(name);
  }

  const referring = await inSchema(knex, 'key_column_usage')
    .select({
      table: 'table_name',
      key: 'constraint_name',
      name: 'column_name',
      other: 'referenced_table_name',
      referenced: 'referenced_column_name',
    })
    .whereNotNull('referenced_table_name')
    .orderBy(['table_name', 'constraint_name', 'ordinal_position']);
  for (const { table, key, name, other, referenced } of referring) {
    const references = tables.get(table)?.references ?? new Map();
    const found = getOrSet(references, key, () => ({ columns: [], table: other, referenced: [] }));
    found.columns.push(name);
    found.referenced.push(referenced);
  }
  return tables;
}

/** The columns of each table, by their names. One query, so that each start can afford it. */
export async function readColumns(knex: Knex): Promise<Map<string, Map<string, FoundColumn>>> {
  const columns = await inSchema(knex, 'columns')
    .select({
      table: 'table_name',
      name: 'column_name',
      type: 'column_type',
      nullable: 'is_nullable',
      fallback: 'column_default',
    })
    .orderBy(['table_name', 'ordinal_position']);
  const tables = new Map<string, Map<string, FoundColumn>>();
  for (const { table, name, type, nullable, fallback } of columns)
    getOrSet(tables, table, () => new Map()).set(name, {
      type: type.replace(/^(\w*int)\(\d+\)/, '$1'),
      nullable: nullable === 'YES',
      // MariaDB shows the default as SQL, MySQL as a value.
      fallback: fallback === null || fallback === 'NULL' ? null : fallback.replace(/^'(.*)'$/, '$1'),
    });
  return tables;
}

/** MySQL keeps the next ID of a table for a day in information_schema, unless the session asks for newer figures. */
const FRESH = 'SET @fresh = 1 /*!80000 , SESSION information_schema_stats_expiry = 0 */';

/** Which of the tables would give a new record an ID above `id`. */
export const tablesAbove = (database: Database, tables: readonly string[], id: number): Promise<string[]> =>
  database.snapshot(async ({ knex }) => {
    await knex.raw(FRESH);
    const found = await inSchema(knex, 'tables')
      .select({ name: 'table_name' })
      .whereIn('table_name', [...tables])
      .where('auto_increment', '>', id)
      .orderBy('table_name');
    return found.map(({ name }) => name);
  });

const inSchema = (knex: Knex, name: string) =>
  knex.withSchema('information_schema').from(name).where('table_schema', knex.raw('DATABASE()'));

function getOrSet<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const value = map.get(key) ?? make();
  map.set(key, value);
  return value;
}
