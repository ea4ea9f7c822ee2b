// Connection settings. All connections read timestamps and decimals as exact text.

/** The settings that mysql2 needs to connect. */
export interface ConnectionSettings {
  readonly host?: string;
  readonly port?: number;
  readonly socketPath?: string;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
}

/** 30 connections of eight processes stay below the 16,382 statements that a server keeps by default. */
const STATEMENTS_A_CONNECTION = 60;

export const settingsOfUrl = (address: string): ConnectionSettings => {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 3306),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: decodeURIComponent(url.pathname.slice(1)),
  };
};

/** The mysql2 options of every connection of this service. */
export const mysqlOptions = (settings: ConnectionSettings) => ({
  ...settings,
  charset: 'utf8mb4',
  timezone: 'Z',
  dateStrings: true,
  decimalNumbers: false,
  supportBigNumbers: true,
  maxPreparedStatements: STATEMENTS_A_CONNECTION,
  connectTimeout: 5_000,
});
