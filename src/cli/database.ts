// The command `forecourt database`: keeps the private database running, whichever other processes come and go. It joins
// the server as each process does, so it also starts the server and is the last to leave it.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { command } from './command.ts';

export const databaseCommand = command({
  words: 'database',
  summary: 'Keep the private database running until this command is stopped',
  example: 'database',
  migrate: false,
  handlesAbort: true,
  run: async ({ config }, _options, _args, { signal }) => {
    if (config.database) throw new Error('DATABASE_URL is set: there is no private database to keep running');
    // Starts the units that wait for this one. Does nothing if systemd did not start this command.
    await promisify(execFile)('systemd-notify', ['--ready']).catch(() => {});
    if (!signal.aborted) await once(signal, 'abort');
    return { json: { stopped: true }, text: 'This command no longer keeps the private database running.' };
  },
});
