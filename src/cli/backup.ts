// forecourt backup: the same archive that POST /backup/owner makes, straight into a file.
import { randomBytes } from 'node:crypto';
import { rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { expectedFailure } from '../archive/failure.ts';
import { backUp, type OwnerBackup } from '../archive/owner-backup.ts';
import { ownedTables } from '../model/table.ts';
import type { Base } from '../service.ts';
import { syncFolder } from '../storage.ts';
import { type CliCommand, count } from './command.ts';
import { progressBar } from './progress.ts';

export const backup: CliCommand = {
  words: 'backup',
  summary: 'Write all records and stored files of a garage to one zip',
  required: [
    ['--owner <id>', 'the garage'],
    ['--out <file>', 'the zip; it gets this name only when it is whole'],
  ],
  example: 'backup --owner 1 --out garage.zip',
  endsItself: true,
  run: async (base, { owner, out, json }, _args, { signal }) => {
    const file = String(out);
    const made = await writeBackup(base, count('--owner', owner), file, json === true, signal);
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
  const path = resolve(file);
  // A folder would be found out when all is written; a device would be replaced.
  const isOther = await stat(path).then(
    (found) => !found.isFile(),
    () => false,
  );
  if (isOther) throw new Error(`${file} is there already, and is no file`);
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  const bar = progressBar('backing up', silent);
  try {
    const made = await backUp(connection, owner, part, {
      tables: ownedTables(),
      documents: storage.documents,
      serviceVersion: manifest.version,
      onProgress: (percent) => bar.update(percent, 100),
      signal,
    });
    await rename(part, path);
    await syncFolder(dirname(path));
    return made;
  } catch (error) {
    await rm(part, { force: true });
    throw expectedFailure(error) ?? error;
  } finally {
    bar.stop();
  }
}
