// One database server of a cluster on this machine, with a folder and ports of its own. How it joins the others is a
// matter of its kind: galera-node.ts and group-node.ts.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import { freePort } from '../../test/support/process/port.ts';
import { until } from '../../test/support/service/until.ts';
import { type Child, lastLines, startChild } from './child.ts';

const PATIENCE_MS = 120_000;
const CONNECT_MS = 3_000;
const QUERY_MS = 30_000;

export const run = promisify(execFile);
export const isRoot = process.getuid?.() === 0;

export interface Place {
  readonly name: string;
  readonly folder: string;
  /** The ports of the server, and of its traffic with the other nodes. */
  readonly ports: readonly [number, number];
}

/** Makes the folders of a node. */
export async function makePlace(name: string, folder: string): Promise<Place> {
  for (const part of ['data', 'tmp']) await mkdir(join(folder, part), { recursive: true });
  return { name, folder, ports: [await freePort(), await freePort()] };
}

export abstract class ClusterNode {
  readonly name: string;
  readonly port: number;
  readonly clusterPort: number;
  protected readonly data: string;
  protected readonly folder: string;
  protected readonly defaults: string;
  private child?: Child;

  constructor({ name, folder, ports }: Place) {
    this.name = name;
    this.folder = folder;
    this.data = join(folder, 'data');
    this.defaults = join(folder, 'node.cnf');
    [this.port, this.clusterPort] = ports;
  }

  /** Writes the settings. Called once, when the ports of all nodes are known; `members`: `host:port` of each. */
  abstract configure(members: readonly string[]): Promise<void>;

  /** Starts the server, and makes its data the first time. `bootstrap`: as the first node of a new cluster. */
  abstract start(options?: { bootstrap?: boolean }): Promise<void>;

  /** Waits until the node has applied all commits of the other nodes. */
  abstract catchUp(): Promise<void>;

  /** Whether the node answers and sees most of the others. */
  abstract hasMajority(): Promise<boolean>;

  /** Whether the node takes part in the cluster and is in sync. */
  protected abstract isSynced(): Promise<boolean>;

  /** Waits until the node takes part in the cluster and is in sync. */
  async synced(): Promise<void> {
    await this.waitFor(() => this.isSynced()).catch((error: Error) => {
      throw new Error(
        `${this.name} did not come in sync: ${error.message}\n${this.child && lastLines(this.child)}`,
      );
    });
  }

  /** The ID of the server's process. */
  get pid(): number {
    return this.child?.pid ?? 0;
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

  /** How many connections a user has here. */
  async connectionsOf(user: string): Promise<number> {
    const sql = 'SELECT COUNT(*) AS connections FROM information_schema.processlist WHERE user = ?';
    return Number((await this.query(sql, [user]))[0]?.connections);
  }

  /** A statement as root, on a connection of its own. `before`: statements that run first. */
  async query(
    sql: string,
    values: readonly (string | number)[] = [],
    before: readonly string[] = [],
  ): Promise<RowDataPacket[]> {
    const connection = await createConnection({
      host: '127.0.0.1',
      port: this.port,
      user: 'root',
      connectTimeout: CONNECT_MS,
      dateStrings: true,
    });
    try {
      for (const each of before) await connection.query({ sql: each, timeout: QUERY_MS });
      const [rows] = await connection.query<RowDataPacket[]>({ sql, values: [...values], timeout: QUERY_MS });
      return rows;
    } finally {
      connection.destroy();
    }
  }

  /** Keeps the rows of a SELECT FOR UPDATE locked at this node. Answers the function that unlocks them. */
  async hold(sql: string, values: readonly (string | number)[]): Promise<() => void> {
    const { port } = this;
    const connection = await createConnection({
      host: '127.0.0.1',
      port,
      user: 'root',
      connectTimeout: CONNECT_MS,
    });
    await connection.beginTransaction();
    await connection.query({ sql, values: [...values], timeout: QUERY_MS });
    return () => connection.destroy();
  }

  /** Throws if the server ends. */
  protected async waitFor(condition: () => Promise<boolean>): Promise<void> {
    await until(async () => {
      if (this.child && !this.child.isRunning())
        throw new Error(`${this.name} ended:\n${lastLines(this.child)}`);
      return condition();
    }, PATIENCE_MS);
  }

  protected launch(command: string, args: readonly string[]): void {
    const log = join(this.folder, 'log');
    const all = [`--defaults-file=${this.defaults}`, ...args];
    this.child = startChild({ name: this.name, command, args: all, log });
  }

  /** The settings of each kind of server, and more. */
  protected async writeSettings(more: Readonly<Record<string, string | number>>): Promise<void> {
    const settings = {
      datadir: this.data,
      tmpdir: join(this.folder, 'tmp'),
      socket: join(this.folder, 'socket'),
      'pid-file': join(this.folder, 'pid'),
      port: this.port,
      'bind-address': '127.0.0.1',
      'character-set-server': 'utf8mb4',
      'collation-server': 'utf8mb4_bin',
      'max-connections': 300,
      'max-allowed-packet': '64M',
      'innodb-buffer-pool-size': '64M',
      // The other nodes have the data that a killed machine loses.
      'innodb-flush-log-at-trx-commit': 2,
      ...more,
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    await writeFile(this.defaults, ['[mysqld]', ...lines, ''].join('\n'));
  }
}
