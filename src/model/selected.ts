// The answer of a query with computed or joined columns. Each column is declared once, with its SQL and the type of its
// values. The type of the rows follows from the declaration, so that no type says another thing than the SELECT.
import type { AnyQueryBuilder, Model, QueryBuilder, RawBuilder } from 'objection';
import type { Stored } from './field.ts';

export interface Column<V extends Stored = Stored> {
  /** The name of a column, with its table in the query; an expression; a sub-query. */
  readonly sql: string | RawBuilder | AnyQueryBuilder;
  /** Never set: it carries the type of the values, as the driver gives them. */
  readonly value?: V;
}

export type Columns = Readonly<Record<string, Column>>;

/** The row of an answer with these columns. */
export type Selected<C extends Columns> = {
  readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never;
};

export const text = (sql: Column['sql']): Column<string> => ({ sql });
/** Exact, as text. */
export const decimal = text;
export const whole = (sql: Column['sql']): Column<number> => ({ sql });
export const orNull = <V extends Stored>(column: Column<V>): Column<V | null> => column;

type Of<M, K extends keyof M & string> = { readonly [Name in K]: Column<Extract<M[Name], Stored>> };
type Filled<M, K extends keyof M & string> = { readonly [Name in K]: Column<Extract<M[Name], Stored & {}>> };

/** Columns of a model, each with its own type. `table`: the name of the table in the query. */
export const columns = <M extends Model, K extends keyof M & string>(
  _model: new () => M,
  table: string,
  ...names: readonly K[]
): Of<M, K> => Object.fromEntries(names.map((name) => [name, { sql: `${table}.${name}` }])) as Of<M, K>;

/** Columns of a model that are never empty in the rows of the query, such as the totals of an invoice. */
export const filled = <M extends Model, K extends keyof M & string>(
  model: new () => M,
  table: string,
  ...names: readonly K[]
) => columns(model, table, ...names) as Filled<M, K>;

/** The query with these columns. After `first()` it answers one row, or undefined. */
export const selected = <M extends Model, A extends M[] | M | undefined, C extends Columns>(
  query: QueryBuilder<M, A>,
  declared: C,
): QueryBuilder<M, A extends M[] ? Selected<C>[] : Selected<C> | Extract<A, undefined>> =>
  query
    .select(
      Object.entries(declared).map(([name, { sql }]) =>
        typeof sql === 'string' ? `${sql} as ${name}` : sql.as(name),
      ),
    )
    .castTo<A extends M[] ? Selected<C>[] : Selected<C> | Extract<A, undefined>>();
