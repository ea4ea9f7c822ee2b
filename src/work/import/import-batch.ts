// How far an import has come: a row for each transaction of a batch, written by that transaction. So after a kill
// the next attempt goes on behind the last row that was committed. The report is made of these rows.
import { BaseModel } from '../../core/model/statements/base-model.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { databaseNow } from '../../core/trade/time/timestamp.ts';
import { type Outcome, sumOf, type Tally, tallyOf } from './outcome.ts';

class ImportBatch extends BaseModel {
  static override tableName = 'import_batches';
  static override idColumn = ['import_id', 'batch'];
  /** The ID of the job, or the command line's name for the import. */
  declare import_id: string;
  /** From 1. */
  declare batch: number;
  /** Rows of the file that this batch and the ones before it have dealt with. */
  declare rows_done: number;
  declare rows_total: number;
  /** JSON: the tally of this batch. */
  declare counts: string;
  /** Lines of report.ndjson. */
  declare report: string;
  /** The refused rows of the file, without the values of write-only fields. */
  declare refused: string;
  declare created_at: string;
}

export interface Done {
  readonly batch: number;
  readonly rowsDone: number;
  readonly rowsTotal: number;
}

/** The last batch; undefined: nothing is done yet. */
export async function lastBatch({ knex }: Session, id: string): Promise<Done | undefined> {
  const last = await ImportBatch.query(knex)
    .select('batch', 'rows_done', 'rows_total')
    .where('import_id', id)
    .orderBy('batch', 'desc')
    .first();
  return last && { batch: last.batch, rowsDone: last.rows_done, rowsTotal: last.rows_total };
}

/** `refused`: the texts of the refused rows. */
export async function recordBatch(
  session: Session,
  id: string,
  { batch, rowsDone, rowsTotal }: Done,
  outcomes: readonly Outcome[],
  refused: readonly string[],
): Promise<void> {
  const lines = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('');
  const row = {
    import_id: id,
    batch,
    rows_done: rowsDone,
    rows_total: rowsTotal,
    counts: JSON.stringify(tallyOf(outcomes)),
    report: lines(outcomes.map(({ report }) => report)),
    refused: lines(refused),
    created_at: databaseNow(),
  };
  // Prepared, since the driver would write megabytes of text into the statement, quote by quote.
  const statement = prepared('record a batch of an import', (mark) =>
    ImportBatch.query().insert(Object.fromEntries(Object.keys(row).map((name) => [name, mark(name)]))),
  );
  await statement.write(garageOf(session, NO_OWNER), row);
}

/** An import of the command line has no job, so its batches are bound to no owner. */
const NO_OWNER = 0;

/** The sum of the results of all batches. */
export async function tallyOfImport({ knex }: Session, id: string): Promise<Tally> {
  const batches = await ImportBatch.query(knex).select('counts').where('import_id', id);
  return sumOf(batches.map(({ counts }) => JSON.parse(counts) as Tally));
}

const BATCHES_AT_ONCE = 5;

/** One column of all batches, in their order. */
export async function* textsOf(
  { knex }: Session,
  id: string,
  column: 'report' | 'refused',
): AsyncGenerator<Buffer> {
  for (let after = 0; ; ) {
    const batches = await ImportBatch.query(knex)
      .select('batch', column)
      .where('import_id', id)
      .where('batch', '>', after)
      .orderBy('batch')
      .limit(column === 'report' ? BATCHES_AT_ONCE : 1);
    if (batches.length === 0) return;
    const text = batches.map((batch) => batch[column]).join('');
    if (text !== '') yield Buffer.from(text);
    after = batches.at(-1)?.batch ?? after;
  }
}

/** Values that rows of a dry run would have added; they count for the rows behind them. */
export class ImportKey extends BaseModel {
  static override tableName = 'import_keys';
  static override idColumn = ['import_id', 'digest'];
  declare import_id: string;
  /** SHA-256 of the field and its value. */
  declare digest: string;
}
