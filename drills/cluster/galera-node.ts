// One node of a Galera cluster: a MariaDB server. A node that was killed rejoins as in production: its position is
// recovered first, and the others send the changes that it missed.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../test/support/process/port.ts';
import { ClusterNode, isRoot, makePlace, run } from './node.ts';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';

// Not as root: the rsync of a state transfer gives up root's rights, and could not write then.
const asUser = isRoot ? ['-umysql'] : [];

interface NodeStatus {
  /** Such as `Synced`, `Joined`, `Donor/Desynced`, `Initialized`. */
  readonly state: string;
  /** `Primary`: the node is in the part with the majority. */
  readonly part: string;
  readonly size: number;
  readonly ready: boolean;
}

export class GaleraNode extends ClusterNode {
  static async make(name: string, folder: string): Promise<GaleraNode> {
    const place = await makePlace(name, folder);
    if (isRoot) await run('chown', ['-R', 'mysql:', folder]);
    return new GaleraNode(place);
  }

  async configure(members: readonly string[]): Promise<void> {
    const [ist, sst] = [await freePort(), await freePort()];
    const listen = `gmcast.listen_addr=tcp://127.0.0.1:${this.clusterPort}`;
    await this.writeSettings({
      'skip-name-resolve': 1,
      'performance-schema': 'OFF',
      'innodb-log-file-size': '24M',
      'innodb-autoinc-lock-mode': 2,
      'binlog-format': 'ROW',
      'wsrep-on': 'ON',
      'wsrep-provider': PROVIDER,
      'wsrep-cluster-name': 'forecourt',
      'wsrep-cluster-address': `gcomm://${members.join()}`,
      'wsrep-node-name': this.name,
      'wsrep-node-address': '127.0.0.1',
      'wsrep-sst-method': 'rsync',
      'wsrep-sst-receive-address': `127.0.0.1:${sst}`,
      'wsrep-provider-options': `"${listen};ist.recv_addr=127.0.0.1:${ist};gcache.size=32M"`,
    });
  }

  async start({ bootstrap = false } = {}): Promise<void> {
    if (bootstrap) await this.makeData();
    const position = bootstrap ? undefined : await this.recoverPosition();
    const args = [...asUser];
    if (bootstrap) args.push('--wsrep-new-cluster');
    if (position !== undefined) args.push(`--wsrep_start_position=${position}`);
    this.launch('mariadbd', args);
  }

  /** Cuts the node off from the others, or ends that. The server itself stays up. */
  async isolate(cut: boolean): Promise<void> {
    await this.query(`SET GLOBAL wsrep_provider_options = 'gmcast.isolate=${cut ? 1 : 0}'`);
  }

  /** Undefined: the server does not answer. */
  async status(): Promise<NodeStatus | undefined> {
    const rows = await this.query("SHOW GLOBAL STATUS LIKE 'wsrep%'").catch(() => undefined);
    if (!rows) return undefined;
    const values = new Map(rows.map(({ Variable_name, Value }) => [Variable_name, String(Value)]));
    return {
      state: values.get('wsrep_local_state_comment') ?? '',
      part: values.get('wsrep_cluster_status') ?? '',
      size: Number(values.get('wsrep_cluster_size')),
      ready: values.get('wsrep_ready') === 'ON',
    };
  }

  async catchUp(): Promise<void> {
    await this.query('SET STATEMENT wsrep_sync_wait = 1 FOR SELECT 1');
  }

  async hasMajority(): Promise<boolean> {
    return (await this.status())?.part === 'Primary';
  }

  protected async isSynced(): Promise<boolean> {
    const status = await this.status();
    return status?.state === 'Synced' && status.ready && status.part === 'Primary';
  }

  /** Makes the data of the first node; the others get theirs from it. */
  private async makeData(): Promise<void> {
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--force', ...asUser];
    const args = ['--no-defaults', ...options, `--datadir=${this.data}`];
    await run('mariadb-install-db', args, { cwd: this.folder });
  }

  /** Where the node was when it ended; undefined: it has no data yet. */
  private async recoverPosition(): Promise<string | undefined> {
    if (!existsSync(join(this.data, 'grastate.dat'))) return undefined;
    const log = join(this.folder, `recover-${Date.now()}.log`);
    const args = [`--defaults-file=${this.defaults}`, ...asUser, '--wsrep-recover', `--log-error=${log}`];
    await run('mariadbd', args);
    return /Recovered position: (\S+)/.exec(await readFile(log, 'utf8'))?.[1];
  }
}
