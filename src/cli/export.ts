// The command `forecourt export`. It writes the file of POST /export without a zip, directly to its path.
import {
  command,
  counted,
  fileToWrite,
  flag,
  optional,
  parseWord,
  required,
  requiredNumber,
  requireOwner,
  throwPlainly,
  UsageError,
  withDefault,
} from './command.ts';
import type { Report } from './progress.ts';

export const exportCommand = command({
  words: 'export',
  summary: 'Write the records of one resource to a file',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    resource: required('--resource <name>', 'such as order or contact'),
    out: required('--out <file>', 'the file appears only when it is complete'),
    format: withDefault('--format <name>', 'ndjson or csv', 'ndjson'),
    filter: optional('--filter <text>', 'which records, as the filter of a list'),
    fields: optional('--fields <names>', 'which fields, joined by commas'),
    sort: optional('--sort <names>', 'in which order; by id if none is given'),
    raw: flag('--raw', 'leave texts that look like formulas as they are, for a CSV that is imported again'),
  },
  example: "export --owner 1 --resource order --format csv --filter 'is_invoiced:1' --out orders.csv",
  handlesAbort: true,
  run: async (base, options, _args, { signal, showProgress }) => {
    const { openList } = await import('../work/export/list-source.ts');
    const { exportable, FORMATS, readListAsked } = await import('../work/export/request.ts');
    const { fileOf } = await import('../work/export/write.ts');
    const { writeSummed } = await import('./summed-file.ts');
    const { database, connection } = base;
    const { owner, out: file, filter = null, fields = null, sort = null } = options;
    const format = FORMATS.find((one) => one === options.format);
    if (!format) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not "${options.format}"`);
    const names = exportable().map(({ name }) => name);
    const resource = parseWord('--resource', names, options.resource);
    await requireOwner(base, owner);
    const query = readListAsked(owner, { resource, filter, fields, sort });
    const path = await fileToWrite(file);
    const write = async (report: Report) => {
      const source = await openList(query, { database, connection, owner, signal });
      try {
        const onProgress = (percent: number) => report(percent, 100);
        const { rows, content } = fileOf(source, { format, raw: options.raw ? 1 : 0, onProgress });
        const written = await writeSummed(path, content(), signal);
        return { rows: rows(), ...written, after: source.after };
      } finally {
        source.close();
      }
    };
    const made = await showProgress('exporting', write).catch((error) => {
      signal.throwIfAborted();
      return throwPlainly(error);
    });
    const text =
      `${file} was written, ${counted(made.rows, 'row')}, ${made.bytes} bytes, SHA-256 ${made.sha256}\n` +
      `The feed of changes goes on behind: ${made.after}`;
    return { json: { file, ...made }, text };
  },
});
