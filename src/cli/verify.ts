// The command `forecourt verify`.
import { command, numberLines } from './command.ts';

export const verify = command({
  words: 'verify <file>',
  summary: 'Check a backup: each file, each record and each reference, as a restore does',
  example: 'verify owner-backup.zip',
  offline: true,
  run: async (_base, _options, [file = ''], { showProgress }) => {
    const { verifyArchive } = await import('../work/archive/verify.ts');
    const summary = await showProgress('verifying', (report) => verifyArchive(file, report));
    const text = `${file} is whole: the backup of ${summary.owner.name} of ${summary.snapshot_at}`;
    return { json: { ok: true, ...summary }, text: `${text}\n${numberLines(summary.rows)}` };
  },
});
