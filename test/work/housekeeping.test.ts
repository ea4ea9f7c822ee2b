// Tidying goes on behind a part that fails, and tells the failure at its end.
import { mkdir, rm } from 'node:fs/promises';
import { checkClock } from '../../src/platform/database/clock.ts';
import { tidy } from '../../src/work/housekeeping.ts';
import { type Client, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute, select } from '../support/database/sql.ts';
import { makeArchive } from '../support/service/job.ts';
import { database, inStorage, theService } from '../support/service/service.ts';

describe('a tidying with a part that fails', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('does the work of all other parts, and then tells the failure', async () => {
    const { name } = await makeArchive(client, Buffer.from('old'));
    const stuck = inStorage('archives', name);
    // Not even root can remove a folder as a file.
    await rm(stuck);
    await mkdir(stuck);
    const old = 'UTC_TIMESTAMP(3) - INTERVAL 60 DAY';
    await execute(database(), `UPDATE jobs SET finished_at = ${old} WHERE file_name = ?`, [name]);
    const { owner } = client.garage;
    await execute(
      database(),
      'INSERT INTO webhookdeliveries (owner_id, subscription_id, type, message_id, body, status, created_at) ' +
        `VALUES (?, 1, 'old', '', '', 'delivered', ${old})`,
      [owner],
    );

    const { storage, config } = theService().base;
    const clock = await checkClock(database());
    const failure = await tidy(database(), storage, config, clock).catch((error) => error);
    await rm(stuck, { recursive: true });

    const left = await select(database(), 'SELECT id FROM webhookdeliveries WHERE owner_id = ?', [owner]);
    expect(failure).to.have.property('code', 'ERR_FS_EISDIR');
    expect(left).to.deep.equal([]);
  });
});
