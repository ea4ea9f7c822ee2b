// `make migration NAME=…`: compares the resources with the tables of the existing migrations, and writes the missing
// migration. Not a command of `forecourt`, because it changes the sources.
import { readdir, writeFile } from 'node:fs/promises';
import { inOrderOfReference, loadResources } from '../core/model/records/registry.ts';
import { writeMigration } from '../platform/database/migration-text.ts';
import { readTables } from '../platform/database/schema.ts';
import { schemaDifferences } from '../platform/database/schema-difference.ts';
import { openScratchTables } from '../platform/database/scratch-tables.ts';

const SOURCES = new URL('../../../migrations/', import.meta.url);

async function main(name = ''): Promise<void> {
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw new Error('make migration NAME=courtesycars: the name has small letters, digits and dashes');
  await loadResources();
  const scratch = await openScratchTables();
  try {
    const differences = schemaDifferences(inOrderOfReference(), await readTables(scratch.knex));
    const { text, sentences } = writeMigration(differences);
    for (const sentence of sentences) console.log(sentence);
    if (text === undefined) {
      console.log('Nothing to do: the tables match the fields.');
      return;
    }
    const file = `${await nextNumber()}-${name}.ts`;
    // Never overwrite a file that another run has just written.
    await writeFile(new URL(file, SOURCES), text, { flag: 'wx' });
    console.log(`Written: migrations/${file}`);
  } finally {
    await scratch.close();
  }
}

async function nextNumber(): Promise<string> {
  const numbers = (await readdir(SOURCES)).map((file) => Number(/^(\d{4})-/.exec(file)?.[1] ?? 0));
  return String(Math.max(0, ...numbers) + 1).padStart(4, '0');
}

try {
  await main(process.argv[2]);
} catch (error) {
  console.error(`forecourt: ${(error as Error).message}`);
  process.exitCode = 1;
}
