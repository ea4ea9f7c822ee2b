// forecourt release: an installation that was copied or restored may call back and send mail again.
import { command } from './command.ts';

export const release = command({
  words: 'release',
  summary: 'Let callbacks, events and mail of a copied or restored installation go out',
  example: 'release',
  run: async ({ database, installation }) => {
    const { releaseInstallation } = await import('../platform/database/installation.ts');
    const released = await releaseInstallation(database, installation);
    const text = released
      ? 'Released: callbacks that are due are made within a second, and mail is sent.'
      : 'Nothing was held: the database belongs to this storage.';
    return { json: { released, installation_id: installation }, text };
  },
});
