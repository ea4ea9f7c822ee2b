// The command `forecourt purge`. It ends the waiting and believes the clock, unless the clocks of the process and of
// the database differ: nobody can tell which of the two is right.
import { command, numberLines } from './command.ts';

export const purge = command({
  words: 'purge',
  summary:
    'Remove old archives, changes, jobs of 90 days ago, leftover files, ended tokens, and anonymised invoices after seven years, also where the clock was in doubt',
  example: 'purge',
  run: async ({ database, storage, config }) => {
    const { checkClock, endWaiting } = await import('../platform/database/clock.ts');
    const { tidy } = await import('../work/housekeeping.ts');
    await endWaiting(database);
    const clock = await checkClock(database);
    if (clock.waitMs > 0) throw new Error(`Nothing was removed: ${clock.reason}.`);
    const removed = await tidy(database, storage, config, clock);
    return { json: removed, text: `Removed:\n${numberLines(removed, 20)}` };
  },
});
