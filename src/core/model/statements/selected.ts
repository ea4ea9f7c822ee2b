// The answer of a query with computed or joined columns. Each column is declared once, with its SQL and the type of its
// values. The type of the rows follows from the declaration, so that no type says another thing than the SELECT.
import type { AnyQueryBuilder, Model, QueryBuilder, RawBuilder } from 'objection';
import type { Stored } from '../fields/field.ts';

export interface Column<V extends Stored = Stored> {
  /** The name of a column, with its table in the query; an expression; a sub-query. */
  readonly sql: string | RawBuilder | AnyQueryBuilder;
  /** Never set: it carries the type of the values, as the driver gives them. */
  readonly value?: V;
}

export type Columns = Readonly<Record<string, Column>>;

/** A relation of a query: the columns of the related records, and the relations behind it. */
interface Related<Found = unknown> {
  readonly declared: Columns;
  readonly graph: Graph | undefined;
  /** Never set: it carries the type of what is found. */
  readonly found?: Found;
}

export type Graph = Readonly<Record<string, Related>>;
type None = Readonly<Record<never, never>>;

export type Values<C extends Columns> = { readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never };
/** The row of an answer with these columns and these relations. */
export type Selected<C extends Columns, G extends Graph = None> = Values<C> & {
  readonly [K in keyof G]: G[K] extends Related<infer Found> ? Found : never;
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

/** The record that a required reference leads to. */
export const one = <C extends Columns, G extends Graph = None>(
  declared: C,
  graph?: G,
): Related<Selected<C, G>> => ({ declared, graph });
export const oneOrNull: <C extends Columns, G extends Graph = None>(
  ...of: [C, G?]
) => Related<Selected<C, G> | null> = one;
export const many: <C extends Columns, G extends Graph = None>(
  ...of: [C, G?]
) => Related<readonly Selected<C, G>[]> = (declared, graph) => ({ declared, graph });

type Answer<M, A, R> = A extends M[] ? R[] : R | Extract<A, undefined>;

/**
 * The query with these columns. After `first()` it answers one row, or undefined. Each relation of the graph is read by
 * a statement of its own.
 */
export function selected<
  M extends Model,
  A extends M[] | M | undefined,
  C extends Columns,
  G extends Graph = None,
>(query: QueryBuilder<M, A>, declared: C, graph?: G): QueryBuilder<M, Answer<M, A, Selected<C, G>>> {
  const chosen = Object.entries(declared).map(([name, { sql }]) =>
    typeof sql === 'string' ? `${sql} as ${name}` : sql.as(name),
  );
  for (const [name, related] of Object.entries(graph ?? {}))
    query
      .withGraphFetched(name)
      .modifyGraph(name, (behind) => void selected(behind, related.declared, related.graph));
  return query.select(chosen).castTo<Answer<M, A, Selected<C, G>>>();
}
