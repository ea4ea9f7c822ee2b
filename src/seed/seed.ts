// Fills a garage with records as years of work would leave them. They are made and written in slices, each
// in one transaction and from its own stream of chance: memory stays flat, and a slice that has to be tried
// again comes out the same.
import { problem } from '../errors.ts';
import { findRecord } from '../model/find.ts';
import type { Database, Session } from '../model/session.ts';
import { Owner } from '../resources/owner.ts';
import { makeCatalogue } from './catalogue.ts';
import { storeFiles } from './documents.ts';
import { type Made, openWriter, type Writer } from './insert.ts';
import { Random } from './random.ts';
import { type Ground, type Memory, makeSlice, NOTHING_KNOWN } from './slice.ts';

const ORDERS_A_SLICE = 1000;

export interface SeedOptions {
  readonly owner: number;
  readonly orders: number;
  /** The same seed gives the same records on an owner that has none, but for IDs and times of writing. */
  readonly random?: number | string;
  /** Gets the orders made so far, first 0. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Adds so many orders, and other records in proportion, to an owner that exists; it may have records already.
 * Answers the rows made, by resource. Throws Problem (404) where the owner does not exist.
 */
export async function seed(database: Database, options: SeedOptions): Promise<Made> {
  const { owner, orders, onProgress = () => {} } = options;
  const random = new Random(options.random ?? 1);
  const seller = await findRecord(database, Owner.resource, owner, owner);
  if (!seller) throw problem('record_unknown', { field: 'id', value: owner });
  const stored = await storeFiles(database.files);
  const made: Made = {};
  const written = <T>(work: (writer: Writer) => Promise<T>) => write(database, owner, made, work);

  onProgress(0, orders);
  const catalogue = await written((writer) => makeCatalogue(writer, random.fork('catalogue'), orders));
  const ground: Ground = { seller, catalogue, stored, orders };
  const slices = Math.ceil(orders / ORDERS_A_SLICE);
  let memory: Memory = NOTHING_KNOWN;
  for (let slice = 0; slice < slices; slice += 1) {
    const before = memory;
    const range = { from: startOf(slice, orders, slices), to: startOf(slice + 1, orders, slices) };
    memory = await written((writer) =>
      makeSlice(writer, random.fork(`slice ${slice}`), ground, range, before),
    );
    onProgress(range.to, orders);
  }
  return made;
}

/** Slices of even size: a small last one would have no car to sell. */
const startOf = (slice: number, orders: number, slices: number) => Math.floor((slice * orders) / slices);

/** Counts what was made only once it is committed. */
async function write<T>(
  database: Database,
  owner: number,
  made: Made,
  work: (writer: Writer) => Promise<T>,
): Promise<T> {
  const [result, counts] = await database.transaction(async (session: Session) => {
    const writer = await openWriter(session, owner);
    return [await work(writer), writer.made] as const;
  });
  for (const [resource, count] of Object.entries(counts)) made[resource] = (made[resource] ?? 0) + count;
  return result;
}
