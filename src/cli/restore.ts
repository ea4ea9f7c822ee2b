// The command `forecourt restore`. It makes a garage from a backup.
import type { Restored } from '../work/archive/restore.ts';
import { readAnonymised } from './anonymised.ts';
import { command, numberLines, optional, optionalNumber, throwPlainly } from './command.ts';

export const restore = command({
  words: 'restore <file>',
  summary: 'Restore a garage from a backup, all or nothing; a backup has no passwords',
  options: {
    owner: optionalNumber('--owner <id>', 'a garage without records (default: a new garage)'),
    anonymised: optional(
      '--anonymised <file>',
      'the list of forecourt anonymised: these contacts come back anonymised',
    ),
  },
  example: 'restore garage.zip',
  handlesAbort: true,
  run: async ({ database, storage }, { owner, anonymised: list }, [file = ''], { signal, showProgress }) => {
    const { restoreOwner } = await import('../work/archive/restore.ts');
    const anonymised = list === undefined ? [] : await readAnonymised(list);
    const { documents } = storage;
    const restored = await showProgress('checking', (report) => {
      const onProgress = (stage: string, done: number, of: number) => report(done, of, stage);
      return restoreOwner(database, file, { owner, anonymised, documents, signal, onProgress });
    }).catch(throwPlainly);
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
});

function describe(file: string, { owner, rows, unnamed, anonymised }: Restored): string {
  const without = unnamed.map(({ id, username }) => `  ${String(id).padEnd(26)}${username}`);
  return [
    `${file} was restored as owner ${owner}:`,
    numberLines(rows),
    ...(anonymised > 0 ? [`Contacts that stay anonymised: ${anonymised}`] : []),
    ...(without.length > 0
      ? [
          'Employees without a username, because somebody else has it now:',
          ...without,
          'Give each a new one: forecourt employee username ID NAME',
        ]
      : []),
    'Nobody has a password yet. Set one: forecourt employee password USERNAME',
  ].join('\n');
}
