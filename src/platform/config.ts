// Reads the configuration from the environment. No other file reads the environment. All variables are checked once,
// at the start. Each wrong variable gives one line that names the variable and the reason.
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import {
  certificate,
  cidr,
  type DatabaseAddress,
  databaseAddress,
  httpUrl,
  integer,
  list,
  oneOf,
  origin,
  region,
  secret,
  sender,
  smtpUrl,
  storageUrl,
} from './config-value.ts';

/** The servers that can be the private one. */
const SERVERS = ['mariadb', 'mysql'] as const;
export type ServerKind = (typeof SERVERS)[number];

/** The sender of mail if MAIL_FROM is not set. */
const NO_SENDER = 'forecourt@localhost';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Config {
  /** Port to listen on; 0 takes a free port. */
  port: number;
  host: string;
  /** The public address, without a slash at its end. Empty: made from host and port. */
  publicUrl: string;
  /** DATABASE_URL with DATABASE_CA. Undefined: a private server under `storageDir`. */
  database?: DatabaseAddress;
  /** The private server of a new data folder. Undefined: MariaDB, or MySQL if only MySQL is installed. */
  databaseServer?: ServerKind;
  /** Absolute path. */
  storageDir: string;
  /** `s3://bucket/prefix`: archives and documents are there. Empty: they are under `storageDir`. */
  storageUrl: string;
  /** The address of an S3-compatible store. Empty: Amazon's. */
  s3Endpoint: string;
  s3Region: string;
  /** Piscina threads; 0: this process runs no jobs. */
  jobThreads: number;
  archiveDays: number;
  /** CIDRs that callbacks may reach although they are not public. */
  webhookAllow: string[];
  /** Key of the download signatures. Empty: a key is made once and kept in the storage. */
  signingSecret: string;
  smtpUrl: string;
  mailFrom: string;
  trustProxy: boolean;
  corsOrigins: string[];
  environment: string;
  logLevel: (typeof LOG_LEVELS)[number];
  /** The longest time of one statement that reads for an answer. */
  querySeconds: number;
  /** How long a process that was told to stop still serves. */
  drainSeconds: number;
  /** Processes that share the port. */
  workers: number;
  /** How long the feed shows a change. */
  changesDays: number;
  /** How long the log keeps a change. */
  auditDays: number;
}

/** Wrong environment variables. The message has one line per variable. */
export class ConfigError extends Error {}

/** Why mail may not arrive; undefined: all is well. It only warns, because 1.0.0 started with SMTP_URL alone. */
export const senderProblem = ({ smtpUrl, mailFrom }: Config): string | undefined =>
  smtpUrl !== '' && mailFrom === NO_SENDER
    ? `MAIL_FROM is not set: mail comes from ${NO_SENDER}, which most servers refuse`
    : undefined;

/** The name that stands for the operator's own in the documents and in deploy/forecourt.env.example. */
const EXAMPLE_HOST = 'garage.example';

/** Why the addresses in answers and mail may lead nowhere; undefined: all is well. */
export const addressProblem = ({ publicUrl }: Config): string | undefined =>
  publicUrl !== '' && new URL(publicUrl).hostname === EXAMPLE_HOST
    ? `PUBLIC_URL is still the example ${publicUrl}: the addresses in answers and mail lead nowhere`
    : undefined;

/** The environment of this process with some changes, for a child process. */
export const childEnvironment = (changes: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({
  ...process.env,
  ...changes,
});

/** The folders of programs, in the order in which they are searched. PATH often lacks the folders of servers. */
export const programFolders = (env: NodeJS.ProcessEnv = process.env): string[] => [
  ...(env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
  '/usr/sbin',
  '/usr/local/sbin',
  '/usr/libexec',
];

/** Reads and checks the environment. Throws ConfigError with one line per wrong variable. */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  const wrong: string[] = [];
  const read = <T>(name: string, fallback: T, parse: (text: string) => T): T => {
    const text = env[name]?.trim();
    if (text === undefined || text === '') return fallback;
    try {
      return parse(text);
    } catch (error) {
      wrong.push(`${name} ${(error as Error).message}`);
      return fallback;
    }
  };

  const host = read('HOST', '127.0.0.1', String);
  const port = read('PORT', 8080, integer(0, 65535));
  const config: Config = {
    port,
    host,
    publicUrl: read('PUBLIC_URL', '', httpUrl('https://garage.example')),
    database: read('DATABASE_URL', undefined, databaseAddress(read('DATABASE_CA', undefined, certificate))),
    databaseServer: read('DATABASE_SERVER', undefined, (text) => oneOf(SERVERS, text)),
    storageDir: resolve(read('STORAGE_DIR', 'storage', String)),
    storageUrl: read('STORAGE_URL', '', storageUrl),
    s3Endpoint: read('S3_ENDPOINT', '', httpUrl('https://s3.example:9000')),
    s3Region: read('S3_REGION', env.AWS_REGION?.trim() || 'us-east-1', region),
    jobThreads: read('JOB_THREADS', Math.max(1, availableParallelism() - 1), integer(0, 64)),
    archiveDays: read('ARCHIVE_DAYS', 7, integer(1, 3650)),
    webhookAllow: read('WEBHOOK_ALLOW', [], (text) => list(text).map(cidr)),
    signingSecret: read('SIGNING_SECRET', '', secret),
    smtpUrl: read('SMTP_URL', '', smtpUrl),
    mailFrom: read('MAIL_FROM', NO_SENDER, sender),
    trustProxy: read('TRUST_PROXY', 0, integer(0, 1)) === 1,
    corsOrigins: read('CORS_ORIGINS', [], (text) => list(text).map(origin)),
    environment: read('ENVIRONMENT', 'production', String),
    logLevel: read('LOG_LEVEL', 'info', (text) => oneOf(LOG_LEVELS, text)),
    querySeconds: read('QUERY_SECONDS', 5, integer(1, 3600)),
    drainSeconds: read('DRAIN_SECONDS', 0, integer(0, 3600)),
    workers: read('WORKERS', 1, integer(1, 64)),
    changesDays: read('CHANGES_DAYS', 90, integer(1, 3650)),
    auditDays: read('AUDIT_DAYS', 2557, integer(1, 36500)),
  };
  if (config.changesDays > config.auditDays)
    wrong.push(
      `CHANGES_DAYS must be at most AUDIT_DAYS, which is ${config.auditDays}: the feed reads the audit's rows`,
    );
  if (wrong.length > 0) throw new ConfigError(wrong.join('\n'));
  return config;
}
