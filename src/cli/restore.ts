// forecourt restore: a backup becomes a garage again.
import { expectedFailure } from '../archive/failure.ts';
import { type Restored, restoreOwner } from '../archive/restore.ts';
import type { Base } from '../service.ts';
import { type CliCommand, count } from './command.ts';
import { type Progress, progressBar } from './progress.ts';

export const restore: CliCommand = {
  words: 'restore <file>',
  summary: 'Make a garage of a backup, all of it or nothing; passwords are not in a backup',
  options: [['--owner <id>', 'a garage without records; without it a new one is made']],
  example: 'restore garage.zip',
  endsItself: true,
  run: async (base, { owner, json }, [file = ''], { signal }) => {
    const given = owner === undefined ? undefined : count('--owner', owner);
    const restored = await readBackup(base, file, given, json === true, signal);
    return {
      json: {
        owner_id: restored.owner,
        rows: restored.rows,
        employees_without_username: restored.unnamed,
      },
      text: describe(file, restored),
    };
  },
};

async function readBackup(
  { database, storage }: Base,
  file: string,
  owner: number | undefined,
  silent: boolean,
  signal: AbortSignal,
): Promise<Restored> {
  const bars: Record<string, Progress> = {};
  const barOf = (stage: string) => {
    bars[stage] ??= progressBar(stage, silent);
    return bars[stage];
  };
  try {
    return await restoreOwner(database, file, {
      owner,
      documents: storage.documents,
      signal,
      onProgress: (stage, done, of) => {
        barOf(stage).update(done, of);
        if (done === of) barOf(stage).stop();
      },
    });
  } catch (error) {
    throw expectedFailure(error) ?? error;
  } finally {
    for (const bar of Object.values(bars)) bar.stop();
  }
}

function describe(file: string, { owner, rows, unnamed }: Restored): string {
  const lines = Object.entries(rows).map(([resource, made]) => `  ${resource.padEnd(26)}${made}`);
  const without = unnamed.map(({ id, username }) => `  ${String(id).padEnd(26)}${username}`);
  return [
    `${file} was restored as owner ${owner}:`,
    ...lines,
    ...(without.length > 0 ? ['Employees without a username, since theirs is taken:', ...without] : []),
    'Nobody has a password yet: forecourt employee password USERNAME sets one.',
  ].join('\n');
}
