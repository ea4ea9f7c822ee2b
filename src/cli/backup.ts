// The command `forecourt backup`. It writes the same archive as POST /backup/owner, directly to a file.
import manifest from '../../package.json' with { type: 'json' };
import { backUp, type OwnerBackup } from '../archive/owner-backup.ts';
import { expectedFailure } from '../job-failure.ts';
import { ownedTables } from '../model/table.ts';
import type { Base } from '../service.ts';
import { intoFile } from '../storage/whole-file.ts';
import { type CliCommand, fileToWrite, parseWholeNumber } from './command.ts';
import { progressBar } from './progress.ts';

export const backup: CliCommand = {
  words: 'backup',
  summary: 'Write all records and stored files of a garage to one zip',
  required: [
    ['--owner <id>', 'the garage'],
    ['--out <file>', 'the zip; the file appears only when it is complete'],
  ],
  example: 'backup --owner 1 --out garage.zip',
  handlesAbort: true,
  run: async (base, { owner, out, json }, _args, { signal }) => {
    const file = String(out);
    const made = await writeBackup(base, parseWholeNumber('--owner', owner), file, json === true, signal);
    const rows = Object.entries(made.rows).map(([resource, rows]) => `  ${resource.padEnd(26)}${rows}`);
    const text = `${file} was written, ${made.size} bytes, SHA-256 ${made.sha256}\n${rows.join('\n')}`;
    return { json: { file, ...made }, text };
  },
};

async function writeBackup(
  { connection, storage }: Base,
  owner: number,
  file: string,
  silent: boolean,
  signal: AbortSignal,
): Promise<OwnerBackup> {
  const path = await fileToWrite(file);
  const bar = progressBar('backing up', silent);
  try {
    return await backUp(connection, owner, intoFile(path), {
      tables: ownedTables(),
      documents: storage.documents,
      serviceVersion: manifest.version,
      onProgress: (percent) => bar.update(percent, 100),
      signal,
    });
  } catch (error) {
    throw expectedFailure(error) ?? error;
  } finally {
    bar.stop();
  }
}
