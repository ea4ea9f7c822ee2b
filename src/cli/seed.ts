// The command `forecourt seed`.
import { command, numberLines, requiredNumber, requireOwner, withDefault } from './command.ts';

export const seedCommand = command({
  words: 'seed',
  summary: 'Fill a garage with realistic records',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    orders: requiredNumber('--orders <n>', 'number of orders; the numbers of other records follow from it'),
    random: withDefault('--random <seed>', 'the same seed makes the same records', '1'),
  },
  example: 'seed --owner 1 --orders 20000',
  run: async (base, { owner, orders, random }, _args, { showProgress }) => {
    const { seed } = await import('../business/seed/seed.ts');
    await requireOwner(base, owner);
    const rows = await showProgress('seeding', (onProgress) =>
      seed(base.database, { owner, orders, random, onProgress }),
    );
    return { json: rows, text: `Rows made:\n${numberLines(rows)}` };
  },
});
