// Fills a garage with records as years of work would leave them. Each slice of orders is one transaction with random
// numbers of its own: memory stays flat, and a slice that is tried again after a deadlock comes out the same.
import { problem } from '../../core/errors.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { columnsWithoutBytes } from '../../core/model/records/record.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import type { Database } from '../../core/model/statements/session.ts';
import { Owner } from '../../core/resources/owner.ts';
import { keepFiles } from '../../platform/storage/unused-file.ts';
import { type Counts, Drafts, type Part } from './drafts.ts';
import { Random } from './random.ts';
import { setUp } from './setup.ts';
import { addSlice } from './slice.ts';
import type { Pair } from './vehicles.ts';

const MOST_ORDERS_A_SLICE = 1000;

interface SeedOptions {
  readonly owner: number;
  readonly orders: number;
  /** The same seed gives the same records on an owner without records, but for IDs and times of writing. */
  readonly random?: number | string;
  /** Gets the number of orders made so far, first 0. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 * Adds that many orders, and other records in proportion, to an owner, who may have records already. Answers the
 * number of rows made, by resource. Throws Problem (404) if the owner does not exist.
 */
export async function seed(database: Database, options: SeedOptions): Promise<Counts> {
  const { owner, orders, random = 1, onProgress = () => {} } = options;
  const columns = columnsWithoutBytes(Owner.resource);
  const seller = await findRecord(garageOf(database, owner), Owner.resource, owner, columns);
  if (!seller) throw problem('record_unknown', { field: 'id', value: owner });
  const counts: Counts = {};
  const inTransaction = async <T>(name: string, work: (part: Part) => Promise<T>) => {
    const { result, made } = await database.transaction(async (session) => {
      await keepFiles(session);
      const drafts = new Drafts(garageOf(session, owner));
      const result = await work({ drafts, random: new Random(`${random} ${name}`), files: session.files });
      return { result, made: drafts.counts };
    });
    for (const [resource, count] of Object.entries(made)) counts[resource] = (counts[resource] ?? 0) + count;
    return result;
  };

  onProgress(0, orders);
  const setup = await inTransaction('setup', setUp);
  // Slices of even size, because a small last one would have too few cars.
  const slices = Math.ceil(orders / MOST_ORDERS_A_SLICE);
  let regulars: readonly Pair[] = [];
  for (let slice = 0; slice < slices; slice += 1) {
    const from = Math.floor((slice * orders) / slices);
    const to = Math.floor(((slice + 1) * orders) / slices);
    regulars = await inTransaction(`slice ${slice}`, (part) =>
      addSlice(part, { seller, setup, orders }, { from, to, regulars }),
    );
    onProgress(to, orders);
  }
  return counts;
}
