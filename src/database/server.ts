// What the database server says about itself.
import type { Knex } from 'knex';

export async function serverVersion(knex: Knex): Promise<string> {
  const [row] = await knex.select({ version: knex.raw('VERSION()') });
  return String(row?.version);
}

/** The server's clock. */
export async function serverTime(knex: Knex): Promise<Date> {
  const [row] = await knex.select({ now: knex.raw('UTC_TIMESTAMP(3)') });
  return new Date(`${String(row?.now).replace(' ', 'T')}Z`);
}

/** The server's setting `innodb_native_foreign_keys`. Undefined where the server has none, as MariaDB. */
export async function nativeForeignKeys(knex: Knex): Promise<'ON' | 'OFF' | undefined> {
  const [rows] = await knex.raw('SHOW GLOBAL VARIABLES LIKE ?', ['innodb_native_foreign_keys']);
  return rows[0]?.Value;
}
