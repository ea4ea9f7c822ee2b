// The statements of hot paths: reads and writes of records, their rules, the plan. Building a query with Objection
// takes longer than answering a GET, so each shape of query is built once, and run as a prepared statement with new
// values.
import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import type { Model, QueryBuilder } from 'objection';
import type { Row, Stored } from '../fields/field.ts';
import type { Garage } from './garage.ts';
import type { Written } from './session.ts';

/** Shapes kept. Lists have as many shapes as there are combinations of filter, sort and fields. */
const MOST_SHAPES = 1_000;
/** The places of all of them together: a caller may ask `in` for thousands of values, and each count is a shape. */
const MOST_PLACES = 200_000;

type Values = Readonly<Record<string, Stored | readonly Stored[]>>;

/** Stands in a query for a value that each run gives: the owner, `values[name]`, or `values[name][index]`. */
class Mark {
  readonly name: string;
  readonly index: number | undefined;

  constructor(name: string, index?: number) {
    this.name = name;
    this.index = index;
  }
}

/** The mark of the owner, whom every statement is bound to. */
const OWNER = 'owner';

/** The builder's LIMIT and OFFSET take whole numbers only, so these numbers stand for their marks. */
export const LIMIT = 2147483646;
export const OFFSET = 2147483645;
/** The limit where the rows before the offset are read too. */
export const REACH = 2147483644;
const NUMBERED = new Map([
  [LIMIT, new Mark('limit')],
  [OFFSET, new Mark('offset')],
  [REACH, new Mark('reach')],
]);

/**
 * The values of an IN, padded to a power of two with the last one, so that such a statement has few shapes. `IN (…)`
 * takes the marks of `marks(mark, name, values.length)`.
 */
export function padded(values: readonly Stored[]): readonly Stored[] {
  const missing = 2 ** Math.ceil(Math.log2(Math.max(1, values.length))) - values.length;
  return missing === 0 ? values : [...values, ...Array(missing).fill(values.at(-1) ?? null)];
}

export const marks = (mark: Marker, name: string, count: number): never[] =>
  Array.from({ length: count }, (_, index) => mark(name, index));

/** A mark may take the place of any value, so its type fits everywhere. */
export type Marker = (name: string, index?: number) => never;
type Buildable = Pick<QueryBuilder<Model, unknown>, 'toKnexQuery'> | Knex.QueryBuilder;

const mark: Marker = (name, index) => new Mark(name, index) as never;
const statements = new LRUCache<string, Statement>({
  max: MOST_SHAPES,
  maxSize: MOST_PLACES,
  sizeCalculation: ({ places }) => places + 1,
});

/** The statement of that key, built by `build` the first time. The key must name all that the text depends on. */
export function prepared(key: string, build: (mark: Marker) => Buildable): Statement {
  let statement = statements.get(key);
  if (!statement) {
    statement = new Statement(build(mark));
    statements.set(key, statement);
  }
  return statement;
}

class Statement {
  private readonly sql: string;
  private readonly slots: readonly (Mark | Stored)[];

  constructor(query: Buildable) {
    const built = 'toKnexQuery' in query ? (query as QueryBuilder<Model>).toKnexQuery() : query;
    const { sql, bindings } = built.toSQL().toNative();
    this.sql = sql;
    this.slots = bindings.map((value) =>
      value instanceof Mark ? value : (NUMBERED.get(Number(value)) ?? String(value)),
    );
  }

  /** How many values it takes. */
  get places(): number {
    return this.slots.length;
  }

  /** Runs a SELECT. */
  rows<R extends Row = Row>(garage: Garage, values: Values): Promise<R[]> {
    return garage.execute(this.sql, this.fill(garage.owner, values)) as Promise<R[]>;
  }

  /** Runs an INSERT, UPDATE or DELETE. */
  write(garage: Garage, values: Values): Promise<Written> {
    return garage.execute(this.sql, this.fill(garage.owner, values)) as Promise<Written>;
  }

  /**
   * Runs an INSERT, UPDATE or DELETE whose answer nobody needs before the transaction's next statement, or with its
   * COMMIT. The errors come then, also those of keys: the caller must expect them there.
   */
  async writeLater(garage: Garage, values: Values): Promise<void> {
    const { postpone = garage.execute } = garage;
    await postpone(this.sql, this.fill(garage.owner, values));
  }

  private fill(owner: number, values: Values): Stored[] {
    return this.slots.map((slot) => {
      if (!(slot instanceof Mark)) return slot;
      if (slot.name === OWNER) return String(owner);
      const given = values[slot.name];
      return asSent((slot.index === undefined ? given : (given as readonly Stored[])[slot.index]) as Stored);
    });
  }
}

/**
 * All values go as text, and the server reads the numbers. The driver would send a number as a double, which LIMIT
 * does not take; for MySQL it would make a BigInt of each number, which takes fifteen times as long as a text. A
 * fragment that compares a value outside a condition says its type: see `countedTo`.
 */
const asSent = (value: Stored | undefined): string | null => (value == null ? null : String(value));
