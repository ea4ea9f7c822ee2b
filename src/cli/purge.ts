// The command `forecourt purge`.
import { tidy } from '../jobs/tidy.ts';
import { command, numberLines } from './command.ts';

export const purge = command({
  words: 'purge',
  summary:
    'Remove old archives, changes, jobs of 90 days ago, leftover files, ended tokens, and anonymised invoices after seven years',
  example: 'purge',
  run: async ({ database, storage, config }) => {
    const removed = await tidy(database, storage, config);
    return { json: removed, text: `Removed:\n${numberLines(removed, 20)}` };
  },
});
