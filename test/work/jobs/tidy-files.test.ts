// Tidying removes all stored files without a document in one run, and on a cluster none that a running job may read.
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { keepFiles } from '../../../src/platform/storage/unused-file.ts';
import { claimJob } from '../../../src/work/jobs/claim.ts';
import { tidyFiles } from '../../../src/work/jobs/tidier.ts';
import { expect } from '../../support/client/expect.ts';
import { waitingFor } from '../../support/database/at-once.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute } from '../../support/database/sql.ts';
import { inStorage } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const LONG_MS = 60_000;
const MORE_THAN_TWO_PORTIONS = 250;

describe('tidying stored files', () => {
  let scratch: Scratch;
  let database: Database;
  beforeEach(async () => {
    scratch = await openScratch();
    database = scratch.database;
  });
  afterEach(() => scratch.close());

  /** Stores a file without a document, as if its document had been deleted so long ago. Answers its path. */
  async function deletedFile(ago = '1 HOUR'): Promise<string> {
    const bytes = Buffer.from(randomUUID());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    await database.files.put(bytes);
    const note = `INSERT INTO unused_files (sha256, noted_at) VALUES (?, UTC_TIMESTAMP(3) - INTERVAL ${ago})`;
    await execute(database, note, [sha256]);
    return inStorage('documents', sha256);
  }

  it('goes on until none is left, but after the request of a user for a hundred only', async () => {
    for (let count = 0; count < MORE_THAN_TWO_PORTIONS; count += 1) await deletedFile();

    const removed = [await tidyFiles(database), await tidyFiles(database, LONG_MS)];

    expect(removed).to.deep.equal([100, MORE_THAN_TWO_PORTIONS - 100]);
  });

  it('lets those who wait for the files go first after each hundred', async () => {
    for (let count = 0; count < MORE_THAN_TWO_PORTIONS; count += 1) await deletedFile();
    let removed = 0;
    let kept: Promise<number> | undefined;
    const remove = async (sha256: string) => {
      kept ??= database.transaction(async (session) => {
        // MySQL shows only those waiting who have written.
        await execute(session, "UPDATE owners SET name = 'Waiting'");
        await keepFiles(session);
        return removed;
      });
      if (removed === 0) await until(async () => (await waitingFor('file_locks')) > 0);
      await database.files.remove(sha256);
      removed += 1;
    };

    await tidyFiles({ ...database, files: { ...database.files, remove } }, LONG_MS);

    expect([await kept, removed]).to.deep.equal([100, MORE_THAN_TWO_PORTIONS]);
  });

  it('keeps on a cluster what a running job may read, and nothing longer', async () => {
    const cluster = { ...database, isCluster: async () => true };
    const id = await scratch.request(scratch.owners[0]);
    await claimJob(database);
    const path = await deletedFile();
    const young = await deletedFile('9 MINUTE');
    const startedAt = (minutes: number) =>
      execute(database, 'UPDATE jobs SET started_at = UTC_TIMESTAMP(3) + INTERVAL ? MINUTE WHERE id = ?', [
        minutes,
        id,
      ]);

    const there: boolean[] = [];
    for (const minutes of [-90, -51, 60, -49]) {
      await startedAt(minutes);
      await tidyFiles(cluster);
      there.push(existsSync(path));
    }

    expect(there).to.deep.equal([true, true, true, false]);
    expect(existsSync(young)).to.equal(true);
  });
});
