// Runs the text of a migration against a database, as the compiled migrations run.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Knex } from 'knex';

const SHARED = new URL('../../../migrations/table.js', import.meta.url).href;

/** `times`: how often it runs, as it does after it was cut off before its end was noted. */
export async function runMigration(knex: Knex, text: string, times = 1): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-migration-'));
  try {
    const file = join(folder, '0001-test.mjs');
    await writeFile(file, text.replace("'./table.ts'", `'${SHARED}'`));
    const { up } = (await import(pathToFileURL(file).href)) as { up(knex: Knex): Promise<void> };
    for (let time = 0; time < times; time += 1) await up(knex);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
