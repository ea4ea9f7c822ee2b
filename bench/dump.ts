// The yardstick for backups: mysqldump of the same rows, piped through zip.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { allResources } from '../src/core/model/records/registry.ts';

const run = promisify(execFile);

export interface DumpMade {
  readonly seconds: number;
  /** Size of the zip in bytes. */
  readonly size: number;
}

/** The owner whose rows are dumped, and the database. */
interface DumpSource {
  readonly owner: number;
  readonly socket: string;
  readonly database: string;
}

/** Dumps the owner's rows from the tables that a backup reads. */
export async function dumpOwner(source: DumpSource, level: number, file: string): Promise<DumpMade> {
  const started = performance.now();
  await run('sh', ['-c', `${dumpCommand(source)} | zip -q -${level} '${file}' -`]);
  return { seconds: (performance.now() - started) / 1000, size: (await stat(file)).size };
}

/** The size of the dump in bytes, before compression. Throws if the dump is empty. */
export async function dumpBytes(source: DumpSource): Promise<number> {
  const { stdout } = await run('sh', ['-c', `${dumpCommand(source)} | wc -c`]);
  const bytes = Number(stdout);
  // The shell tells only whether the last command of a pipe failed.
  if (bytes === 0) throw new Error('mysqldump wrote nothing');
  return bytes;
}

function dumpCommand({ owner, socket, database }: DumpSource): string {
  const tables = allResources().flatMap(({ ownership, table }) => (ownership === 'column' ? [table] : []));
  return (
    `mysqldump --no-defaults --user=root --socket='${socket}' --single-transaction --quick --no-create-info ` +
    `--no-tablespaces --where=owner_id=${owner} ${database} ${tables.join(' ')}`
  );
}
