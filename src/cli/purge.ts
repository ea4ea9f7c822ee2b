// The command `forecourt purge`.
import { tidy } from '../jobs/tidy.ts';
import type { CliCommand } from './command.ts';

export const purge: CliCommand = {
  words: 'purge',
  summary:
    'Remove old archives, changes, jobs of 90 days ago, leftover files, ended tokens, and anonymised invoices after seven years',
  example: 'purge',
  run: async ({ database, storage, config }) => {
    const removed = await tidy(database, storage, config);
    const lines = Object.entries(removed).map(([what, number]) => `  ${what.padEnd(20)}${number}`);
    return { json: removed, text: `Removed:\n${lines.join('\n')}` };
  },
};
