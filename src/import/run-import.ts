// Runs an import: looks through the whole file first, then writes batch by batch. Each batch commits with a record of what it
// has done, so an import that is killed goes on behind its last batch, and no row is lost or doubled.
import type { Database, Session } from '../model/session.ts';
import { BatchWriter } from './batch-writer.ts';
import { SeenValues } from './dry-run.ts';
import { type FileRow, readRows } from './file-row.ts';
import { checkedText } from './file-text.ts';
import { type Done, lastBatch, recordBatch } from './import-batch.ts';
import type { ImportOptions } from './import-options.ts';
import type { Outcome } from './outcome.ts';

export interface ImportWork {
  /** The ID of the job, or what the command line calls the import. */
  readonly id: string;
  readonly options: ImportOptions;
  /** Opens the file. */
  readonly open: () => Promise<AsyncIterable<Buffer>>;
  /** Called in the transaction of each batch. Throws where somebody else has taken the import over. */
  readonly hold?: (session: Session) => Promise<void>;
  /** Gets the rows done, and their total. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

const ROWS = 200;
/** Rows may be large. A statement must fit into the server's max_allowed_packet, 16 MiB at least, with its quotes. */
const BYTES = 4 * 1024 * 1024;

/** Throws a JobFailure where the file is refused as a whole; then nothing was written. */
export async function runImport(database: Database, work: ImportWork): Promise<void> {
  const { id, options, onProgress, signal } = work;
  const last = await lastBatch(database, id);
  let done: Done = last ?? { batch: 0, rowsDone: 0, rowsTotal: await countRows(work) };
  const rows = batches(readRows(await work.open(), options), done.rowsDone);
  // The next rows are read while the database writes.
  for await (const batch of ahead(rows)) {
    signal?.throwIfAborted();
    done = { ...done, batch: done.batch + 1, rowsDone: done.rowsDone + batch.length };
    await writeBatch(database, work, batch, done);
    onProgress?.(done.rowsDone, done.rowsTotal);
  }
}

/** Reads the whole file, and throws a JobFailure where something is wrong with it. */
async function countRows({ open, options, signal }: ImportWork): Promise<number> {
  let count = 0;
  for await (const _ of readRows(checkedText(await open()), options)) {
    count += 1;
    signal?.throwIfAborted();
  }
  return count;
}

async function* batches(rows: AsyncIterable<FileRow>, done: number): AsyncGenerator<FileRow[]> {
  let batch: FileRow[] = [];
  let bytes = 0;
  let read = 0;
  for await (const row of rows) {
    read += 1;
    if (read <= done) continue;
    batch.push(row);
    bytes += Buffer.byteLength(row.raw);
    if (batch.length < ROWS && bytes < BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** The same, of which the next one is read before it is asked for. */
async function* ahead<T>(source: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = source.next();
  try {
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = source.next();
      // An error of the file is thrown when its turn comes.
      next.catch(() => {});
      yield value;
    }
  } finally {
    await source.return(undefined).catch(() => {});
  }
}

async function writeBatch(
  database: Database,
  { id, options, hold }: ImportWork,
  rows: readonly FileRow[],
  done: Done,
): Promise<void> {
  const record = async (session: Session, outcomes: readonly Outcome[]) => {
    const refused = rows.filter((_, index) => outcomes[index]?.status === 'refused');
    await recordBatch(
      session,
      id,
      done,
      outcomes,
      refused.map(({ raw }) => raw),
    );
    // Last, since it locks the row of the job.
    await hold?.(session);
  };
  if (!options.isDryRun) {
    await database.transaction(async (session) => {
      await record(session, await new BatchWriter(session, options).write(rows));
    }, options.actor);
    return;
  }
  const { outcomes, seen } = await rolledBack(database, options, async (session) => {
    const seen = new SeenValues(id);
    return { seen, outcomes: await new BatchWriter(withoutFiles(session), options, seen).write(rows) };
  });
  await database.transaction(async (session) => {
    await seen.save(session);
    await record(session, outcomes);
  });
}

/** A stored file would stay when the records are undone. */
const withoutFiles = (session: Session): Session =>
  Object.assign(Object.create(session) as Session, {
    files: { put: async () => ({ sha256: '', size: 0 }), remove: async () => {} },
  });

/** The result of work that is undone. */
async function rolledBack<T>(
  database: Database,
  { actor }: ImportOptions,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const results: T[] = [];
  const undone = new Error('a dry run writes nothing');
  await database
    .transaction(async (session) => {
      results.push(await work(session));
      throw undone;
    }, actor)
    .catch((error) => {
      if (error !== undone) throw error;
    });
  return results.at(-1) as T;
}
