// What the engine needs of a database: prepared statements, by themselves or in a transaction.
import type { Knex } from 'knex';
import type { Row, Stored } from './field.ts';

/** Where the bytes of documents are kept, by their SHA-256. */
export interface Files {
  put(bytes: Buffer): Promise<{ sha256: string; size: number }>;
}

export interface Session {
  readonly files: Files;
  /** Runs a prepared SELECT. The statement's text must be one of a bounded number of forms. */
  rows(sql: string, values: readonly Stored[]): Promise<Row[]>;
  /** Runs a prepared INSERT, UPDATE or DELETE. */
  run(sql: string, values: readonly Stored[]): Promise<Written>;
  /**
   * Runs one that is not prepared, since its text has no bounded number of forms: one `?` stands for all `rows`,
   * (…), (…), which takes a fraction of the time that one a value takes.
   */
  runMany(sql: string, rows: readonly (readonly Stored[])[]): Promise<Written>;
}

export interface Written {
  readonly affectedRows: number;
  readonly insertId: number;
}

export interface Database extends Session {
  /** The pool of connections outside transactions, for what is asked seldom. */
  readonly knex: Knex;
  connections(): Connections;
  /** Commits what `work` wrote when it resolves, else rolls it back; tries again after a deadlock. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** What `work` reads fits together: all of it is as it was at the first statement. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Connections to the server, and how many wait for one. */
export interface Connections {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}
