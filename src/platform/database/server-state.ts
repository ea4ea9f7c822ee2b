// Asks a server about itself: its version and clock, whether it takes writes, and its part in a cluster. A server
// without a cluster that takes writes is always in sync.
import type { Knex } from 'knex';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2';
import type { Host } from '../config-value.ts';
import { type ConnectionSettings, mysqlOptions } from './settings.ts';

const PATIENCE_MS = 2_000;

/**
 * `synced`: in use or usable; `ready`: answers, but is behind or gives its data to another node; `full`: up, but has no
 * room for a new connection; `reading`: takes no writes, so it is never used; `away`: all else.
 */
export type ServerState = 'synced' | 'ready' | 'full' | 'reading' | 'away';

/** The server, or its user, has too many connections. */
const FULL = new Set(['ER_CON_COUNT_ERROR', 'ER_TOO_MANY_USER_CONNECTIONS', 'ER_USER_LIMIT_REACHED']);

interface ServerReport {
  readonly state: ServerState;
  /** For people: `Synced, of 3 Primary`. */
  readonly text: string;
  /** The server belongs to a cluster. */
  readonly isNode: boolean;
  /** The right that the user of DATABASE_URL lacks. */
  readonly blind?: string;
}

/** No server can be used now. */
export class NoServer extends Error {
  override readonly name = 'NoServer';
}

/** Global variables of a server, as far as it has them. */
export type Variables = ReadonlyMap<string, string>;

/**
 * Each of these keeps us from writing unless it is OFF. An administrator's user may write in spite of `read_only`, but
 * must not: writes would break a replica.
 */
const READ_ONLY = [
  'super_read_only',
  'read_only',
  'innodb_read_only',
  'transaction_read_only',
  'tx_read_only',
  'offline_mode',
];
const VARIABLES = [...READ_ONLY, 'wsrep_on', 'group_replication_group_name', 'group_replication_consistency'];
const GALERA = ['wsrep_ready', 'wsrep_local_state_comment', 'wsrep_cluster_status', 'wsrep_cluster_size'];

/** Connects to the host and asks. Never rejects. */
export async function reportOf(settings: ConnectionSettings, host: Host): Promise<ServerReport> {
  const connection = createConnection({ ...mysqlOptions(settings, host), connectTimeout: PATIENCE_MS });
  // An 'error' that nobody hears would end the process.
  connection.on('error', () => {});
  try {
    return await reportOn(connection);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const state = FULL.has(code) ? 'full' : 'away';
    return { state, text: `${state}: ${message}`, isNode: false };
  } finally {
    connection.destroy();
  }
}

/** The same for the server of a connection. Rejects if the server does not answer. */
export async function reportOn(connection: Connection): Promise<ServerReport> {
  const variables = await variablesOf(connection);
  const refusal = refusalOf(variables);
  if (isGroupMember(variables)) return groupReport(connection, refusal);
  if (refusal !== undefined) return { state: 'reading', text: refusal, isNode: isGaleraNode(variables) };
  return isGaleraNode(variables)
    ? galeraReport(connection)
    : { state: 'synced', text: 'takes writes', isNode: false };
}

export async function variablesOf(connection: Connection): Promise<Variables> {
  const sql = 'SHOW GLOBAL VARIABLES WHERE Variable_name IN (?)';
  return named(await ask(connection, sql, [VARIABLES]));
}

/** Why the server takes no writes of ours. Undefined: it does. */
export function refusalOf(variables: Variables): string | undefined {
  const name = READ_ONLY.find((each) => (variables.get(each) ?? 'OFF') !== 'OFF');
  return name && `takes no writes: ${name}`;
}

export const isGaleraNode = (variables: Variables): boolean => variables.get('wsrep_on') === 'ON';

/** Also a server that has left its group, or has not joined it again. */
const isGroupMember = (variables: Variables): boolean =>
  (variables.get('group_replication_group_name') ?? '') !== '';

/** Locks of other nodes are not seen. */
export const isNode = (variables: Variables): boolean => isGaleraNode(variables) || isGroupMember(variables);

async function galeraReport(connection: Connection): Promise<ServerReport> {
  const status = named(await ask(connection, 'SHOW GLOBAL STATUS WHERE Variable_name IN (?)', [GALERA]));
  const comment = status.get('wsrep_local_state_comment');
  const text = `${comment}, of ${status.get('wsrep_cluster_size')} ${status.get('wsrep_cluster_status')}`;
  const state = status.get('wsrep_ready') !== 'ON' ? 'away' : comment === 'Synced' ? 'synced' : 'ready';
  return { state, text, isNode: true };
}

/** A table that only administrators may read by default. */
const MEMBERS =
  'SELECT member_state AS state, member_role AS role, member_id = @@server_uuid AS is_self FROM performance_schema.replication_group_members';
const ACCESS_DENIED = 1142;

/**
 * A member that is not part of the group is away even if it takes writes: the group does not get them. Each member of a
 * group without a majority is away too: its commits wait.
 */
async function groupReport(connection: Connection, refusal: string | undefined): Promise<ServerReport> {
  const members = await ask(connection, MEMBERS).catch((error: { errno?: number }) => {
    if (error.errno === ACCESS_DENIED) return [];
    throw error;
  });
  const writes = refusal ?? 'takes writes';
  const state = refusal === undefined ? 'synced' : 'reading';
  if (members.length === 0) {
    const blind = 'GRANT SELECT ON performance_schema.replication_group_members is missing';
    return { state, text: `group member, ${writes}`, isNode: true, blind };
  }
  const self = members.find(({ is_self }) => is_self === 1);
  if (self?.state !== 'ONLINE')
    return { state: 'away', text: `${self?.state ?? 'OFFLINE'}, ${writes}`, isNode: true };
  const lost = members.filter((member) => !['ONLINE', 'RECOVERING'].includes(member.state)).length;
  const hasMajority = 2 * lost < members.length;
  const size = hasMajority ? `of ${members.length}` : 'without a majority';
  return {
    state: hasMajority ? state : 'away',
    text: `ONLINE ${self.role}, ${size}, ${writes}`,
    isNode: true,
  };
}

const named = (rows: readonly RowDataPacket[]): Variables =>
  new Map(rows.map(({ Variable_name, Value }) => [Variable_name, Value]));

/** Rejects when the server takes too long. */
const ask = (connection: Connection, sql: string, values: unknown[] = []): Promise<RowDataPacket[]> =>
  new Promise((resolve, reject) => {
    connection.query<RowDataPacket[]>({ sql, values, timeout: PATIENCE_MS }, (error, rows) =>
      error ? reject(error) : resolve(rows),
    );
  });

export async function serverVersion(knex: Knex): Promise<string> {
  const [row] = await knex.select({ version: knex.raw('VERSION()') });
  return String(row?.version);
}

/** The server's clock. */
export async function serverTime(knex: Knex): Promise<Date> {
  const [row] = await knex.select({ now: knex.raw('UTC_TIMESTAMP(3)') });
  return new Date(`${String(row?.now).replace(' ', 'T')}Z`);
}

/** The server's setting `innodb_native_foreign_keys`. Undefined if the server has none, as MariaDB. */
export async function nativeForeignKeys(knex: Knex): Promise<'ON' | 'OFF' | undefined> {
  const [rows] = await knex.raw('SHOW GLOBAL VARIABLES LIKE ?', ['innodb_native_foreign_keys']);
  return rows[0]?.Value;
}
