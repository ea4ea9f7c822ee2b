// The command `forecourt backup`. It writes the same archive as POST /backup/owner, directly to a file.
import manifest from '../../package.json' with { type: 'json' };
import { command, fileToWrite, numberLines, required, requiredNumber, throwPlainly } from './command.ts';

export const backup = command({
  words: 'backup',
  summary: 'Write all records and stored files of a garage to one zip',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    out: required('--out <file>', 'the zip; the file appears only when it is complete'),
  },
  example: 'backup --owner 1 --out garage.zip',
  handlesAbort: true,
  run: async ({ connection, storage }, { owner, out: file }, _args, { signal, showProgress }) => {
    const { backUp } = await import('../work/archive/owner-backup.ts');
    const { ownedTables } = await import('../core/model/records/table.ts');
    const { intoFile } = await import('../platform/storage/whole-file.ts');
    const path = await fileToWrite(file);
    const made = await showProgress('backing up', (report) =>
      backUp(connection, owner, intoFile(path), {
        tables: ownedTables(),
        documents: storage.documents,
        serviceVersion: manifest.version,
        onProgress: (percent) => report(percent, 100),
        signal,
      }),
    ).catch(throwPlainly);
    const text = `${file} was written, ${made.size} bytes, SHA-256 ${made.sha256}\n${numberLines(made.rows)}`;
    return { json: { file, ...made }, text };
  },
});
