// Reads the configuration from the environment. No other file reads the environment. All variables are checked once,
// at the start. Each wrong variable gives one line that names the variable and the reason.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { delimiter, resolve } from 'node:path';
import ipaddr from 'ipaddr.js';

/** The servers that can be the private one. */
const SERVERS = ['mariadb', 'mysql'] as const;
export type ServerKind = (typeof SERVERS)[number];

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export interface Host {
  readonly host: string;
  readonly port: number;
}

/** A database, and how to connect to it. */
export interface DatabaseAddress {
  readonly user: string;
  readonly password: string;
  /** The first that answers is used. */
  readonly hosts: readonly [Host, ...Host[]];
  /** The name of the database. */
  readonly database: string;
  /** Encrypts connections. `ca` is the PEM of the authority; without it Node's own authorities count. */
  readonly tls?: { readonly ca?: string };
}

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
    mailFrom: read('MAIL_FROM', 'forecourt@localhost', sender),
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

const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const integer = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new Error(`must be a whole number from ${least} to ${most}, not "${text}"`);
  }
  return number;
};

function oneOf<T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new Error(`must be one of ${values.join(', ')}, not "${text}"`);
  return found;
}

function parseUrl(text: string, protocols: string[], shape: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol) || url.hostname === '')
    throw new Error(`must look like ${shape}`);
  return url;
}

const httpUrl = (shape: string) => (text: string) => {
  const url = parseUrl(text, ['http:', 'https:'], shape);
  if (url.search || url.hash || url.username)
    throw new Error('must be an address without user, query or fragment');
  return url.href.replace(/\/+$/, '');
};

const DATABASE_SHAPE = 'mysql://user:password@host:port,host:port/name?tls=1';
const DATABASE_URL =
  /^mysql:\/\/([^:@/?#\s]+)(?::([^@/?#\s]*))?@([^@/?#\s]+)\/([^/?#\s]+?)(?:\?tls=([01]))?$/;
const MYSQL_PORT = 3306;

/** Reads DATABASE_URL. `ca`: the PEM of DATABASE_CA. */
export const databaseAddress =
  (ca?: string) =>
  (text: string): DatabaseAddress => {
    const [, user = '', password = '', names = '', database = '', tls] = DATABASE_URL.exec(text) ?? [];
    const [first, ...others] = names.split(',').map(host);
    if (!first) throw new Error(`must look like ${DATABASE_SHAPE}`);
    if (tls === '1' && ca === undefined && [first, ...others].some((one) => isIP(one.host)))
      throw new Error('needs DATABASE_CA if a host is an IP address: public authorities sign names');
    if (ca !== undefined && tls !== '1') throw new Error('needs ?tls=1 if DATABASE_CA is set');
    return {
      user: decoded(user),
      password: decoded(password),
      hosts: [first, ...others],
      database: decoded(database),
      ...(tls === '1' && { tls: ca === undefined ? {} : { ca } }),
    };
  };

/** A URL holds one host only, so each host is read by a URL of its own. */
function host(name: string): Host {
  const { hostname, port } = parseUrl(`mysql://${name}`, ['mysql:'], DATABASE_SHAPE);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || MYSQL_PORT) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error('holds a % that encodes nothing: write %25');
  }
}

/** The text of a PEM file. */
function certificate(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new Error(`must be the path of a certificate in PEM: ${(error as Error).message}`);
  }
}

const STORAGE_URL = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[\w.-]+)*)\/?$/;

/** Bucket and prefix of an s3:// address. The prefix ends in a slash or is empty. Throws if the text is no address. */
export function parseStorageUrl(text: string): { bucket: string; prefix: string } {
  const [, bucket, path = ''] = STORAGE_URL.exec(text) ?? [];
  if (bucket === undefined || /\/\.\.?(\/|$)/.test(path))
    throw new Error('must look like s3://bucket/prefix');
  return { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
}

function storageUrl(text: string): string {
  parseStorageUrl(text);
  return text.replace(/\/$/, '');
}

function region(text: string): string {
  if (!/^[a-z0-9-]+$/i.test(text)) throw new Error(`must be a name such as eu-west-1, not "${text}"`);
  return text;
}

function smtpUrl(text: string): string {
  parseUrl(text, ['smtp:', 'smtps:'], 'smtp://user:password@host:587');
  return text;
}

/** An address, or a name and an address. */
const SENDER = /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

function sender(text: string): string {
  if (!SENDER.test(text))
    throw new Error(
      `must look like forecourt@garage.example or Garage <forecourt@garage.example>, not "${text}"`,
    );
  return text;
}

function origin(text: string): string {
  const url = parseUrl(text, ['http:', 'https:'], 'https://shop.example');
  if (url.origin !== text) throw new Error(`must hold origins such as ${url.origin}, not "${text}"`);
  return text;
}

function secret(text: string): string {
  if (text.length < 16) throw new Error('must be at least 16 characters long');
  return text;
}

function cidr(text: string): string {
  try {
    ipaddr.parseCIDR(text);
    return text;
  } catch {
    throw new Error(`must hold CIDRs such as 10.0.0.0/8, not "${text}"`);
  }
}
