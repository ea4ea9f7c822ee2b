// Writes drafts of records in multi-row statements. A draft has the columns that matter; writing it fills in the
// others and the ID, so that later drafts can refer to it.

import type { Row } from '../model/fields/field.ts';
import { nextNumber } from '../model/records/counter.ts';
import type { Resource } from '../model/records/record.ts';
import type { BaseModel } from '../model/statements/base-model.ts';
import { type Garage, garageOf } from '../model/statements/garage.ts';
import type { Session } from '../model/statements/session.ts';
import { insertRows } from '../model/writes/write.ts';

const ROWS_A_STATEMENT = 1000;

interface Model {
  new (): BaseModel;
  readonly resource: Resource;
}
/** The whole record of a model. */
export type RecordOf<M extends Model> = Omit<InstanceType<M>, keyof BaseModel>;
export type Draft<M extends Model> = Partial<RecordOf<M>>;
/** Rows written, by the name of their resource. */
export type Counts = { [resource: string]: number };

export class Writer {
  readonly counts: Counts = {};
  readonly #session: Session;
  readonly #owner: number;

  constructor(garage: Garage) {
    this.#session = garage;
    this.#owner = garage.owner;
  }

  /** Inserts the drafts in their order, and answers the same objects as whole records. */
  async write<M extends Model>(model: M, drafts: readonly Draft<M>[]): Promise<RecordOf<M>[]> {
    const { name } = model.resource;
    const rows = drafts as readonly Row[];
    for (let from = 0; from < rows.length; from += ROWS_A_STATEMENT) {
      const some = rows.slice(from, from + ROWS_A_STATEMENT);
      for (const row of some) for (const column of model.resource.unshown) row[column] ??= null;
      await insertRows(garageOf(this.#session, this.#owner), model.resource, some, { logged: 'now' });
    }
    this.counts[name] = (this.counts[name] ?? 0) + rows.length;
    return drafts as RecordOf<M>[];
  }

  /** Takes that many numbers of a counter of the owner, and answers the first. */
  reserve(counter: string, count: number): Promise<number> {
    return nextNumber(garageOf(this.#session, this.#owner), counter, count);
  }
}
