// Collects drafts of records, and writes them in multi-row statements in the order in which they refer to each other. A
// draft has the columns that matter, and may have another draft in the place of its ID.
import type { Row } from '../../core/model/fields/field.ts';
import { nextNumber, numberRecords } from '../../core/model/records/counter.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { inOrderOfReference } from '../../core/model/records/registry.ts';
import type { BaseModel } from '../../core/model/statements/base-model.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import type { Files } from '../../core/model/statements/session.ts';
import { insertRows } from '../../core/model/writes/write.ts';
import { grouped, portionsOf } from '../../core/trade/grouped.ts';
import type { Random } from './random.ts';

const ROWS_A_STATEMENT = 1000;

interface Model {
  new (): BaseModel;
  readonly resource: Resource;
}
/** The whole record of a model. */
export type RecordOf<M extends Model> = Omit<InstanceType<M>, keyof BaseModel>;
/** Has an ID once it is written. */
type Reference = { readonly id?: number };
export type Draft<M extends Model> = {
  [Column in keyof RecordOf<M>]?: RecordOf<M>[Column] | (Column extends `${string}_id` ? Reference : never);
};
/** Rows written, by the name of their resource. */
export type Counts = { [resource: string]: number };

/** One transaction of a seed. */
export interface Part {
  readonly drafts: Drafts;
  readonly random: Random;
  readonly files: Files;
}

export class Drafts {
  readonly counts: Counts = {};
  readonly #garage: Garage;
  readonly #waiting = new Map<string, Record<string, unknown>[]>();

  constructor(garage: Garage) {
    this.#garage = garage;
  }

  /** Fills in the other columns. Answers the same object: it gets its ID when it is written. */
  add<M extends Model>({ resource }: M, draft: Draft<M>): RecordOf<M> {
    const row: Record<string, unknown> = draft;
    for (const [name, { fallback, primary }] of resource.fields) if (!primary) row[name] ??= fallback;
    for (const column of resource.unshown) row[column] ??= null;
    const rows = this.#waiting.get(resource.name) ?? [];
    rows.push(row);
    this.#waiting.set(resource.name, rows);
    return draft as RecordOf<M>;
  }

  /** Writes the drafts that were added since. Gives numbers to records that are numbered. */
  async write(): Promise<void> {
    for (const resource of inOrderOfReference()) {
      const references = [...resource.fields].flatMap(([name, { reference }]) => (reference ? [name] : []));
      let rows = this.#waiting.get(resource.name) ?? [];
      // Records may refer to others of their resource.
      while (rows.length > 0) {
        const parts = grouped(rows, (row) => references.every((name) => hasId(row[name])));
        const ready = parts.get(true);
        if (!ready) throw new Error(`Drafts of ${resource.name} refer to drafts that nobody added`);
        for (const row of ready) for (const name of references) row[name] = idOf(row[name]);
        await this.#insert(resource, ready as Row[]);
        rows = parts.get(false) ?? [];
      }
      this.#waiting.delete(resource.name);
    }
  }

  async #insert(resource: Resource, rows: readonly Row[]): Promise<void> {
    await numberRecords(this.#garage, resource, rows);
    for (const some of portionsOf(rows, ROWS_A_STATEMENT))
      await insertRows(this.#garage, resource, some, { logged: 'now' });
    this.counts[resource.name] = (this.counts[resource.name] ?? 0) + rows.length;
  }

  /** Takes that many numbers of a counter of the owner, and answers the first. 0 takes none. */
  reserve(counter: string, count: number): Promise<number> {
    return nextNumber(this.#garage, counter, count);
  }
}

const isDraft = (value: unknown): value is Reference => typeof value === 'object' && value !== null;
const hasId = (value: unknown): boolean => !isDraft(value) || value.id !== undefined;
const idOf = (value: unknown): unknown => (isDraft(value) ? value.id : value);
