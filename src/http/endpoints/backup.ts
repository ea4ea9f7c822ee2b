// POST /backup/owner: asks for a backup of all data of the owner.
import { type Endpoint, post } from '../endpoint.ts';
import { accept, answeredOnce, longRunningDoc, longRunningForm } from './long-running.ts';

const BACKUP = longRunningForm('backup', {}, { webhookUrl: 'required' });

export const backupEndpoints: Endpoint[] = [
  post('/backup/owner', {
    needs: 'ADMIN',
    form: BACKUP,
    handle: answeredOnce(async (call) => {
      const { webhook_url } = await BACKUP.read(call);
      return accept(call, 'owner-backup', webhook_url, async () => ({}));
    }),
    doc: longRunningDoc('backupOwner', 'Back up the whole garage into one zip'),
  }),
];
