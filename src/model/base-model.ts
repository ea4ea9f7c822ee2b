// The base of all models. `Order.of(session, owner)` begins a query of one owner's rows.
import knexModule, { type Knex } from 'knex';
import { type Constructor, DBError, Model, type QueryBuilderType, type TransactionOrKnex } from 'objection';
import type { Marker } from './prepared.ts';
import type { Session } from './session.ts';

/** Builds the text of statements; it has no connection, so that a query without a session fails. */
export const compiler: Knex = knexModule({ client: 'mysql2' });

/** The base of all models. Its queries reject with the driver's own error, which has the server's code. */
export class BaseModel extends Model {
  static override query<M extends Model>(
    this: Constructor<M>,
    knex?: TransactionOrKnex,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const self = this as unknown as typeof Model;
    const query = Model.query.call<typeof Model, [TransactionOrKnex?], QueryBuilderType<M>>(self, knex);
    return query.onError((error: Error) => {
      throw error instanceof DBError ? error.nativeError : error;
    });
  }

  /**
   * The rows of one owner. No other way leads to them: test/architecture.test.ts reads the sources. `alias` names the
   * table in a join.
   */
  static of<M extends Model>(
    this: Constructor<M>,
    { knex }: Pick<Session, 'knex'>,
    owner: number,
    alias?: string,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const query = (this as unknown as typeof BaseModel).query(knex) as QueryBuilderType<M>;
    if (alias !== undefined) query.alias(alias);
    return query.modify('owned', owner);
  }

  /** The rows of all owners: for the operator, for logins, and for work that the service does on its own. */
  static ofAllOwners<M extends Model>(
    this: Constructor<M>,
    { knex }: Pick<Session, 'knex'>,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return (this as unknown as typeof BaseModel).query(knex) as QueryBuilderType<M>;
  }

  /** The same for a prepared statement, which has its session and its owner later. */
  static ofMarked<M extends Model>(this: Constructor<M>, mark: Marker): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return (this as unknown as typeof BaseModel)
      .query()
      .modify('owned', mark('owner')) as QueryBuilderType<M>;
  }
}
BaseModel.knex(compiler);
