// The command `forecourt doctor`.
import { command, flag } from './command.ts';

export const doctor = command({
  words: 'doctor',
  summary: 'Check configuration, database, storage, clock and outgoing HTTPS',
  options: { offline: flag('--offline', 'leave out the check of outgoing HTTPS') },
  example: 'doctor',
  // doctor opens storage and database itself, because each that can't be reached is only one finding.
  offline: true,
  run: async (_base, { offline = false }, _args, { config }) => {
    const { examine } = await import('./doctor-checks.ts');
    return examine(config, { offline });
  },
});
