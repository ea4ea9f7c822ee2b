// The bases of all models. A query of rows that belong to owners takes a garage: `Order.of(garage)`. A query without a
// garage does not compile, unless it names a reason of past-garage.ts.
import knexModule, { type Knex } from 'knex';
import {
  type Constructor,
  DBError,
  Model,
  type Modifiers,
  type QueryBuilderType,
  type TransactionOrKnex,
} from 'objection';
import type { Garage } from './garage.ts';
import type { PastGarage } from './past-garage.ts';
import type { Marker } from './prepared.ts';
import type { Session } from './session.ts';

/** Builds the text of statements; it has no connection, so that a query without a session fails. */
const compiler: Knex = knexModule({ client: 'mysql2' });

/** The base of shared tables. Its queries reject with the driver's own error, which has the server's code. */
export class BaseModel extends Model {
  static override query<M extends Model>(
    this: Constructor<M>,
    knex?: TransactionOrKnex,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return queryOf(this, knex);
  }

  /** `owned(owner)`: the rows of that owner. */
  static override get modifiers(): Modifiers {
    return {
      owned: (query, owner: number) =>
        void query.where(`${query.tableRefFor(query.modelClass())}.owner_id`, owner),
    };
  }

  /**
   * The rows of one owner. A graph fetch of this query takes rows of this owner only: see relation.ts. `alias` names
   * the table in a join.
   */
  static of<M extends Model>(
    this: Constructor<M>,
    { knex, owner }: Pick<Garage, 'knex' | 'owner'>,
    alias?: string,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const query = queryOf(this, knex);
    if (alias !== undefined) query.alias(alias);
    return query.context({ owner }).modify('owned', owner);
  }

  /** The rows of one owner for a prepared statement, which gets its session and its owner later. */
  static ofMarked<M extends Model>(this: Constructor<M>, mark: Marker, alias?: string): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const query = queryOf(this);
    if (alias !== undefined) query.alias(alias);
    return query.modify('owned', mark('owner'));
  }

  /** The rows of all owners, for a reason. Without a session it is a part of another query, or of a statement. */
  static ofAllOwners<M extends Model>(
    this: Constructor<M>,
    _reason: PastGarage,
    session?: Pick<Session, 'knex'>,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return queryOf(this, session?.knex);
  }
}
BaseModel.knex(compiler);

/** A model whose rows belong to owners: a static leads to rows past their owner only if it is given a reason. */
export type OwnedClass = Omit<typeof BaseModel, 'new' | 'query' | 'knexQuery'> & (new () => BaseModel);

/** The base of owned rows that are no resource: jobs, counters, tokens. */
export const OwnedModel: OwnedClass = BaseModel;

/** A bare query of a model's table, for the one writer of rows. */
export const onTable = ({ tableName }: Pick<typeof BaseModel, 'tableName'>): Knex.QueryBuilder =>
  compiler(tableName);

/** For an UPDATE: the column keeps its value, although the database would set it. */
export const asItIs = (column: string): Knex.Ref<string, object> => compiler.ref(column);

function queryOf<M extends Model>(model: Constructor<M>, knex?: TransactionOrKnex): QueryBuilderType<M> {
  const query = Model.query.call<Constructor<M>, [TransactionOrKnex?], QueryBuilderType<M>>(model, knex);
  return query.onError((error: Error) => {
    throw error instanceof DBError ? error.nativeError : error;
  });
}
