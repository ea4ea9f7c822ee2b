// The command `forecourt migrate`.
import { command } from './command.ts';

export const migrateCommand = command({
  words: 'migrate',
  summary: 'Run the pending migrations of this version',
  example: 'migrate',
  migrate: false,
  run: async ({ database, log }) => {
    const { editedMigrations, migrate } = await import('../platform/database/migrate.ts');
    const { foldAllTexts } = await import('../core/model/writes/unfolded.ts');
    const migrations = await migrate(database.knex, { log: (line) => log.warn(line) });
    await foldAllTexts(database);
    const edited = await editedMigrations(database.knex);
    const text =
      migrations.length === 0 ? 'The database is up to date.' : `Migrated: ${migrations.join(', ')}`;
    return edited.length === 0
      ? { json: { migrations }, text }
      : { json: { migrations, edited }, text: [text, ...edited].join('\n'), exitCode: 1 };
  },
});
