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
