// What lists are sorted and filtered by that no index had: the IDs by themselves, for pages deep in a list; the
// flags; and each unique field that may be empty, since a unique key that holds nulls serves no ORDER BY.
import type { Knex } from 'knex';

const TABLES = [
  'employees',
  'turnovergroups',
  'contacts',
  'contactcommunications',
  'articles',
  'vehicles',
  'licenseplatehistory',
  'vehiclerolelines',
  'vehicleadvertisementsites',
  'orders',
  'invoiceparties',
  'orderlines',
  'flatrates',
  'flatratelines',
  'documents',
];

const OF_EVERY_TABLE = {
  list: 'owner_id, id',
  is_blocked: 'owner_id, is_blocked',
  is_archived: 'owner_id, is_archived',
};

/** A table's missing keys are added at once: each time it is altered may copy it. */
export async function up(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    const known = await keysOf(knex, table);
    const twins = Object.fromEntries(
      known.filter(({ nullable }) => nullable).map(({ key, columns }) => [`${key}__order`, columns]),
    );
    const wanted = {
      ...Object.fromEntries(
        Object.entries(OF_EVERY_TABLE).map(([key, columns]) => [`${table}__${key}`, columns]),
      ),
      ...twins,
    };
    const names = new Set(known.map(({ key }) => key));
    const missing = Object.entries(wanted).filter(([key]) => !names.has(key));
    if (missing.length === 0) continue;
    await knex.raw(
      `ALTER TABLE ${table} ${missing.map(([key, columns]) => `ADD KEY ${key} (${columns})`).join(', ')}`,
    );
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const table of TABLES) {
    const ours = (await keysOf(knex, table))
      .map(({ key }) => key)
      .filter(
        (key) => key.endsWith('__order') || key === `${table}__list` || /__is_(blocked|archived)$/.test(key),
      );
    if (ours.length > 0)
      await knex.raw(`ALTER TABLE ${table} ${ours.map((key) => `DROP KEY ${key}`).join(', ')}`);
  }
}

interface Key {
  readonly key: string;
  readonly columns: string;
  /** A unique key of an owner that may hold nulls. */
  readonly nullable: boolean;
}

async function keysOf(knex: Knex, table: string): Promise<Key[]> {
  const [rows] = (await knex.raw(
    'SELECT INDEX_NAME AS name, GROUP_CONCAT(COLUMN_NAME ORDER BY SEQ_IN_INDEX) AS columns, ' +
      "MAX(NON_UNIQUE = 0 AND NULLABLE = 'YES') AS nullable FROM information_schema.STATISTICS " +
      'WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? GROUP BY INDEX_NAME',
    [table],
  )) as unknown as [{ name: string; columns: string; nullable: number }[]];
  return rows.map(({ name, columns, nullable }) => ({
    key: name,
    columns,
    nullable: Number(nullable) === 1 && columns.startsWith('owner_id,'),
  }));
}
