// What migrations of tables have in common. Frozen like the migrations themselves: a change here edits them all.
// MySQL commits each statement about a table by itself, so each `up` can be run again after it was cut off halfway.
import type { Knex } from 'knex';

interface Migration {
  up(knex: Knex): Promise<void>;
}

type Define = (t: Knex.CreateTableBuilder) => void;

/** A new table. What another attempt left of the table is removed first. `more`: parts of the ALTER TABLE that adds the keys. */
export const table = (name: string, define: Define, more: readonly string[] = []): Migration => ({
  up: async (knex) => {
    await removeUnfinished(knex, name);
    const create = knex.schema.createTable(name, (t) => {
      // The database may have been created with other defaults. The builder has no call for the row format.
      t.engine('InnoDB ROW_FORMAT=DYNAMIC');
      t.charset('utf8mb4');
      t.collate('utf8mb4_bin');
      define(t);
    });
    await runMerged(knex, name, create, more);
  },
});

/** The table of a resource whose rows belong to an owner: the rows of one owner lie together, in the order of their IDs. */
export const ownedTable = (name: string, define: Define): Migration =>
  table(
    name,
    (t) => {
      t.integer('id').notNullable();
      t.integer('owner_id').notNullable();
      t.integer('lock_count').notNullable().defaultTo(0);
      commonColumns(t);
      define(t);
      t.primary(['owner_id', 'id']);
      t.unique(['id'], { indexName: `${name}__id` });
      t.unique(['owner_id', 'external_id'], { indexName: `${name}__external_id` });
      t.index(['owner_id', 'external_id'], `${name}__external_id__order`);
      for (const column of ['is_blocked', 'is_archived', 'created_at', 'modified_at'])
        t.index(['owner_id', column], `${name}__${column}`);
      t.index(['owner_id', 'id'], `${name}__list`);
      t.foreign(['owner_id'], `${name}__owner`).references(['id']).inTable('owners');
    },
    // A column counts up only where an index begins with the column, and knex adds indexes after the table. MySQL
    // changes no column that a foreign key refers to, so the keys are added in the same statement.
    ['modify `id` int not null auto_increment'],
  );

/** The table of a resource that belongs to no owner. */
export const sharedTable = (name: string, define: Define): Migration =>
  table(name, (t) => {
    t.specificType('id', 'int not null auto_increment');
    commonColumns(t);
    define(t);
    t.primary(['id']);
  });

/** Changes of a table that exists. `has` says whether the table has a column or a key of that name already. */
export const changes = (
  name: string,
  change: (t: Knex.AlterTableBuilder, has: (name: string) => boolean) => void,
): Migration => ({
  up: async (knex) => {
    const there = await columnsAndKeys(knex, name);
    await runMerged(
      knex,
      name,
      knex.schema.alterTable(name, (t) => change(t, (part) => there.has(part))),
    );
  },
});

/** Several migrations, one after the other. */
export const together = (...migrations: Migration[]): Migration => ({
  up: async (knex) => {
    for (const migration of migrations) await migration.up(knex);
  },
});

function commonColumns(t: Knex.CreateTableBuilder): void {
  t.integer('version').notNullable().defaultTo(1);
  t.string('external_id', 64);
  for (const flag of ['is_blocked', 'is_archived', 'is_system']) t.tinyint(flag).notNullable().defaultTo(0);
  for (const instant of ['created_at', 'modified_at']) t.datetime(instant, { precision: 3 }).notNullable();
}

/**
 * knex makes a statement of each key. All that alters the table is run as one statement, because the server may copy
 * the table for each; what is dropped goes first, so that its name is free.
 */
async function runMerged(
  knex: Knex,
  name: string,
  builder: Knex.SchemaBuilder,
  more: readonly string[] = [],
): Promise<void> {
  // The types of knex promise one statement; a builder of tables gives a list of them.
  const statements = (builder.toSQL() as unknown as readonly { sql: string }[]).map(({ sql }) => sql);
  const alter = `alter table \`${name}\` `;
  const altering = statements.filter((sql) => sql.startsWith(alter)).map((sql) => sql.slice(alter.length));
  const dropping = altering.filter((part) => part.startsWith('drop '));
  const adding = [...more, ...altering.filter((part) => !part.startsWith('drop '))];
  for (const sql of statements.filter((one) => !one.startsWith(alter))) await knex.raw(sql);
  for (const parts of [dropping, adding]) if (parts.length > 0) await knex.raw(alter + parts.join(', '));
}

async function removeUnfinished(knex: Knex, name: string): Promise<void> {
  if (!(await knex.schema.hasTable(name))) return;
  if (await knex(name).first())
    throw new Error(`Table ${name} has rows, but the migration that makes the table has not run`);
  await knex.schema.dropTable(name);
}

async function columnsAndKeys(knex: Knex, name: string): Promise<Set<string>> {
  // With an alias, because MySQL names these columns in capitals.
  const find = async (from: string, column: string): Promise<string[]> => {
    const rows: { name: string }[] = await knex
      .withSchema('information_schema')
      .from(from)
      .where({ table_schema: knex.raw('DATABASE()'), table_name: name })
      .select({ name: column });
    return rows.map((row) => row.name);
  };
  return new Set([
    ...(await find('columns', 'column_name')),
    ...(await find('statistics', 'index_name')),
    ...(await find('table_constraints', 'constraint_name')),
  ]);
}
