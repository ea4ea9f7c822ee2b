// A server of MySQL that belongs to a group (Group Replication): outside its group it takes writes that the group never
// gets. `make cluster ARGS=group` plays failovers with three of them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig } from '../../../src/platform/config.ts';
import { isAway } from '../../../src/platform/database/away.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { reportOf } from '../../../src/platform/database/server-state.ts';
import type { ConnectionSettings } from '../../../src/platform/database/settings.ts';
import { type DatabaseServer, openDatabaseServer } from '../../support/database/database-server.ts';
import { NO_FILES } from '../../support/database/no-files.ts';
import { addUser, asRoot } from '../../support/database/read-only.ts';
import { select } from '../../support/database/sql.ts';
import { freePort } from '../../support/process/port.ts';

const TABLE = 'performance_schema.replication_group_members';

// MariaDB has no Group Replication: these tests run with DATABASE=mysql.
if (readConfig().databaseServer === 'mysql')
  describe('a member of a MySQL group', function () {
    this.timeout(60_000);
    let folder: string;
    let server: DatabaseServer;
    let user: ConnectionSettings;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'forecourt-group-'));
      server = await openDatabaseServer(join(folder, 'a'), [
        '--performance-schema=ON',
        '--server-id=1',
        '--log-bin=binary',
        '--gtid-mode=ON',
        '--enforce-gtid-consistency=ON',
        '--plugin-load-add=group_replication.so',
        '--loose-group-replication-group-name=5a2c8a9e-7d55-4b0e-9d3e-6f4f6f1f0a11',
        '--loose-group-replication-start-on-boot=OFF',
        '--loose-group-replication-consistency=EVENTUAL',
        `--loose-group-replication-local-address=127.0.0.1:${await freePort()}`,
      ]);
      user = await addUser(server);
    });
    after(async () => {
      await server?.close();
      if (folder) await rm(folder, { recursive: true });
    });

    const report = () => reportOf(user, { host: '127.0.0.1', port: server.port });

    it('shows its state to a user with a right of its own', async () => {
      expect(await report()).to.include({ state: 'synced', text: 'group member, takes writes' });
      expect((await report()).blind).to.match(new RegExp(`GRANT SELECT ON ${TABLE}`));

      await asRoot(server, `GRANT SELECT ON ${TABLE} TO forecourt@'127.0.0.1'`);

      expect((await report()).blind).to.equal(undefined);
    });

    it('is away while it is not in the group', async () => {
      const database = connectDatabase(user, NO_FILES);
      try {
        const outside = await database.check().catch((error: Error) => error);
        const { state, text } = await report();

        expect(outside).to.satisfy(isAway);
        expect({ state, text }).to.deep.equal({ state: 'away', text: 'OFFLINE, takes writes' });
      } finally {
        await database.close();
      }
    });

    it('is used in the group, where a new primary answers with all that the old one acknowledged', async () => {
      await asRoot(server, 'SET GLOBAL group_replication_bootstrap_group = ON');
      await asRoot(server, 'START GROUP_REPLICATION');

      const database = connectDatabase(user, NO_FILES);
      try {
        await database.check();
        const [session] = await select(database, 'SELECT @@group_replication_consistency AS waits');

        expect(await report()).to.include({ state: 'synced', text: 'ONLINE PRIMARY, of 1, takes writes' });
        expect(session).to.deep.equal({ waits: 'BEFORE_ON_PRIMARY_FAILOVER' });
        expect(await database.isCluster()).to.equal(true);
      } finally {
        await database.close();
      }
    });
  });
