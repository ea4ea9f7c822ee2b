// The command `forecourt restore`. It makes a garage from a backup.

import { type Restored, type RestoreOptions, restoreOwner } from '../archive/restore.ts';
import { expectedFailure } from '../job-failure.ts';
import type { Base } from '../service.ts';
import { readAnonymised } from './anonymised.ts';
import { type CliCommand, parseWholeNumber } from './command.ts';
import { type Progress, progressBar } from './progress.ts';

export const restore: CliCommand = {
  words: 'restore <file>',
  summary: 'Restore a garage from a backup, all or nothing; a backup has no passwords',
  options: [
    ['--owner <id>', 'a garage without records (default: a new garage)'],
    ['--anonymised <file>', 'the list of forecourt anonymised: these contacts come back anonymised'],
  ],
  example: 'restore garage.zip',
  handlesAbort: true,
  run: async (base, { owner, json, anonymised }, [file = ''], { signal }) => {
    const given = owner === undefined ? undefined : parseWholeNumber('--owner', owner);
    const listed = anonymised === undefined ? [] : await readAnonymised(String(anonymised));
    const restored = await readBackup(
      base,
      file,
      { owner: given, anonymised: listed },
      { silent: json === true, signal },
    );
    return {
      json: {
        owner_id: restored.owner,
        rows: restored.rows,
        anonymised: restored.anonymised,
        employees_without_username: restored.unnamed,
      },
      text: describe(file, restored),
    };
  },
};

async function readBackup(
  { database, storage }: Base,
  file: string,
  wanted: Pick<RestoreOptions, 'owner' | 'anonymised'>,
  { silent, signal }: { silent: boolean; signal: AbortSignal },
): Promise<Restored> {
  const bars: Record<string, Progress> = {};
  const barOf = (stage: string) => {
    bars[stage] ??= progressBar(stage, silent);
    return bars[stage];
  };
  try {
    return await restoreOwner(database, file, {
      ...wanted,
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

function describe(file: string, { owner, rows, unnamed, anonymised }: Restored): string {
  const lines = Object.entries(rows).map(([resource, made]) => `  ${resource.padEnd(26)}${made}`);
  const without = unnamed.map(({ id, username }) => `  ${String(id).padEnd(26)}${username}`);
  return [
    `${file} was restored as owner ${owner}:`,
    ...lines,
    ...(anonymised > 0 ? [`Contacts that stay anonymised: ${anonymised}`] : []),
    ...(without.length > 0
      ? [
          'Employees without a username, because somebody else has it now:',
          ...without,
          'Give each a new one: npm run -s forecourt -- employee username ID NAME',
        ]
      : []),
    'Nobody has a password yet. Set one: npm run -s forecourt -- employee password USERNAME',
  ].join('\n');
}
