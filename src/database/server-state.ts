// What a server says about its part in a Galera cluster. A server without Galera is always in sync.
import { type Connection, createConnection, type RowDataPacket } from 'mysql2';
import { type ConnectionSettings, type Host, mysqlOptions } from './settings.ts';

const PATIENCE_MS = 2_000;

/** `synced`: in use or usable; `ready`: answers, but is behind or gives its data to another node; `away`: all else. */
export type ServerState = 'synced' | 'ready' | 'away';

/** The figures of a Galera node: `wsrep_cluster_size` and the like. */
export type ClusterFigures = Readonly<Record<string, string>>;

const FIGURES = ['wsrep_ready', 'wsrep_local_state_comment', 'wsrep_cluster_status', 'wsrep_cluster_size'];

export interface ServerReport {
  readonly state: ServerState;
  /** Undefined where the server is away, or no Galera node. */
  readonly cluster?: ClusterFigures;
}

/** Connects to the host and asks. Never rejects. */
export async function reportOf(settings: ConnectionSettings, host: Host): Promise<ServerReport> {
  const connection = createConnection({ ...mysqlOptions(settings, host), connectTimeout: PATIENCE_MS });
  // An 'error' that nobody hears would end the process.
  connection.on('error', () => {});
  try {
    const cluster = await clusterFigures(connection);
    return { state: stateOf(cluster), cluster };
  } catch {
    return { state: 'away' };
  } finally {
    connection.destroy();
  }
}

function stateOf(cluster: ClusterFigures | undefined): ServerState {
  if (!cluster) return 'synced';
  if (cluster.wsrep_ready !== 'ON') return 'away';
  return cluster.wsrep_local_state_comment === 'Synced' ? 'synced' : 'ready';
}

/** Undefined where the server is no Galera node. */
async function clusterFigures(connection: Connection): Promise<ClusterFigures | undefined> {
  if (!(await isClusterNode(connection))) return undefined;
  const rows = await show(connection, 'SHOW GLOBAL STATUS WHERE Variable_name IN (?)', [FIGURES]);
  return Object.fromEntries(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));
}

export async function isClusterNode(connection: Connection): Promise<boolean> {
  const [row] = await show(connection, 'SHOW VARIABLES LIKE ?', ['wsrep_on']);
  return row?.Value === 'ON';
}

/** Rejects when the server takes too long. */
const show = (connection: Connection, sql: string, values: unknown[]): Promise<RowDataPacket[]> =>
  new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>({ sql, values, timeout: PATIENCE_MS }, (error, rows) =>
      error ? reject(error) : resolve(rows),
    );
  });
