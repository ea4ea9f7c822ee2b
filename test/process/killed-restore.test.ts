// A restore that is cut off leaves nothing. The test holds the restore at a username that another transaction has
// inserted and not yet committed.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { seed } from '../../src/business/seed/seed.ts';
import { allResources } from '../../src/core/model/records/registry.ts';
import { databaseNow } from '../../src/core/trade/time/timestamp.ts';
import { FEED_COUNTERS } from '../../src/platform/changes/place.ts';
import { type Json, newClient } from '../support/client/client.ts';
import { expect } from '../support/client/expect.ts';
import { execute, select } from '../support/database/sql.ts';
import { writeBackup } from '../support/files/backup.ts';
import { forecourtJson } from '../support/process/forecourt.ts';
import { processEnvironment } from '../support/process/process.ts';
import { database, theService } from '../support/service/service.ts';
import { until } from '../support/service/until.ts';

const PROGRAM = fileURLToPath(new URL('../../src/cli/main.js', import.meta.url));

describe('a restore that is cut off', function () {
  this.timeout(60_000);
  let folder: string;
  let file: string;
  let username: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    const { base } = theService();
    folder = await mkdtemp(join(tmpdir(), 'forecourt-killed-'));
    file = join(folder, 'backup.zip');
    environment = processEnvironment(base.storage.directory);
    const { garage } = await newClient();
    username = garage.username;
    await seed(database(), { owner: garage.owner, orders: 10 });
    await writeBackup(garage.owner, file);
    await execute(database(), 'UPDATE employees SET username = NULL WHERE username = ?', [username]);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  for (const [signal, code] of [
    ['SIGKILL', null],
    ['SIGINT', 130],
  ] as const) {
    it(`by ${signal} writes nothing, and can be repeated`, async () => {
      const before = await counts();

      const ended = await whileHeld(async (child, letGo) => {
        child.kill(signal);
        if (signal === 'SIGINT') await letGo();
      });

      expect(ended).to.equal(code);
      expect(await counts()).to.deep.equal(before);
      const { owner_id } = await forecourtJson(environment, 'restore', file);
      expect(owner_id).to.be.a('number');
      await execute(database(), 'UPDATE employees SET username = NULL WHERE username = ?', [username]);
    });
  }

  /** Does something to a restore that has written a part; answers its exit code. */
  async function whileHeld(act: (child: ChildProcess, letGo: () => Promise<void>) => Promise<void>) {
    const holding = await database().knex.transaction();
    const now = databaseNow();
    const [owner] = await holding('owners').select('id').limit(1);
    const person = { first_name: 'A', last_name: 'B', role_kind: 1, created_at: now, modified_at: now };
    await holding('employees').insert({ owner_id: owner.id, username, ...person });
    const child = spawn(process.execPath, [PROGRAM, 'restore', file], { env: environment, stdio: 'ignore' });
    const ended = once(child, 'exit');
    try {
      await until(async () => {
        const running = database().knex('information_schema.processlist');
        return (await running.where('info', 'like', 'insert into `employees`%')).length > 0;
      });
      await act(child, async () => void (await holding.rollback()));
      const [code] = await ended;
      return code as number | null;
    } finally {
      await holding.rollback();
    }
  }

  async function counts(): Promise<Json> {
    const found: Json = {};
    for (const table of ['counters', ...allResources().map(({ table }) => table)]) {
      // Every ten minutes the service places the changes of all owners, which makes such counters.
      const names = table === 'counters' ? FEED_COUNTERS : [];
      const where = names.map((_, at) => `${at === 0 ? 'WHERE' : 'AND'} name <> ?`).join(' ');
      const [row] = await select(database(), `SELECT COUNT(*) AS n FROM ${table} ${where}`, [...names]);
      found[table] = Number(row?.n);
    }
    return found;
  }
});
