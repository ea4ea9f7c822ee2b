// The orders of one type or of one state, newest first, are what planners and web shops ask for: without an index
// of both, a page deep in them is found by looking up every order before it.
import type { Knex } from 'knex';

const KEYS: Readonly<Record<string, string>> = {
  orders__order_type__order_date: 'owner_id, order_type, order_date',
  orders__order_status__order_date: 'owner_id, order_status, order_date',
};

/** A statement that was cut off between the keys and the note that they exist is simply run again. */
export async function up(knex: Knex): Promise<void> {
  const there = await keysThere(knex);
  const missing = Object.entries(KEYS).filter(([key]) => !there.has(key));
  if (missing.length > 0)
    await knex.raw(
      `ALTER TABLE orders ${missing.map(([key, columns]) => `ADD KEY ${key} (${columns})`).join(', ')}`,
    );
}

export async function down(knex: Knex): Promise<void> {
  const there = await keysThere(knex);
  const ours = Object.keys(KEYS).filter((key) => there.has(key));
  if (ours.length > 0)
    await knex.raw(`ALTER TABLE orders ${ours.map((key) => `DROP KEY ${key}`).join(', ')}`);
}

async function keysThere(knex: Knex): Promise<Set<string>> {
  const [rows] = (await knex.raw(
    'SELECT DISTINCT INDEX_NAME AS name FROM information_schema.STATISTICS ' +
      "WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'orders'",
  )) as unknown as [{ name: string }[]];
  return new Set(rows.map(({ name }) => name));
}
