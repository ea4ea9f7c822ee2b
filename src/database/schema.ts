// Reads the tables of a database as they are: columns, indexes and foreign keys, by information_schema.
import type { Knex } from 'knex';

export interface FoundColumn {
  /** Without the width of integers, which MariaDB shows and MySQL does not. */
  readonly type: string;
  readonly nullable: boolean;
  readonly fallback: string | null;
}

interface FoundIndex {
  readonly columns: readonly string[];
  readonly unique: boolean;
}

interface FoundReference {
  readonly columns: readonly string[];
  readonly table: string;
  readonly referenced: readonly string[];
}

export interface FoundTable {
  readonly columns: Map<string, FoundColumn>;
  readonly indexes: Map<string, FoundIndex>;
  readonly references: Map<string, FoundReference>;
}

/** The tables of the database that `knex` is connected to, by their names. */
export async function readTables(knex: Knex): Promise<Map<string, FoundTable>> {
  const columns = await readColumns(knex);
  const indexed: IndexRow[] = await inSchema(knex, 'statistics')
    .select({ table: 'table_name', index: 'index_name', name: 'column_name', repeats: 'non_unique' })
    .orderBy(['table_name', 'index_name', 'seq_in_index']);
  const referring: ReferenceRow[] = await inSchema(knex, 'key_column_usage')
    .select({
      table: 'table_name',
      key: 'constraint_name',
      name: 'column_name',
      other: 'referenced_table_name',
      referenced: 'referenced_column_name',
    })
    .whereNotNull('referenced_table_name')
    .orderBy(['table_name', 'constraint_name', 'ordinal_position']);

  const tables = new Map<string, FoundTable>();
  for (const [table, found] of columns)
    tables.set(table, { columns: found, indexes: new Map(), references: new Map() });
  for (const [table, rows] of grouped(indexed, 'table'))
    for (const [index, parts] of grouped(rows, 'index'))
      tables.get(table)?.indexes.set(index, {
        columns: parts.map(({ name }) => name),
        unique: Number(parts[0]?.repeats) === 0,
      });
  for (const [table, rows] of grouped(referring, 'table'))
    for (const [key, parts] of grouped(rows, 'key'))
      tables.get(table)?.references.set(key, {
        columns: parts.map(({ name }) => name),
        table: parts[0]?.other ?? '',
        referenced: parts.map(({ referenced }) => referenced),
      });
  return tables;
}

/** The columns of each table, by their names. One query, so that each start can afford it. */
export async function readColumns(knex: Knex): Promise<Map<string, Map<string, FoundColumn>>> {
  const columns: ColumnRow[] = await inSchema(knex, 'columns')
    .select({
      table: 'table_name',
      name: 'column_name',
      type: 'column_type',
      nullable: 'is_nullable',
      fallback: 'column_default',
    })
    .orderBy(['table_name', 'ordinal_position']);
  const tables = [...grouped(columns, 'table')];
  return new Map(
    tables.map(([table, rows]) => [table, new Map(rows.map((row) => [row.name, columnOf(row)]))]),
  );
}

const inSchema = (knex: Knex, name: string) =>
  knex.withSchema('information_schema').from(name).where('table_schema', knex.raw('DATABASE()'));

interface ColumnRow {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  readonly nullable: string;
  readonly fallback: string | null;
}

interface IndexRow {
  readonly table: string;
  readonly index: string;
  readonly name: string;
  readonly repeats: number;
}

interface ReferenceRow {
  readonly table: string;
  readonly key: string;
  readonly name: string;
  readonly other: string;
  readonly referenced: string;
}

const columnOf = ({ type, nullable, fallback }: ColumnRow): FoundColumn => ({
  type: type.replace(/^(\w*int)\(\d+\)/, '$1'),
  nullable: nullable === 'YES',
  // MariaDB shows the default as SQL, MySQL as a value.
  fallback: fallback === null || fallback === 'NULL' ? null : fallback.replace(/^'(.*)'$/, '$1'),
});

function grouped<K extends string, R extends Record<K, string>>(
  rows: readonly R[],
  key: K,
): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) {
    const group = groups.get(row[key]);
    if (group) group.push(row);
    else groups.set(row[key], [row]);
  }
  return groups;
}
