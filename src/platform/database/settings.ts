// Connection settings. All connections read timestamps and decimals as exact text.
import { isIP } from 'node:net';
import type { DatabaseAddress, Host } from '../config-value.ts';

/** How to connect: to one of `hosts`, as DATABASE_URL has them, or to `socketPath`. */
export interface ConnectionSettings extends Omit<DatabaseAddress, 'password' | 'hosts'> {
  readonly hosts?: readonly Host[];
  readonly socketPath?: string;
  readonly password?: string;
}

/**
 * The mysql2 options of every connection of this service: to the first host, or to `host`. The certificate must bear
 * the host's name. If the host is an IP address, only the certificate's authority is checked, because mysql2 would look
 * for the name `localhost`.
 */
export const mysqlOptions = (
  { hosts = [], tls, ...settings }: ConnectionSettings,
  host: Host | undefined = hosts[0],
) => ({
  ...settings,
  ...host,
  ...(tls && {
    ssl: { ...tls, rejectUnauthorized: true, verifyIdentity: !isIP(host?.host ?? '') },
  }),
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: true,
  decimalNumbers: false,
  supportBigNumbers: true,
  connectTimeout: 5_000,
});
