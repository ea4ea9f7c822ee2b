// Writes drafts of records in multi-row statements. A draft has the columns that matter; writing it fills in the
// others and the ID, so that later drafts can refer to it.

import { logCreated } from '../model/change-log.ts';
import { nextNumber } from '../model/counter.ts';
import type { Row } from '../model/field.ts';
import { insertMany } from '../model/insert-many.ts';
import type { Table } from '../model/prepared.ts';
import type { Resource } from '../model/record.ts';
import type { Session } from '../model/session.ts';
import { databaseNow } from '../trade/timestamp.ts';

const ROWS_A_STATEMENT = 1000;

interface Model {
  new (): Table;
  readonly resource: Resource;
}
/** The whole record of a model. */
export type RecordOf<M extends Model> = Omit<InstanceType<M>, keyof Table>;
export type Draft<M extends Model> = Partial<RecordOf<M>>;
/** Rows written, by the name of their resource. */
export type Counts = { [resource: string]: number };

export class Writer {
  readonly counts: Counts = {};
  readonly #session: Session;
  readonly #owner: number;

  constructor(session: Session, owner: number) {
    this.#session = session;
    this.#owner = owner;
  }

  /** Inserts the drafts in their order, and answers the same objects as whole records. */
  async write<M extends Model>(model: M, drafts: readonly Draft<M>[]): Promise<RecordOf<M>[]> {
    const { name, fields, columns, unshown, table } = model.resource;
    const now = databaseNow();
    const whole = { owner_id: this.#owner, version: 1, created_at: now, modified_at: now };
    const optional = [...columns, ...unshown].filter((column) => column !== 'id' && !(column in whole));
    const rows = drafts as readonly Row[];
    for (const row of rows) {
      Object.assign(row, whole);
      for (const column of optional) row[column] ??= fields.get(column)?.fallback ?? null;
    }
    for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
      const ids = await insertMany(this.#session, table, rows.slice(from, from + ROWS_A_STATEMENT));
      const written = rows.slice(from, from + ROWS_A_STATEMENT);
      ids.forEach((id, index) => {
        Object.assign(written[index] ?? {}, { id });
      });
      await logCreated(this.#session, model.resource, this.#owner, written);
    }
    this.counts[name] = (this.counts[name] ?? 0) + rows.length;
    return drafts as RecordOf<M>[];
  }

  /** Takes that many numbers of a counter of the owner, and answers the first. */
  reserve(counter: string, count: number): Promise<number> {
    return nextNumber(this.#session, this.#owner, counter, count);
  }
}
