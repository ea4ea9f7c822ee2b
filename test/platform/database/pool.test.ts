// A pool whose connections are all in use.
import { isAway } from '../../../src/platform/database/away.ts';
import { ConnectionPool } from '../../../src/platform/database/pool.ts';
import { ServerChoice } from '../../../src/platform/database/server-choice.ts';
import { expect } from '../../support/client/expect.ts';
import { theService } from '../../support/service/service.ts';

describe('a pool of connections', () => {
  it('counts as a database that is away, where no connection becomes free', async () => {
    const servers = new ServerChoice(theService().base.connection);
    const pool = new ConnectionPool(servers, 1, []);
    const knex = pool.openKnex();
    const held = await pool.acquire();

    const errors = await Promise.all([
      pool.acquire().catch((error: unknown) => error),
      knex.raw('SELECT 1').catch((error: unknown) => error),
    ]);
    const { figures } = pool;
    pool.release(held);
    const thread = await pool.run(async (connection) => connection.threadId);
    await pool.close();
    servers.close();

    expect(errors.map(isAway)).to.deep.equal([true, true]);
    expect(figures).to.deep.equal({ used: 1, free: 0, waiting: 0 });
    expect(thread, 'the same connection again').to.equal(held.threadId);
  });
});

describe('the check of the database', () => {
  it('takes one connection, however many ask', async () => {
    const { database } = theService().base;

    const checks = Array.from({ length: 100 }, () => database.check());
    const { used, waiting } = database.connections();
    await Promise.all(checks);

    expect(used + waiting).to.be.within(1, 20);
  });
});
