// How the values of the environment are written, and their refusals. A refusal follows the name of its variable:
// `must be a whole number from 1 to 64`.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

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

export const list = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const integer = (least: number, most: number) => (text: string) => {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < least || number > most) {
    throw new Error(`must be a whole number from ${least} to ${most}, not "${text}"`);
  }
  return number;
};

export function oneOf<T extends string>(values: readonly T[], text: string): T {
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

export const httpUrl = (shape: string) => (text: string) => {
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
export function certificate(path: string): string {
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

export function storageUrl(text: string): string {
  parseStorageUrl(text);
  return text.replace(/\/$/, '');
}

export function region(text: string): string {
  if (!/^[a-z0-9-]+$/i.test(text)) throw new Error(`must be a name such as eu-west-1, not "${text}"`);
  return text;
}

export function smtpUrl(text: string): string {
  parseUrl(text, ['smtp:', 'smtps:'], 'smtp://user:password@host:587');
  return text;
}

/** An address, or a name and an address. */
const SENDER = /^([^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;

export function sender(text: string): string {
  if (!SENDER.test(text))
    throw new Error(
      `must look like forecourt@garage.example or Garage <forecourt@garage.example>, not "${text}"`,
    );
  return text;
}

export function origin(text: string): string {
  const url = parseUrl(text, ['http:', 'https:'], 'https://shop.example');
  if (url.origin !== text) throw new Error(`must hold origins such as ${url.origin}, not "${text}"`);
  return text;
}

export function secret(text: string): string {
  if (text.length < 16) throw new Error('must be at least 16 characters long');
  return text;
}

export function cidr(text: string): string {
  try {
    ipaddr.parseCIDR(text);
    return text;
  } catch {
    throw new Error(`must hold CIDRs such as 10.0.0.0/8, not "${text}"`);
  }
}
