// The operations of a store, on the local disk (folder.ts) or in a bucket (bucket.ts). A name appears only when its
// content is complete, so a reader never sees half of it.
import type { Readable } from 'node:stream';

/** The first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface Found {
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: Date;
}

/** The remains of an interrupted write: a part file, or the parts of an upload. */
export interface LeftOver {
  /** The name that the content would have got. */
  readonly name: string;
  /** Whether the writer may still be at work, as far as the store can tell. */
  readonly isFresh: boolean;
  /** Whether the writer is known to have ended, whatever the clock says. */
  readonly isAbandoned: boolean;
  remove(): Promise<void>;
}

/** Content by name, without slashes. Every call may throw a StorageAway; a folder throws the errors of the disk. */
export interface Store {
  /** For people: a path or an s3:// address. */
  readonly address: string;
  /**
   * Writes the whole content or nothing, and replaces earlier content of this name. If the content throws, nothing
   * stays.
   */
  write(name: string, content: Buffer | AsyncIterable<Buffer>): Promise<void>;
  /** Writes a short text unless the name is taken. Answers whether this call wrote it. */
  writeOnce(name: string, text: string): Promise<boolean>;
  /** Undefined if nothing has the name. */
  find(name: string): Promise<Found | undefined>;
  /** A stream of the bytes; destroying it ends the reading. Undefined if nothing has the name. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Does nothing if nothing has the name. */
  remove(name: string): Promise<void>;
  /** Removes the content, and the remains of interrupted writes of this name. Its writer must have ended. */
  discard(name: string): Promise<void>;
  /** Complete content only, in any order. */
  list(): AsyncIterable<{ readonly name: string; readonly size: number }>;
  leftOvers(): AsyncIterable<LeftOver>;
  /** Whether large files may be written: the service and its database need the rest of a disk. */
  hasSpace(): Promise<boolean>;
}

const STORAGE_AWAY = 'STORAGE_AWAY';

/** The object store can't be reached or refuses to work now. A later try may succeed. The cause says more. */
export class StorageAway extends Error {
  readonly code = STORAGE_AWAY;

  constructor(cause: unknown) {
    super('The connection to the object store was lost', { cause });
    this.name = 'StorageAway';
  }
}

/** By its code, since an error loses its class between threads. */
export const isStorageAway = (error: unknown): error is StorageAway =>
  (error as { code?: unknown } | undefined)?.code === STORAGE_AWAY;

/** A short text. Undefined if nothing has the name. */
export async function readText(store: Store, name: string): Promise<string | undefined> {
  const content = await store.read(name);
  if (!content) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of content as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString().trim();
}
