// Runs imports in the thread of the test: two of them at once, or one whose progress stays in the database.
import { randomUUID } from 'node:crypto';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { textsOf } from '../../../src/work/import/import-batch.ts';
import { type ImportOptions, importShape } from '../../../src/work/import/import-options.ts';
import { type ImportWork, runImport } from '../../../src/work/import/run-import.ts';
import { database } from '../service/service.ts';
import type { Client, Json } from './client.ts';
import { linesOf } from './import.ts';

interface Asked
  extends Partial<Pick<ImportOptions, 'mode' | 'isDryRun' | 'format'>>,
    Pick<ImportWork, 'hold'> {
  /** The ID of the job that the import belongs to. */
  readonly id?: string;
  readonly onProgress?: (done: number) => void;
  /** The bytes of each chunk in which the file comes. */
  readonly chunkBytes?: number;
}

/**
 * Answers the ID of the import. Its progress stays until `removeProgress`. `rows`: become JSON lines, or the text of
 * the file.
 */
export async function importHere(
  { garage: { owner } }: Client,
  resource: string,
  rows: readonly Json[] | string,
  {
    id = randomUUID(),
    mode = 'insert',
    isDryRun = false,
    format = 'ndjson',
    hold,
    onProgress,
    chunkBytes = 2 ** 16,
  }: Asked = {},
): Promise<string> {
  const file = Buffer.from(typeof rows === 'string' ? rows : linesOf(rows));
  await runImport(database(), {
    id,
    options: {
      resource: importShape(resourceNamed(resource), false),
      mode,
      isDryRun,
      isHistory: false,
      actor: { owner },
      forbiddenChildren: { POST: [], PUT: [] },
      unreadable: [],
      format,
    },
    open: async () =>
      (async function* () {
        for (let at = 0; at < file.length; at += chunkBytes) yield file.subarray(at, at + chunkBytes);
      })(),
    ...(hold && { hold }),
    onProgress,
  });
  return id;
}

/** The report of an import whose progress is still there. */
export async function reportOf(id: string): Promise<Json[]> {
  const texts: Buffer[] = [];
  for await (const text of textsOf(database(), id, 'report')) texts.push(text);
  const lines = Buffer.concat(texts).toString().trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Json);
}
