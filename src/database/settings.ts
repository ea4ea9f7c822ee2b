// Connection settings. All connections read timestamps and decimals as exact text.
import { isIP } from 'node:net';
import { type DatabaseAddress, type Host, MYSQL_PORT } from '../config.ts';

export type { Host };

/** How to connect: to `host` and `port`, or to `socketPath`. */
export interface ConnectionSettings extends Partial<Host> {
  readonly socketPath?: string;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  /** Further hosts of the same database, in the order in which they are tried. */
  readonly otherHosts?: readonly Host[];
  /** Encrypts connections. `ca` is the PEM of the authority; without it Node's own authorities count. */
  readonly tls?: { readonly ca?: string };
}

/** 30 connections of eight processes stay below the 16,382 statements that a server keeps by default. */
const STATEMENTS_A_CONNECTION = 60;

/** The settings that DATABASE_URL and DATABASE_CA ask for. */
export const settingsOf = ({ hosts, tls, ...account }: DatabaseAddress): ConnectionSettings => {
  const [first, ...otherHosts] = hosts;
  return { ...first, ...account, ...(otherHosts.length > 0 && { otherHosts }), ...(tls && { tls }) };
};

/** The hosts in the order in which they are tried; empty for a socket. */
export const hostsOf = ({ host, port, otherHosts = [] }: ConnectionSettings): Host[] =>
  host === undefined ? [] : [{ host, port: port ?? MYSQL_PORT }, ...otherHosts];

/**
 * The mysql2 options of every connection of this service: to the first host, or to `host`. The certificate must bear the
 * host's name. Of an IP address only the authority is checked, because mysql2 would look for the name `localhost`.
 */
export const mysqlOptions = (
  { otherHosts, tls, ...settings }: ConnectionSettings,
  host: Partial<Host> = {},
) => ({
  ...settings,
  ...host,
  ...(tls && {
    ssl: { ...tls, rejectUnauthorized: true, verifyIdentity: !isIP(host.host ?? settings.host ?? '') },
  }),
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: true,
  decimalNumbers: false,
  supportBigNumbers: true,
  maxPreparedStatements: STATEMENTS_A_CONNECTION,
  connectTimeout: 5_000,
});
