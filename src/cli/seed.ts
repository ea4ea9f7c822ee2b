// forecourt seed
import { seed } from '../seed/seed.ts';
import { type CliCommand, count } from './command.ts';
import { progressBar } from './progress.ts';

export const seedCommand: CliCommand = {
  words: 'seed',
  summary: 'Fill a garage with realistic records',
  required: [
    ['--owner <id>', 'the garage'],
    ['--orders <n>', 'how many orders; other records follow from that'],
  ],
  options: [['--random <seed>', 'the same seed makes the same records', '1']],
  example: 'seed --owner 1 --orders 20000',
  run: async ({ database }, { owner, orders, random, json }) => {
    const bar = progressBar('seeding', json === true);
    const rows = await seed(database, {
      owner: count('--owner', owner),
      orders: count('--orders', orders),
      random: String(random),
      onProgress: bar.update,
    });
    bar.stop();
    const lines = Object.entries(rows).map(([resource, made]) => `  ${resource.padEnd(26)}${made}`);
    return { json: rows, text: `Rows made:\n${lines.join('\n')}` };
  },
};
