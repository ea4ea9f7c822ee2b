// One member of a MySQL group (Group Replication) with a single primary. A member that was killed joins again by itself
// when it starts, and fetches what it missed from another one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClusterNode, isRoot, makePlace, type Place, run } from './node.ts';

const GROUP = '8d0f3c1e-52a7-4f6b-9c55-0b7f3d1d2a90';
const RECOVERY_USER = 'recovery';
const RECOVERY_PASSWORD = 'secret-of-the-group';

const asUser = isRoot ? ['-uroot'] : [];

interface MemberStatus {
  /** `ONLINE`, `RECOVERING`, `OFFLINE`, `ERROR`, `UNREACHABLE`. */
  readonly state: string;
  /** `PRIMARY`, `SECONDARY` or empty. */
  readonly role: string;
}

export class GroupNode extends ClusterNode {
  private readonly number: number;
  private readonly server: string;

  private constructor(place: Place, options: { number: number; server: string }) {
    super(place);
    this.number = options.number;
    this.server = options.server;
  }

  /** `programs`: the folder of mysqld; `number`: of the server, from 1 on. */
  static async make(
    name: string,
    folder: string,
    { programs, number }: { programs: string; number: number },
  ): Promise<GroupNode> {
    return new GroupNode(await makePlace(name, folder), { number, server: join(programs, 'mysqld') });
  }

  async configure(members: readonly string[]): Promise<void> {
    await this.writeSettings({
      mysqlx: 'OFF',
      'secure-file-priv': 'NULL',
      'innodb-redo-log-capacity': '24M',
      'server-id': this.number,
      'log-bin': 'binary',
      'sync-binlog': 0,
      'gtid-mode': 'ON',
      'enforce-gtid-consistency': 'ON',
      'report-host': '127.0.0.1',
      'plugin-load-add': 'group_replication.so',
      // The plugin is not there yet when the data are made.
      'loose-group-replication-group-name': GROUP,
      'loose-group-replication-local-address': `127.0.0.1:${this.clusterPort}`,
      'loose-group-replication-group-seeds': members.join(),
      'loose-group-replication-start-on-boot': 'ON',
      'loose-group-replication-recovery-get-public-key': 'ON',
      'loose-group-replication-recovery-reconnect-interval': 5,
      'loose-group-replication-member-expel-timeout': 0,
      'loose-group-replication-unreachable-majority-timeout': 30,
      'loose-group-replication-autorejoin-tries': 3,
      'loose-group-replication-consistency': 'BEFORE_ON_PRIMARY_FAILOVER',
      'loose-group-replication-message-cache-size': '128M',
    });
  }

  async start({ bootstrap = false } = {}): Promise<void> {
    const isNew = !existsSync(join(this.data, 'mysql.ibd'));
    if (!isNew) return this.launch(this.server, asUser);
    await run(this.server, [
      '--no-defaults',
      ...asUser,
      '--initialize-insecure',
      '--secure-file-priv=NULL',
      `--datadir=${this.data}`,
    ]);
    this.launch(this.server, [...asUser, '--loose-group-replication-start-on-boot=OFF']);
    await this.enterGroup(bootstrap);
  }

  async catchUp(): Promise<void> {
    const wait = "SET SESSION group_replication_consistency = 'BEFORE'";
    await this.query('SELECT COUNT(*) AS users FROM mysql.user', [], [wait]);
  }

  /** Undefined: the server does not answer. */
  async status(): Promise<MemberStatus | undefined> {
    const sql =
      'SELECT member_state AS state, member_role AS role FROM performance_schema.replication_group_members WHERE member_id = @@server_uuid';
    const rows = await this.query(sql).catch(() => undefined);
    return rows && { state: rows[0]?.state ?? 'OFFLINE', role: rows[0]?.role ?? '' };
  }

  async hasMajority(): Promise<boolean> {
    const sql =
      "SELECT SUM(member_state IN ('ONLINE', 'RECOVERING')) * 2 > COUNT(*) AS is_most FROM performance_schema.replication_group_members";
    const rows = await this.query(sql).catch(() => []);
    return Number(rows[0]?.is_most) === 1;
  }

  /** Hands the writes over to this member, in good order. */
  async becomePrimary(): Promise<void> {
    await this.query('SELECT group_replication_set_as_primary(@@server_uuid)');
  }

  protected async isSynced(): Promise<boolean> {
    const status = await this.status();
    // The others refuse a member until they notice that it had ended.
    if (status?.state === 'OFFLINE') await this.query('START GROUP_REPLICATION').catch(() => {});
    return status?.state === 'ONLINE';
  }

  /** The first time. Users of the recovery are not written to the binary log: each member has its own. */
  private async enterGroup(bootstrap: boolean): Promise<void> {
    await this.waitFor(async () => (await this.status()) !== undefined);
    const unlogged = ['SET sql_log_bin = 0'];
    const user = `${RECOVERY_USER}@'127.0.0.1'`;
    await this.query(`CREATE USER ${user} IDENTIFIED BY '${RECOVERY_PASSWORD}'`, [], unlogged);
    await this.query(
      `GRANT REPLICATION SLAVE, CONNECTION_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO ${user}`,
      [],
      unlogged,
    );
    await this.query(
      `CHANGE REPLICATION SOURCE TO SOURCE_USER = '${RECOVERY_USER}', SOURCE_PASSWORD = '${RECOVERY_PASSWORD}' FOR CHANNEL 'group_replication_recovery'`,
    );
    if (bootstrap) await this.query('SET GLOBAL group_replication_bootstrap_group = ON');
    await this.query('START GROUP_REPLICATION');
    if (bootstrap) await this.query('SET GLOBAL group_replication_bootstrap_group = OFF');
  }
}
