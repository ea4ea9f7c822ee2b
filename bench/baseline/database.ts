// The baselines' access to the database: mysql2 alone, with prepared statements, the service's pool sizes, and
// transactions without autocommit, as in the service. Wrapping callbacks by hand is faster than mysql2's promises.
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import mysql, { type PoolConnection, type ResultSetHeader } from 'mysql2';
import type { ConnectionSettings } from '../../src/platform/database/settings.ts';

/** As many connections as the service gives the transactions of one owner. */
const CONNECTIONS = 10;

export type Value = string | number | null;
export type Row = Record<string, Value>;
export type Execute = <Result = Row[]>(sql: string, values: Value[]) => Promise<Result>;

export interface Caller {
  readonly owner: number;
  readonly employee: number;
  readonly apiKey: number;
}

/** Refuses a request with this HTTP status. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const SESSION_SETTINGS = [
  'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED',
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES'",
  "SET SESSION time_zone = '+00:00'",
];
const TRANSACTION_SETTINGS = [...SESSION_SETTINGS, 'SET SESSION autocommit = 0'];

export class Baseline {
  readonly #pool: mysql.Pool;
  readonly #transactions: mysql.Pool;
  readonly #tokens = new LRUCache<string, Caller & { until: number }>({ max: 10_000, ttl: 1_000 });
  readonly execute: Execute;
  /** Whether each change is logged, in its transaction, as the service does. */
  readonly isLogging: boolean;

  constructor(connection: ConnectionSettings, isLogging: boolean) {
    this.isLogging = isLogging;
    this.#pool = openPool(connection, SESSION_SETTINGS);
    this.#transactions = openPool(connection, TRANSACTION_SETTINGS);
    this.execute = executeOn(this.#pool);
  }

  /** The caller of a token. Asks the database at most once a second for each token. */
  async caller(token: string | string[] | undefined): Promise<Caller> {
    if (typeof token !== 'string') throw new Refused(401, 'Not authorized');
    const digest = hash('sha256', token, 'hex');
    const known = this.#tokens.get(digest) ?? (await this.#readToken(digest));
    if (known && known.until > Date.now()) return known;
    throw new Refused(401, 'Not authorized');
  }

  async #readToken(digest: string) {
    const [row] = await this.execute(
      'SELECT t.owner_id, t.employee_id, t.api_key_id, t.expires_at FROM tokens t ' +
        'JOIN employees e ON e.owner_id = t.owner_id AND e.id = t.employee_id JOIN api_keys k ON k.id = t.api_key_id ' +
        'WHERE t.token_hash = ? AND e.is_blocked = 0 AND e.is_archived = 0 AND k.revoked_at IS NULL',
      [digest],
    );
    if (!row) return undefined;
    const found = {
      owner: Number(row.owner_id),
      employee: Number(row.employee_id),
      apiKey: Number(row.api_key_id),
      until: Date.parse(`${row.expires_at}Z`),
    };
    this.#tokens.set(digest, found);
    return found;
  }

  async transaction<Result>(work: (execute: Execute) => Promise<Result>): Promise<Result> {
    const connection = await new Promise<PoolConnection>((resolve, reject) => {
      this.#transactions.getConnection((error, got) => (error ? reject(error) : resolve(got)));
    });
    try {
      const result = await work(executeOn(connection));
      await query(connection, 'COMMIT');
      return result;
    } catch (error) {
      await query(connection, 'ROLLBACK');
      throw error;
    } finally {
      connection.release();
    }
  }

  end(): void {
    this.#pool.end();
    this.#transactions.end();
  }
}

function openPool(connection: ConnectionSettings, settings: readonly string[]): mysql.Pool {
  const { hosts: [host] = [], ...where } = connection;
  const pool = mysql.createPool({
    ...where,
    ...host,
    connectionLimit: CONNECTIONS,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
  });
  pool.on('connection', (made) => {
    for (const statement of settings) made.query(statement);
  });
  return pool;
}

export type Written = ResultSetHeader;

const executeOn =
  (on: mysql.Pool | PoolConnection): Execute =>
  (sql, values) =>
    new Promise((resolve, reject) => {
      on.execute(sql, values, (error, result) => (error ? reject(error) : resolve(result as never)));
    });

const query = (connection: PoolConnection, sql: string) =>
  new Promise<void>((resolve, reject) => {
    connection.query(sql, (error) => (error ? reject(error) : resolve()));
  });
