// What was dated by a clock that ran ahead for a moment is kept from now on, and no longer than other things.
import { existsSync } from 'node:fs';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { makeArchive } from '../../support/service/job.ts';
import { database, inStorage } from '../../support/service/service.ts';
import { tidyAll } from '../../support/service/tidy.ts';

describe('tidying after a clock that ran ahead', () => {
  let client: Client;
  before(async () => {
    client = await newClient();
  });

  it('dates archives now, but not those of a clock that is a little ahead', async () => {
    const archive = async (ahead: string) => {
      const { name } = await makeArchive(client, Buffer.from(ahead));
      const sql = `UPDATE jobs SET finished_at = UTC_TIMESTAMP(3) + INTERVAL ${ahead} WHERE file_name = ?`;
      await execute(database(), sql, [name]);
      return name;
    };
    const names = [await archive('1 YEAR'), await archive('50 SECOND')];

    await tidyAll();

    const isAhead = async (name: string) => {
      const sql = 'SELECT finished_at > UTC_TIMESTAMP(3) AS ahead FROM jobs WHERE file_name = ?';
      const [job] = await select(database(), sql, [name]);
      return Number(job?.ahead);
    };
    expect([await isAhead(names[0] ?? ''), await isAhead(names[1] ?? '')]).to.deep.equal([0, 1]);
    expect(names.map((name) => existsSync(inStorage('archives', name)))).to.deep.equal([true, true]);
  });

  it('dates deliveries of events now', async () => {
    const { owner } = client.garage;
    await execute(
      database(),
      'INSERT INTO webhookdeliveries (owner_id, subscription_id, type, message_id, body, status, created_at) ' +
        "VALUES (?, 1, 'ahead', '', '', 'delivered', UTC_TIMESTAMP(3) + INTERVAL 1 YEAR)",
      [owner],
    );

    await tidyAll();

    const sql =
      'SELECT created_at > UTC_TIMESTAMP(3) AS ahead, created_at > UTC_TIMESTAMP(3) - INTERVAL 1 DAY AS young ' +
      'FROM webhookdeliveries WHERE owner_id = ?';
    const [delivery] = await select(database(), sql, [owner]);
    expect([Number(delivery?.ahead), Number(delivery?.young)]).to.deep.equal([0, 1]);
  });
});
