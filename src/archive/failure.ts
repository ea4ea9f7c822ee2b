// The ways in which making an archive may fail that whoever asked for it should read. All else is unforeseen
// and nobody's business but the log's. Between threads they travel as `message`.

const TEXTS = {
  disk_full: () => 'No space left on the disk for the archive',
  document_missing: (p: { sha256: string }) => `The stored file of a document is missing: [${p.sha256}]`,
  document_damaged: (p: { sha256: string }) => `The stored file of a document is damaged: [${p.sha256}]`,
  order_unknown: (p: { order: number }) => `Order: [${p.order}] not found`,
  records_gone: () => 'An order, contact or vehicle of a document was deleted meanwhile',
  job_lost: () => 'The job was cancelled or taken over',
  owner_unknown: (p: { owner: number }) => `Owner: [${p.owner}] not found`,
  database_lost: () => 'The connection to the database was lost',
  tables_changed: () => 'The tables of the database were changed during the backup',
} as const;

export type FailureCode = keyof typeof TEXTS;
type FailureParams<C extends FailureCode> = Parameters<(typeof TEXTS)[C]>;

/** An expected failure. Its message names no path, statement or address. */
export class ArchiveFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'ArchiveFailure';
    this.code = code;
  }
}

export function failure<C extends FailureCode>(code: C, ...params: FailureParams<C>): ArchiveFailure {
  return new ArchiveFailure(code, (TEXTS[code] as (...given: FailureParams<C>) => string)(...params));
}

type SystemFailure = 'disk_full' | 'database_lost' | 'tables_changed';

const SYSTEM_CODES: Readonly<Record<string, SystemFailure>> = {
  ENOSPC: 'disk_full',
  EDQUOT: 'disk_full',
  EFBIG: 'disk_full',
  PROTOCOL_CONNECTION_LOST: 'database_lost',
  ECONNREFUSED: 'database_lost',
  ECONNRESET: 'database_lost',
  EPIPE: 'database_lost',
  ER_SERVER_SHUTDOWN: 'database_lost',
  ER_TABLE_DEF_CHANGED: 'tables_changed',
};

/** The expected failure that an error stands for; undefined where it is an unforeseen one. */
export function expectedFailure(error: unknown): ArchiveFailure | undefined {
  if (error instanceof ArchiveFailure) return error;
  const { code, fatal } = (error ?? {}) as { code?: unknown; fatal?: unknown };
  // A connection that is already gone refuses commands without a code.
  const found = code === undefined && fatal === true ? 'database_lost' : SYSTEM_CODES[String(code)];
  return found && failure(found);
}
