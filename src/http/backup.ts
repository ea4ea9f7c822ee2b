// POST /backup/owner: asks for a backup of all data of the owner.
import { form } from '../model/form.ts';
import type { Answer } from './answer.ts';
import type { Call, Endpoint } from './endpoint.ts';
import { accept, longRunningDoc, WEBHOOK_URL } from './long-running.ts';

const BACKUP = form('backup', { webhook_url: WEBHOOK_URL });

export const backupEndpoints: Endpoint[] = [
  {
    path: '/backup/owner',
    methods: {
      POST: {
        body: 'required',
        handle: requestBackup,
        doc: () => longRunningDoc('backupOwner', 'Back up the whole garage into one zip', BACKUP),
      },
    },
  },
];

async function requestBackup(call: Call): Promise<Answer> {
  return accept(call, 'owner-backup', BACKUP.read(call.body).webhook_url, async () => ({}));
}
