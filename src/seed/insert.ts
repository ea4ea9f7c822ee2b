// Writes rows in multi-row statements, as the resources declare them, and completes them with their IDs.
import { nextNumber } from '../model/counter.ts';
import type { Row } from '../model/field.ts';
import { insertMany } from '../model/insert-many.ts';
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
        const ids = await insert(session, resource, rows);
        rows.forEach((row, index) => {
          row.id = ids[index] ?? null;
        });
      }
    },
    reserve: (counter, count) => nextNumber(session, owner, counter, count),
  };
}

/** The ID of a record that has been written. */
export function idOf(draft: Draft): number {
  if (typeof draft.id !== 'number') throw new Error('A record was referred to before it was written');
  return draft.id;
}

function insert(session: Session, resource: Resource, rows: readonly Draft[]): Promise<number[]> {
  const columns = ['owner_id', ...resource.columns, ...resource.unshown].filter((column) => column !== 'id');
  for (const row of rows)
    for (const column of columns) row[column] ??= resource.fields.get(column)?.fallback ?? null;
  return insertMany(session, resource.table, rows);
}
