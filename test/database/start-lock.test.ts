// The lock that lets one process at a time prepare a database.
import { expect } from 'chai';
import { openScratchTables, type ScratchTables } from '../../src/database/scratch-tables.ts';
import { withStartLock } from '../../src/database/start-lock.ts';

describe('the start lock', () => {
  let scratch: ScratchTables;
  before(async function () {
    this.timeout(60_000);
    scratch = await openScratchTables();
  });
  after(() => scratch.close());

  it('lets one in at a time, also where the table is missing', async () => {
    const { knex } = scratch;
    await knex.schema.dropTableIfExists('start_lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await knex.select(1);
      inside -= 1;
    };

    await Promise.all(Array.from({ length: 4 }, () => withStartLock(knex, work)));

    expect(most).to.equal(1);
  });

  it('is given back by work that fails', async () => {
    const failed = withStartLock(scratch.knex, () => Promise.reject(new Error('no')));

    expect(await failed.catch((error: Error) => error.message)).to.equal('no');
    expect(await withStartLock(scratch.knex, async () => 'done')).to.equal('done');
  });

  it('goes to another when the lease of its dead holder has ended', async () => {
    const { knex } = scratch;
    const lease = knex.raw('UTC_TIMESTAMP(3) + INTERVAL 1 SECOND');
    await knex('start_lock').update({ holder: 'dead', lease_until: lease });
    const [left] = await knex('start_lock').select('lease_until');

    const [at] = await withStartLock(knex, () => knex.select({ now: knex.raw('UTC_TIMESTAMP(3)') }));

    expect(at.now >= left.lease_until).to.equal(true);
  });
});
