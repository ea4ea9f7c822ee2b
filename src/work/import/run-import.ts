// Runs an import: looks through the whole file first, then writes batch by batch. Each batch commits with a record of
// what it has done, so an import that is killed goes on behind its last batch, and no row is lost or doubled.
import type { Body } from '../../core/model/bodies/check.ts';
import type { Database, Session } from '../../core/model/statements/session.ts';
import { throwStorageFull } from '../../platform/job-failure.ts';
import { BatchWriter } from './batch-writer.ts';
import { separatorOf } from './csv-file.ts';
import { SeenValues } from './dry-run.ts';
import { type FileRow, readRows } from './file-row.ts';
import { checkedText, withHead } from './file-text.ts';
import { type Done, lastBatch, recordBatch, tallyOfImport } from './import-batch.ts';
import type { ImportOptions } from './import-options.ts';
import { type Outcome, sumOf, tallyOf } from './outcome.ts';

export interface ImportWork {
  /** The ID of the job, or the command line's name for the import. */
  readonly id: string;
  readonly options: ImportOptions;
  /** Opens the file. */
  readonly open: () => Promise<AsyncIterable<Buffer>>;
  /** Called in the transaction of each batch. Throws if somebody else has taken the import over. */
  readonly hold?: (session: Session) => Promise<void>;
  /** Gets the rows done, and their total. */
  readonly onProgress?: (done: number, of: number) => void;
  readonly signal?: AbortSignal;
}

const ROWS = 200;
/** Rows may be large, and the next ones are in memory. The text of refused rows must fit into a statement. */
const BYTES = 4 * 1024 * 1024;
/** A file with more refused rows was made in error. Its report would only be long. */
const MOST_REFUSED = 10_000;
const LONGEST_REFUSAL_REPORT = 64 * 1024 * 1024;

/**
 * Answers whether the import came to the end of the file. False: too many rows were refused. Throws a JobFailure if the
 * file is refused as a whole; then nothing was written.
 */
export async function runImport(database: Database, work: ImportWork): Promise<boolean> {
  const { id, options, onProgress, signal } = work;
  const last = await lastBatch(database, id);
  let done: Done = last ?? { batch: 0, rowsDone: 0, rowsTotal: await countRows(work) };
  let tally = await tallyOfImport(database, id);
  const rows = new NextRows(readRows(await work.open(), options), done.rowsDone);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const mostRefused = MOST_REFUSED - tally.refused;
      if (mostRefused <= 0 || tally.refused_length >= LONGEST_REFUSAL_REPORT) return false;
      const next = await rows.look();
      if (next.length === 0) return true;
      const batch = { rows: next, mostRefused, done };
      const outcomes = await writeBatch(database, work, batch).catch(throwStorageFull);
      rows.drop(outcomes.length);
      done = behind(done, outcomes);
      tally = sumOf([tally, tallyOf(outcomes)]);
      onProgress?.(done.rowsDone, done.rowsTotal);
    }
  } finally {
    await rows.close();
  }
}

const behind = (done: Done, outcomes: readonly Outcome[]): Done => ({
  ...done,
  batch: done.batch + 1,
  rowsDone: done.rowsDone + outcomes.length,
});

/** Reads the whole file, and throws a JobFailure if something is wrong with it. */
async function countRows({ open, options, signal }: ImportWork): Promise<number> {
  let count = 0;
  const file = await open();
  const text = options.format === 'csv' ? checkedText(withHead(file), separatorOf) : checkedText(file);
  for await (const _ of readRows(text, options)) {
    count += 1;
    signal?.throwIfAborted();
  }
  return count;
}

/** The rows of a file that come next. A batch takes the first of them, and only the batch knows how many. */
class NextRows {
  private readonly source: AsyncGenerator<FileRow>;
  private skipped: number;
  private rows: FileRow[] = [];

  /** `skipped`: how many rows are done already. */
  constructor(source: AsyncGenerator<FileRow>, skipped: number) {
    this.source = source;
    this.skipped = skipped;
  }

  /** As many rows as one batch may take. No rows: the file is at its end. */
  async look(): Promise<readonly FileRow[]> {
    let bytes = this.rows.reduce((sum, row) => sum + row.bytes, 0);
    while (this.rows.length < ROWS && bytes < BYTES) {
      const { done, value } = await this.source.next();
      if (done) break;
      if (this.skipped > 0) this.skipped -= 1;
      else {
        this.rows.push(value);
        bytes += value.bytes;
      }
    }
    return this.rows;
  }

  drop(count: number): void {
    this.rows = this.rows.slice(count);
  }

  /** Closes the file. */
  async close(): Promise<void> {
    await this.source.return(undefined);
  }
}

interface Batch {
  /** More rows than the batch may take. */
  readonly rows: readonly FileRow[];
  readonly mostRefused: number;
  /** The work of earlier attempts. */
  readonly done: Done;
}

/** Writes the first of the rows, and answers the outcome of each. */
async function writeBatch(
  database: Database,
  { id, options, hold }: ImportWork,
  { rows, mostRefused, done }: Batch,
): Promise<readonly Outcome[]> {
  const record = async (session: Session, outcomes: readonly Outcome[]) => {
    const refused = rows.filter((_, index) => outcomes[index]?.status === 'refused');
    await recordBatch(
      session,
      id,
      behind(done, outcomes),
      outcomes,
      refused.map(({ shown }) => shown()),
    );
    // Last, since it locks the row of the job.
    await hold?.(session);
    return outcomes;
  };
  if (!options.isDryRun) {
    const { actor, resource } = options;
    const write = async (session: Session) =>
      record(session, await new BatchWriter(session, options).write(rows, mostRefused));
    const work = () => database.transaction(write, actor);
    return resource.hooks.aroundAdding?.(database, actor, bodiesOf(rows), work) ?? work();
  }
  const { outcomes, seen } = await rolledBack(database, options, async (session) => {
    const seen = new SeenValues(id);
    const writer = new BatchWriter(withoutFiles(session), options, seen);
    return { seen, outcomes: await writer.write(rows, mostRefused) };
  });
  return database.transaction(async (session) => {
    await seen.save(session);
    return record(session, outcomes);
  });
}

const bodiesOf = (rows: readonly FileRow[]): Body[] =>
  rows.map((row) => row.read()).filter((body) => body !== undefined);

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
