// Writes rows in multi-row statements, as the resources declare them. All rows of a statement get
// consecutive IDs, so that records can refer to each other before anything is read back.
import type { Knex } from 'knex';
import type { Row, Stored } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { databaseNow } from '../trade/timestamp.ts';

const ROWS_A_STATEMENT = 1000;

/** A record to be written: the columns that are set. Writing completes it: its `id`, its times, what is empty. */
export type Draft = Row;
export type Made = Record<string, number>;

export interface Writer {
  /** Rows written so far, by resource. */
  readonly made: Made;
  /** Inserts in this order. */
  write(resource: Resource, drafts: readonly Draft[]): Promise<void>;
  /** Takes so many numbers of the owner's counter and answers the first; the counter stays locked. */
  reserve(counter: string, count: number): Promise<number>;
}

export async function openWriter(session: Session, owner: number): Promise<Writer> {
  const [settings] = await session.rows('SELECT @@auto_increment_increment AS step', []);
  const step = Number(settings?.step);
  const now = databaseNow();
  const made: Made = {};
  return {
    made,
    write: async (resource, drafts) => {
      made[resource.name] = (made[resource.name] ?? 0) + drafts.length;
      for (let from = 0; from < drafts.length; from += ROWS_A_STATEMENT) {
        const rows = drafts.slice(from, from + ROWS_A_STATEMENT);
        for (const row of rows)
          Object.assign(row, { owner_id: owner, version: 1, created_at: now, modified_at: now });
        const first = await insert(session, resource, rows);
        rows.forEach((row, index) => {
          row.id = first + index * step;
        });
      }
    },
    reserve: (counter, count) => reserve(session, owner, counter, count),
  };
}

/** The ID of a record that has been written. */
export function idOf(draft: Draft): number {
  if (typeof draft.id !== 'number') throw new Error('A record was referred to before it was written');
  return draft.id;
}

// One `?` for all rows: the driver writes a list of lists as (…), (…), which takes a fraction of the time
// that one `?` a value takes to put together.
async function insert(session: Session, resource: Resource, rows: readonly Draft[]): Promise<number> {
  const columns = [
    'owner_id',
    'version',
    ...resource.columns.filter((column) => column !== 'id'),
    ...(resource.traits.hidden ?? []),
  ];
  const fallbacks = columns.map((column) => resource.fields.get(column)?.fallback ?? null);
  const values = rows.map((row) =>
    columns.map((column, index): Stored => {
      row[column] ??= fallbacks[index] ?? null;
      return row[column];
    }),
  );
  const sql = `INSERT INTO ${resource.table} (${columns.join(', ')}) VALUES ?`;
  const [result] = (await session.knex.raw(sql, [values as unknown as Knex.Value])) as unknown as [
    { insertId: number },
  ];
  return result.insertId;
}

async function reserve(session: Session, owner: number, counter: string, count: number): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO counters (owner_id, name, value) VALUES (?, ?, LAST_INSERT_ID(?)) ' +
      'ON DUPLICATE KEY UPDATE value = LAST_INSERT_ID(value + ?)',
    [owner, counter, count, count],
  );
  return insertId - count + 1;
}
