// POST /backup/owner: asks for a backup of all data of the owner.
import type { Answer } from '../answer.ts';
import type { Call, Endpoint } from '../endpoint.ts';
import { accept, longRunningDoc, longRunningForm } from './long-running.ts';

const BACKUP = longRunningForm('backup', {}, { webhookUrl: 'required' });

export const backupEndpoints: Endpoint[] = [
  {
    path: '/backup/owner',
    methods: {
      POST: {
        needs: 'ADMIN',
        body: 'required',
        handle: requestBackup,
        doc: () => longRunningDoc('backupOwner', 'Back up the whole garage into one zip', BACKUP),
      },
    },
  },
];

async function requestBackup(call: Call): Promise<Answer> {
  const { webhook_url } = await BACKUP.read(call);
  return accept(call, 'owner-backup', webhook_url, async () => ({}));
}
