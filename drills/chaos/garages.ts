// Makes many garages out of one: copies all rows of a seeded garage by INSERT … SELECT, in the database. The IDs of
// each copy lie a fixed step further.
import type { Knex } from 'knex';
import { allResources } from '../../src/core/model/records/registry.ts';
import type { Database } from '../../src/core/model/statements/session.ts';
import { readTables } from '../../src/platform/database/schema.ts';

/** Rows of one statement, about. */
const ROWS_AT_ONCE = 50_000;
/** Tables of a garage that are no resources. The rest of a garage comes from work, which copies begin without. */
const OTHER_TABLES = ['counters', 'changes'];

/** The IDs of copies: a record's ID in the first garage, plus `step` for each garage before the copy. */
export interface Copies {
  readonly owner: number;
  readonly step: number;
}

interface Table {
  readonly name: string;
  /** The column with the owner's ID. */
  readonly ownedBy: string;
  readonly columns: readonly string[];
  /** Columns with the IDs of records that belong to the garage. */
  readonly ids: ReadonlySet<string>;
}

/** Copies the garage `owner` to the garages `from` to `to` behind it. All changes of this garage have places. */
export async function copyGarage(
  database: Database,
  { owner, step }: Copies,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const tables = await ownedTables(database.knex);
  const connection = await database.knex.transaction();
  try {
    // The rows of the garage are sound, so their copies need no checks. With checks millions of rows would take hours.
    await connection.raw('SET SESSION foreign_key_checks = 0, unique_checks = 0');
    for (const table of tables) {
      const rows = await connection(table.name).where(table.ownedBy, owner).count<{ n: number }[]>('* as n');
      const portion = Math.max(1, Math.floor(ROWS_AT_ONCE / Math.max(1, Number(rows[0]?.n))));
      for (let first = from; first <= to; first += portion) {
        const last = Math.min(to, first + portion - 1);
        await copyTable(connection, table, { owner, step }, { first, last });
        // An undo log of millions of rows would slow down every later statement.
        await connection.raw('COMMIT');
      }
    }
    await connection.raw('SET SESSION foreign_key_checks = 1, unique_checks = 1');
  } finally {
    await connection.commit();
  }
}

/** A step beyond all IDs of the first garage. */
export async function stepOf({ knex }: Database): Promise<number> {
  const ids: number[] = [];
  for (const { table } of allResources()) {
    const row = await knex(table).max('id as last').first<{ last: number | null }>();
    ids.push(Number(row?.last ?? 0));
  }
  return Math.max(...ids) + 1;
}

async function ownedTables(knex: Knex): Promise<Table[]> {
  const found = await readTables(knex);
  const generated = await knex('information_schema.columns')
    .select({ table: 'table_name', column: 'column_name' })
    .where('table_schema', knex.raw('DATABASE()'))
    .where('extra', 'like', '%GENERATED%');
  const resources = allResources().filter(({ ownership }) => ownership !== 'none');
  const owned = new Map(
    resources.map(({ table, ownership }) => [table, ownership === 'self' ? 'id' : 'owner_id']),
  );
  for (const name of OTHER_TABLES) owned.set(name, 'owner_id');
  return [...owned].map(([name, ownedBy]) => {
    const { columns = new Map(), references = new Map() } = found.get(name) ?? {};
    const ids = new Set<string>(ownedBy === 'owner_id' && columns.has('id') ? ['id'] : []);
    for (const { columns: referring, table } of references.values())
      if (owned.has(table)) for (const column of referring) if (column !== 'owner_id') ids.add(column);
    const written = [...columns.keys()].filter(
      (column) => !generated.some((one) => one.table === name && one.column === column),
    );
    return { name, ownedBy, columns: written, ids };
  });
}

async function copyTable(
  connection: Knex,
  { name, ownedBy, columns, ids }: Table,
  { owner, step }: Copies,
  { first, last }: { first: number; last: number },
): Promise<void> {
  const numbers = Array.from({ length: last - first + 1 }, (_, index) =>
    connection.select(connection.raw('? as number', [first + index])),
  );
  const selected = (column: string): Knex.Raw => {
    const further = connection.raw('t.?? + copies.number * ?', [column, step]);
    if (column === ownedBy) return connection.raw('t.?? + copies.number', [column]);
    if (ids.has(column)) return further;
    if (name === 'employees' && column === 'username')
      return connection.raw("concat(t.??, '-', copies.number)", [column]);
    if (name === 'changes' && column === 'record_id')
      return connection.raw("if(t.resource = 'owner', t.?? + copies.number, ?)", [column, further]);
    return connection.raw('t.??', [column]);
  };
  const copies = connection
    .select(columns.map(selected))
    .from(connection.unionAll(numbers, true).as('copies'))
    .joinRaw('cross join ?? as t', [name])
    .where(`t.${ownedBy}`, owner);
  await connection(connection.raw('?? (??)', [name, [...columns]])).insert(copies);
}
