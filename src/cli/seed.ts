// The command `forecourt seed`.
import { seed } from '../seed/seed.ts';
import { type CliCommand, parseWholeNumber, requireOwner } from './command.ts';
import { progressBar } from './progress.ts';

export const seedCommand: CliCommand = {
  words: 'seed',
  summary: 'Fill a garage with realistic records',
  required: [
    ['--owner <id>', 'the garage'],
    ['--orders <n>', 'number of orders; the numbers of other records follow from it'],
  ],
  options: [['--random <seed>', 'the same seed makes the same records', '1']],
  example: 'seed --owner 1 --orders 20000',
  run: async (base, { owner: given, orders: many, random, json }) => {
    const [owner, orders] = [parseWholeNumber('--owner', given), parseWholeNumber('--orders', many)];
    await requireOwner(base, owner);
    const bar = progressBar('seeding', json === true);
    const options = { owner, orders, random: String(random), onProgress: bar.update };
    const rows = await seed(base.database, options).finally(bar.stop);
    const lines = Object.entries(rows).map(([resource, made]) => `  ${resource.padEnd(26)}${made}`);
    return { json: rows, text: `Rows made:\n${lines.join('\n')}` };
  },
};
