// The command `forecourt anonymised`. It writes the list of a garage's anonymised contacts, to take along with a
// backup, and applies a list after a dump was restored. The list holds digests: nobody can read a person from them.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Base } from '../platform/base.ts';
import { command, optional, type Result, requiredNumber, requireOwner, UsageError } from './command.ts';

const FORMAT = 'forecourt-anonymised';
const VERSION = 1;
const DIGEST = /^[0-9a-f]{64}$/;

export const anonymised = command({
  words: 'anonymised',
  summary: 'Write the list of anonymised contacts of a garage, for a restore elsewhere; or apply such a list',
  options: {
    owner: requiredNumber('--owner <id>', 'the garage'),
    out: optional('--out <file>', 'the list to write; it replaces a file of that name'),
    apply: optional('--apply <file>', 'the list to apply, after a dump was restored'),
  },
  example: 'anonymised --owner 1 --out anonymised.json',
  run: async (base, { owner, out, apply }) => {
    if ((out === undefined) === (apply === undefined))
      throw new UsageError('Give --out or --apply, one of them');
    await requireOwner(base, owner);
    return out === undefined ? applyList(base, owner, apply ?? '') : writeList(base, owner, out);
  },
});

async function writeList({ database }: Base, owner: number, file: string): Promise<Result> {
  const { garageOf } = await import('../core/model/statements/garage.ts');
  const { readList } = await import('../business/privacy/anonymised-list.ts');
  const { writeWhole } = await import('../platform/storage/whole-file.ts');
  const contacts = await readList(garageOf(database, owner));
  await writeWhole(resolve(file), `${JSON.stringify({ format: FORMAT, version: VERSION, contacts })}\n`);
  return { json: { file, contacts: contacts.length }, text: `${file} lists ${contacts.length} contacts` };
}

async function applyList({ database, storage }: Base, owner: number, file: string): Promise<Result> {
  const listed = await readAnonymised(file);
  const { tidyFiles } = await import('../work/jobs/tidier.ts');
  const { removeArchives, takeBackResults } = await import('../work/jobs/withdraw.ts');
  const { garageOf } = await import('../core/model/statements/garage.ts');
  const { anonymiseListed } = await import('../business/privacy/anonymise.ts');
  const { done, archives } = await database.transaction(async (session) => ({
    done: await anonymiseListed(garageOf(session, owner), listed),
    archives: await takeBackResults(garageOf(session, owner)),
  }));
  await removeArchives(storage, archives);
  await tidyFiles(database);
  return { json: { file, contacts: done }, text: `${done} contacts are anonymised` };
}

/** Reads the digests of a list. Throws an error that names the file. */
export async function readAnonymised(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${file} can't be read: ${error.code}`);
  });
  const list = parse(text) as { format?: unknown; version?: unknown; contacts?: unknown } | null;
  if (list?.format !== FORMAT || list.version !== VERSION)
    throw new UsageError(`${file} is not a list that forecourt anonymised wrote`);
  const { contacts } = list;
  if (!Array.isArray(contacts) || !contacts.every((one) => typeof one === 'string' && DIGEST.test(one)))
    throw new UsageError(`${file} is damaged: contacts must be SHA-256 digests`);
  return contacts;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
