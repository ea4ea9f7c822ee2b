// The engine's view of a database: Objection's queries and prepared statements, by themselves or in a
// transaction.
import type { Knex } from 'knex';
import type { Row, Stored } from '../fields/field.ts';

/** Who changes records: the owner, and the caller if a request makes the change. */
export interface Actor {
  readonly owner: number;
  readonly employee?: number;
  readonly apiKey?: number;
  readonly requestId?: string;
}

/** The changes of a transaction. The log of changes knows what is in them. */
export interface NotedChanges {
  /** The caller of the request that makes the changes; undefined: the service makes them. */
  readonly actor: Actor | undefined;
}

/** Where the bytes of documents are kept, by their SHA-256. */
export interface Files {
  put(bytes: Buffer): Promise<{ sha256: string; size: number }>;
  remove(sha256: string): Promise<void>;
}

export interface Session {
  readonly files: Files;
  /** Objection's queries run on it. */
  readonly knex: Knex;
  /** The changes of a transaction; undefined outside a transaction. */
  readonly changes?: NotedChanges;
  /** Undoes only what `work` did if it throws, so that the transaction can go on; undefined outside a transaction. */
  readonly savepoint?: <T>(work: () => Promise<T>) => Promise<T>;
  /** Runs a prepared statement. Only core/model/statements/prepared.ts calls this, with texts that it compiled. */
  execute(sql: string, values: readonly Stored[]): Promise<Row[] | Written>;
  /** Runs a statement before the transaction's next one or its commit; undefined outside a transaction. */
  readonly postpone?: ((sql: string, values: readonly Stored[]) => Promise<void>) | undefined;
}

/** The server's answer to INSERT, UPDATE and DELETE. */
export interface Written {
  readonly affectedRows: number;
  readonly insertId: number;
}

/** Who reads for an answer, and how. */
export interface Reader {
  readonly owner: number;
  /** Aborted when the caller disconnects: the server then stops the statement. */
  readonly signal: AbortSignal;
  /** All reads come from one snapshot, taken at the first of them. */
  readonly snapshot: boolean;
}

/** A connection of the owner's share, until it is released. Its statements have a time limit. */
export interface Reading extends Session {
  release(): Promise<void>;
}

export interface Database extends Session {
  /** Waits for a connection of the owner's share. Rejects with the signal's reason. */
  openReading(reader: Reader): Promise<Reading>;
  connections(): Connections;
  /** Rejects if the server does not answer, or takes no writes. */
  check(): Promise<void>;
  /** Whether the server is a node of a cluster: locks of other nodes are not seen. */
  isCluster(): Promise<boolean>;
  /**
   * Commits what `work` wrote when it resolves, with the log of its changes, else rolls it back; tries again after a
   * conflict. With an `actor` it waits for a connection of the owner's share.
   */
  transaction<T>(work: (session: Session) => Promise<T>, actor?: Actor): Promise<T>;
  /** Calls back with the owner after each transaction that changed records of the owner. */
  onChanges(listener: (owner: number) => void): void;
  /** All reads of `work` come from one snapshot, taken at its first query. */
  snapshot<T>(work: (session: Session) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Connections to the server, and how many requests wait for one. */
export interface Connections {
  readonly used: number;
  readonly free: number;
  readonly waiting: number;
}
