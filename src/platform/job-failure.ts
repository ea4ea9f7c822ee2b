// The expected failures of a job, with the messages that callers read. All other errors go only to the log.
// A worker thread returns its failure as a message, because errors lose their class between threads.
import { isAway, isBusy, isFull } from './database/away.ts';
import { isStorageAway } from './storage/store.ts';
import { isDiskFull } from './storage/whole-file.ts';

const TEXTS = {
  disk_full: () => 'No space left on the disk for the archive',
  storage_full: () => 'No space left on the disk for the stored files',
  document_missing: (p: { sha256: string }) => `The stored file of a document is missing: [${p.sha256}]`,
  document_damaged: (p: { sha256: string }) => `The stored file of a document is damaged: [${p.sha256}]`,
  contact_unknown: (p: { contact: number }) => `Contact: [${p.contact}] not found`,
  order_unknown: (p: { order: number }) => `Order: [${p.order}] not found`,
  invoice_incomplete: (p: { order: number; field: string }) =>
    `Order: [${p.order}] has no e-invoice, because this is missing: [${p.field}]`,
  reminder_unfit: (p: { order: number }) =>
    `Order: [${p.order}] was paid or changed while its reminder was made`,
  entry_unbalanced: (p: { invoice: string }) =>
    `The entry of invoice: [${p.invoice}] does not balance: its lines don't add up to its totals`,
  journal_incomplete: (p: { message: string; resource: string; id: number }) =>
    `${p.message}: ${p.resource} [${p.id}]`,
  records_gone: () => 'An order, contact or vehicle of a document was deleted meanwhile',
  appointments_overlap: (p: { resource: string; id: number }) =>
    `Appointment: [${p.id}] books an occupied ${p.resource}`,
  job_lost: () => 'The job was cancelled or taken over',
  /** `line`: the physical line of an import's file, from 1. */
  file_refused: (p: { line: number; reason: string }) => `Line ${p.line}: ${p.reason}`,
  too_many_refused: () => 'Too many refused rows',
  file_missing: () => 'The file of the import is missing',
  owner_unknown: (p: { owner: number }) => `Owner: [${p.owner}] not found`,
  owner_not_empty: (p: { owner: number; resource: string }) =>
    `Owner: [${p.owner}] is not empty, it has records of: [${p.resource}]`,
  database_full: () => 'No space left on the disk of the database',
  database_lost: () => 'The connection to the database was lost',
  database_busy: () => 'The database was too busy',
  storage_lost: () => 'The connection to the object store was lost',
  tables_changed: () => 'The tables of the database were changed while they were read',
} as const;

type FailureCode = keyof typeof TEXTS;
type FailureParams<C extends FailureCode> = Parameters<(typeof TEXTS)[C]>;

/** An expected failure. Its message names no path, statement or address. */
export class JobFailure extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode, message: string) {
    super(message);
    this.name = 'JobFailure';
    this.code = code;
  }
}

export function failure<C extends FailureCode>(code: C, ...params: FailureParams<C>): JobFailure {
  return new JobFailure(code, (TEXTS[code] as (...given: FailureParams<C>) => string)(...params));
}

/** Temporary failures: another attempt may succeed. */
const PASSING: ReadonlySet<FailureCode> = new Set([
  'database_lost',
  'database_busy',
  'storage_lost',
  'tables_changed',
]);

/** There was no space. Only a job that reports its work waits until there is some. */
const FULL: ReadonlySet<FailureCode> = new Set(['disk_full', 'storage_full', 'database_full']);

/** A failure as a worker returns it. */
interface Failed {
  readonly ok: false;
  readonly message: string;
  /** Another attempt may succeed. */
  readonly passing?: true;
}

/**
 * Turns an error into an expected failure. Throws every other error again. `reports`: the job has done its work, and
 * nobody can tell without its archive.
 */
export function failed(error: unknown, { reports = false } = {}): Failed {
  const expected = expectedFailure(error);
  if (!expected) throw error;
  const { code, message } = expected;
  const isPassing = PASSING.has(code) || (reports && FULL.has(code));
  return { ok: false, message, ...(isPassing && { passing: true }) };
}

/** The expected failure of work for which there was no space. Throws every other error again. */
export function withoutSpace(error: unknown): JobFailure {
  const expected = expectedFailure(error);
  if (!expected || !FULL.has(expected.code)) throw error;
  return expected;
}

/** For `catch` of work that stores files: a full disk has no space for them. */
export function throwStorageFull(error: unknown): never {
  throw expectedFailure(error)?.code === 'disk_full' ? failure('storage_full') : error;
}

/** Turns an error into an expected failure. Undefined for every other error. */
export function expectedFailure(error: unknown): JobFailure | undefined {
  if (error instanceof JobFailure) return error;
  const { code } = (error ?? {}) as { code?: unknown };
  if (isDiskFull(error) || code === 'EFBIG') return failure('disk_full');
  if (isFull(error)) return failure('database_full');
  if (code === 'ER_TABLE_DEF_CHANGED') return failure('tables_changed');
  if (isStorageAway(error)) return failure('storage_lost');
  if (isBusy(error)) return failure('database_busy');
  return isAway(error) ? failure('database_lost') : undefined;
}
