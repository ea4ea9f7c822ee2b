// The command `forecourt verify`.
import { verifyArchive } from '../archive/verify.ts';
import type { CliCommand } from './command.ts';
import { progressBar } from './progress.ts';

export const verify: CliCommand = {
  words: 'verify <file>',
  summary: 'Check a backup: each file, each record and each reference, as a restore does',
  example: 'verify owner-backup.zip',
  offline: true,
  run: async (_base, { json }, [file = '']) => {
    const bar = progressBar('verifying', json === true);
    const summary = await verifyArchive(file, bar.update).finally(() => bar.stop());
    const rows = Object.entries(summary.rows).map(([resource, count]) => `  ${resource.padEnd(26)}${count}`);
    const text = `${file} is whole: the backup of ${summary.owner.name} of ${summary.snapshot_at}\n${rows.join('\n')}`;
    return { json: { ok: true, ...summary }, text };
  },
};
