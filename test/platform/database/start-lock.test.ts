// The lock that lets one process at a time prepare a database.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { openScratchTables, type ScratchTables } from '../../../src/platform/database/scratch-tables.ts';
import { withStartLock } from '../../../src/platform/database/start-lock.ts';
import { until } from '../../support/service/until.ts';

describe('the start lock', () => {
  let scratch: ScratchTables;
  before(async function () {
    this.timeout(180_000);
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
    // Longer than its holder must be silent.
    const lease = knex.raw('UTC_TIMESTAMP(3) + INTERVAL 9 SECOND');
    await knex('start_lock').update({ holder: 'dead', lease_until: lease });
    const [left] = await knex('start_lock').select('lease_until');

    const [at] = await withStartLock(knex, () => knex.select({ now: knex.raw('UTC_TIMESTAMP(3)') }));

    expect(at.now >= left.lease_until).to.equal(true);
  });

  it('goes to another where the lease of its dead holder ends in an hour: the clock went back', async () => {
    const { knex } = scratch;
    const lines: string[] = [];
    const lease = knex.raw('UTC_TIMESTAMP(3) + INTERVAL 1 HOUR');
    await knex('start_lock').update({ holder: randomUUID(), lease_until: lease });

    const done = await withStartLock(
      knex,
      async () => 'done',
      (line) => lines.push(line),
    );

    expect(done).to.equal('done');
    expect(lines).to.deep.equal(['the start waits for another process, which prepares the database']);
  });

  it('stays with a holder that renews its lease, whatever the clock does', async () => {
    const { knex } = scratch;
    const ended = knex.raw('UTC_TIMESTAMP(3) - INTERVAL 1 HOUR');
    await knex('start_lock').update({ holder: 'alive', lease_until: ended });
    let entered = false;

    const waiting = withStartLock(knex, async () => {
      entered = true;
    });
    const began = performance.now();
    await until(async () => {
      await knex('start_lock').update({ lease_until: knex.raw('lease_until + INTERVAL 1 SECOND') });
      return entered || performance.now() - began > 10_000;
    });
    const early = entered;
    await waiting;

    expect([early, entered]).to.deep.equal([false, true]);
  }).timeout(60_000);
});
