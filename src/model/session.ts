// What the engine needs of a database: prepared statements, and a knex for Objection's queries. In a
// transaction both speak over the same connection.
import type { Knex } from 'knex';
import type { Row, Stored } from './field.ts';

/** Where the bytes of documents are kept, by their SHA-256. */
export interface Files {
  put(bytes: Buffer): Promise<{ sha256: string; size: number }>;
}

export interface Session {
  readonly files: Files;
  readonly knex: Knex;
  /** Runs a prepared SELECT. The statement's text must be one of a bounded number of forms. */
  rows(sql: string, values: readonly Stored[]): Promise<Row[]>;
  /** Runs a prepared INSERT, UPDATE or DELETE. */
  run(sql: string, values: readonly Stored[]): Promise<{ affectedRows: number; insertId: number }>;
}

export interface Database extends Session {
  /** Commits what `work` wrote when it resolves, else rolls it back; tries again after a deadlock. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}
