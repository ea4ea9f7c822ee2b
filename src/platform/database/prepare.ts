// Brings an open database to the tables of this version, and tells which installation it belongs to.
import type { Database } from '../../core/model/statements/session.ts';
import { joinInstallation } from './installation.ts';
import { editedMigrations, migrate } from './migrate.ts';
import { demandTables } from './schema-difference.ts';

/** Throws if a table or a column is missing all the same. `warn` gets what an operator should know. */
export async function prepareDatabase(
  database: Database,
  installation: { id: string; isNew: boolean },
  warn: (line: string) => void,
): Promise<void> {
  const { knex } = database;
  await migrate(knex, { log: warn });
  for (const sentence of await editedMigrations(knex)) warn(sentence);
  await demandTables(knex);
  await joinInstallation(database, installation);
}
