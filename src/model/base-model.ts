// The base of all models. `Order.of(session, owner)` begins a query of one owner's rows.
import knexModule, { type Knex } from 'knex';
import { type Constructor, DBError, Model, type QueryBuilderType, type TransactionOrKnex } from 'objection';
import type { Garage } from './garage.ts';
import type { Marker } from './prepared.ts';
import type { Session } from './session.ts';

/** Builds the text of statements; it has no connection, so that a query without a session fails. */
const compiler: Knex = knexModule({ client: 'mysql2' });

/** The base of all models. Its queries reject with the driver's own error, which has the server's code. */
export class BaseModel extends Model {
  static override query<M extends Model>(
    this: Constructor<M>,
    knex?: TransactionOrKnex,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return queryOf(this, knex);
  }

  /**
   * The rows of one owner. No other way leads to them: test/architecture.test.ts reads the sources. `alias` names the
   * table in a join.
   */
  static of<M extends Model>(
    this: Constructor<M>,
    { knex, owner }: Garage,
    alias?: string,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const query = queryOf(this, knex);
    if (alias !== undefined) query.alias(alias);
    return query.modify('owned', owner);
  }

  /** The rows of one owner for a prepared statement, which gets its session and its owner later. */
  static ofMarked<M extends Model>(this: Constructor<M>, mark: Marker, alias?: string): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    const query = queryOf(this);
    if (alias !== undefined) query.alias(alias);
    return query.modify('owned', mark('owner'));
  }

  /** The rows of all owners: for the operator, for logins, and for work that the service does on its own. */
  static ofAllOwners<M extends Model>(
    this: Constructor<M>,
    { knex }: Pick<Session, 'knex'>,
  ): QueryBuilderType<M> {
    // biome-ignore lint/complexity/noThisInStatic: `this` is the subclass that is queried
    return queryOf(this, knex);
  }
}
BaseModel.knex(compiler);

function queryOf<M extends Model>(model: Constructor<M>, knex?: TransactionOrKnex): QueryBuilderType<M> {
  const query = Model.query.call<Constructor<M>, [TransactionOrKnex?], QueryBuilderType<M>>(model, knex);
  return query.onError((error: Error) => {
    throw error instanceof DBError ? error.nativeError : error;
  });
}
