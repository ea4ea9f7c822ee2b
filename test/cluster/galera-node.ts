// One node of a Galera cluster on this machine: a MariaDB server with a folder and ports of its own. A node that was
// killed rejoins as in production: its position is recovered first, and the others send what it missed.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { until } from '../support/until.ts';
import { type Child, lastLines, startChild } from './child.ts';
import { freePort } from './port.ts';

const PROVIDER = '/usr/lib/galera/libgalera_smm.so';
const PATIENCE_MS = 120_000;
const STATUS_MS = 3_000;
const QUERY_MS = 30_000;

const run = promisify(execFile);
// Not as root: the rsync of a state transfer gives up root's rights, and could not write then.
const isRoot = process.getuid?.() === 0;
const asUser = isRoot ? ['-umysql'] : [];

export interface NodeStatus {
  /** Such as `Synced`, `Joined`, `Donor/Desynced`, `Initialized`. */
  readonly state: string;
  /** `Primary`: the node is in the part with the majority. */
  readonly part: string;
  readonly size: number;
  readonly ready: boolean;
}

export class GaleraNode {
  readonly name: string;
  readonly port: number;
  readonly clusterPort: number;
  private readonly folder: string;
  private readonly defaults: string;
  private child?: Child;

  private constructor(name: string, folder: string, ports: readonly [number, number]) {
    this.name = name;
    this.folder = folder;
    this.defaults = join(folder, 'node.cnf');
    [this.port, this.clusterPort] = ports;
  }

  static async make(name: string, folder: string): Promise<GaleraNode> {
    for (const part of ['data', 'tmp']) await mkdir(join(folder, part), { recursive: true });
    if (isRoot) await run('chown', ['-R', 'mysql:', folder]);
    return new GaleraNode(name, folder, [await freePort(), await freePort()]);
  }

  /** Writes the settings. Called once, when the ports of all nodes are known. */
  async configure(nodes: readonly GaleraNode[]): Promise<void> {
    const members = nodes.map(({ clusterPort }) => `127.0.0.1:${clusterPort}`).join();
    const [ist, sst] = [await freePort(), await freePort()];
    const listen = `gmcast.listen_addr=tcp://127.0.0.1:${this.clusterPort}`;
    const settings = {
      datadir: join(this.folder, 'data'),
      tmpdir: join(this.folder, 'tmp'),
      socket: join(this.folder, 'socket'),
      'pid-file': join(this.folder, 'pid'),
      port: this.port,
      'bind-address': '127.0.0.1',
      'skip-name-resolve': 1,
      'character-set-server': 'utf8mb4',
      'collation-server': 'utf8mb4_bin',
      'max-connections': 300,
      'max-allowed-packet': '64M',
      'performance-schema': 'OFF',
      'innodb-buffer-pool-size': '64M',
      'innodb-log-file-size': '24M',
      // The other nodes have what a killed machine loses.
      'innodb-flush-log-at-trx-commit': 2,
      'innodb-autoinc-lock-mode': 2,
      'binlog-format': 'ROW',
      'wsrep-on': 'ON',
      'wsrep-provider': PROVIDER,
      'wsrep-cluster-name': 'forecourt',
      'wsrep-cluster-address': `gcomm://${members}`,
      'wsrep-node-name': this.name,
      'wsrep-node-address': '127.0.0.1',
      'wsrep-sst-method': 'rsync',
      'wsrep-sst-receive-address': `127.0.0.1:${sst}`,
      'wsrep-provider-options': `"${listen};ist.recv_addr=127.0.0.1:${ist};gcache.size=32M"`,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    await writeFile(this.defaults, ['[mysqld]', ...lines, ''].join('\n'));
  }

  /** Makes the data of the first node; the others get theirs from it. */
  async makeData(): Promise<void> {
    const data = join(this.folder, 'data');
    const options = ['--auth-root-authentication-method=normal', '--skip-test-db', '--force', ...asUser];
    await run('mariadb-install-db', ['--no-defaults', ...options, `--datadir=${data}`], { cwd: this.folder });
  }

  /** Starts the server. `bootstrap`: as the first node of a new cluster. */
  async start({ bootstrap = false } = {}): Promise<void> {
    const position = bootstrap ? undefined : await this.recoverPosition();
    const args = [`--defaults-file=${this.defaults}`, ...asUser];
    if (bootstrap) args.push('--wsrep-new-cluster');
    if (position !== undefined) args.push(`--wsrep_start_position=${position}`);
    const log = join(this.folder, 'log');
    this.child = startChild({ name: this.name, command: 'mariadbd', args, log });
  }

  /** Waits until the node takes part in the cluster and is in sync. */
  async synced(): Promise<void> {
    await until(async () => {
      if (this.child && !this.child.isRunning())
        throw new Error(`${this.name} ended:\n${lastLines(this.child)}`);
      const status = await this.status();
      return status?.state === 'Synced' && status.ready && status.part === 'Primary';
    }, PATIENCE_MS).catch((error: Error) => {
      throw new Error(
        `${this.name} did not come in sync: ${error.message}\n${this.child && lastLines(this.child)}`,
      );
    });
  }

  /** An orderly end: the node leaves the cluster. */
  stop(): Promise<void> {
    return this.child?.end('SIGTERM') ?? Promise.resolve();
  }

  /** kill -9: the others find out by themselves. */
  kill(): Promise<void> {
    return this.child?.end('SIGKILL') ?? Promise.resolve();
  }

  /** SIGSTOP: the node hangs. SIGCONT: it goes on. */
  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    if (this.child) process.kill(this.child.pid, signal);
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

  /** Waits until the node has applied all commits of the other nodes. */
  async catchUp(): Promise<void> {
    await this.query('SET STATEMENT wsrep_sync_wait = 1 FOR SELECT 1');
  }

  /** How many connections a user has here. */
  async connectionsOf(user: string): Promise<number> {
    const sql = 'SELECT COUNT(*) AS connections FROM information_schema.processlist WHERE user = ?';
    return Number((await this.query(sql, [user]))[0]?.connections);
  }

  /** A statement as root, on a connection of its own. */
  async query(sql: string, values: readonly (string | number)[] = []): Promise<RowDataPacket[]> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.port,
      user: 'root',
      connectTimeout: STATUS_MS,
      dateStrings: true,
    });
    try {
      const [rows] = await connection.query<RowDataPacket[]>({ sql, values: [...values], timeout: QUERY_MS });
      return rows;
    } finally {
      connection.destroy();
    }
  }

  /** Where the node was when it ended; undefined: it has no data yet. */
  private async recoverPosition(): Promise<string | undefined> {
    if (!existsSync(join(this.folder, 'data', 'grastate.dat'))) return undefined;
    const log = join(this.folder, `recover-${Date.now()}.log`);
    const args = [`--defaults-file=${this.defaults}`, ...asUser, '--wsrep-recover', `--log-error=${log}`];
    await run('mariadbd', args);
    return /Recovered position: (\S+)/.exec(await readFile(log, 'utf8'))?.[1];
  }
}
