// The command `forecourt export`. It writes the file of POST /export without a zip, directly to its path.

import { openList } from '../export/list-source.ts';
import { exportable, FORMATS, type Format, type ListAsked, readListAsked } from '../export/request.ts';
import { fileOf } from '../export/write.ts';
import { expectedFailure } from '../job-failure.ts';
import type { Base } from '../service.ts';
import { intoFile } from '../storage/whole-file.ts';
import { Sum } from '../zip/write.ts';
import {
  type CliCommand,
  fileToWrite,
  type Options,
  parseWholeNumber,
  requireOwner,
  UsageError,
} from './command.ts';
import { progressBar } from './progress.ts';

export const exportCommand: CliCommand = {
  words: 'export',
  summary: 'Write the records of one resource to a file',
  required: [
    ['--owner <id>', 'the garage'],
    ['--resource <name>', 'such as order or contact'],
    ['--out <file>', 'the file appears only when it is complete'],
  ],
  options: [
    ['--format <name>', 'ndjson or csv', 'ndjson'],
    ['--filter <text>', 'which records, as the filter of a list'],
    ['--fields <names>', 'which fields, joined by commas'],
    ['--sort <names>', 'in which order; by id if none is given'],
    ['--raw', 'leave texts that look like formulas as they are, for a CSV that is imported again'],
  ],
  example: "export --owner 1 --resource order --format csv --filter 'is_invoiced:1' --out orders.csv",
  handlesAbort: true,
  run: async (base, options, _args, { signal }) => {
    const file = String(options.out);
    const made = await writeFile(base, options, file, signal);
    const text =
      `${file} was written, ${made.rows} rows, ${made.bytes} bytes, SHA-256 ${made.sha256}\n` +
      `The feed of changes goes on behind: ${made.after}`;
    return { json: { file, ...made }, text };
  },
};

interface Made {
  readonly rows: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly after: string;
}

async function writeFile(base: Base, options: Options, file: string, signal: AbortSignal): Promise<Made> {
  const { connection, database } = base;
  const owner = parseWholeNumber('--owner', options.owner);
  const format = readFormat(options.format);
  const asked = readAsked(options);
  await requireOwner(base, owner);
  const query = readListAsked(owner, asked);
  const path = await fileToWrite(file);
  const bar = progressBar('exporting', options.json === true);
  const sum = new Sum();
  const onProgress = (percent: number) => bar.update(percent, 100);
  try {
    const source = await openList(query, { database, connection, owner, signal });
    try {
      const { rows, content } = fileOf(source, { format, raw: options.raw ? 1 : 0, onProgress });
      await intoFile(path)(summed(content(), sum));
      const { size, sha256 } = sum.done();
      return { rows: rows(), bytes: size, sha256, after: source.after };
    } finally {
      source.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw expectedFailure(error) ?? error;
  } finally {
    bar.stop();
  }
}

function readFormat(given: Options[string]): Format {
  const format = FORMATS.find((one) => one === given);
  if (!format) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not "${given}"`);
  return format;
}

function readAsked({ resource: name, filter, fields, sort }: Options): ListAsked {
  const names = exportable().map((resource) => resource.name);
  const resource = names.find((one) => one === name);
  if (resource === undefined)
    throw new UsageError(`--resource must be one of ${names.join(', ')}, not "${name}"`);
  const textOf = (option: Options[string]) => (option === undefined ? null : String(option));
  return { resource, filter: textOf(filter), fields: textOf(fields), sort: textOf(sort) };
}

async function* summed(chunks: AsyncIterable<Uint8Array>, sum: Sum): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield sum.add(chunk as Buffer);
}
