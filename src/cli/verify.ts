// The command `forecourt verify`.
import { verifyArchive } from '../archive/read.ts';
import type { CliCommand } from './command.ts';
import { progressBar } from './progress.ts';

export const verify: CliCommand = {
  words: 'verify <file>',
  summary: 'Check a backup: the size, the SHA-256 and the rows of each file',
  example: 'verify owner-backup.zip',
  offline: true,
  run: async (_base, { json }, [file = '']) => {
    const bar = progressBar('verifying', json === true);
    const summary = await verifyArchive(file, (percent) => bar.update(percent, 100)).finally(() =>
      bar.stop(),
    );
    const rows = Object.entries(summary.rows).map(([resource, count]) => `  ${resource.padEnd(26)}${count}`);
    const text = `${file} is whole: the backup of ${summary.owner.name} of ${summary.snapshot_at}\n${rows.join('\n')}`;
    return { json: { ok: true, ...summary }, text };
  },
};
