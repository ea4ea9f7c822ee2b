// One signed request to a receiver over HTTPS, which always ends in a Delivery. The host is resolved and checked once,
// and the connection goes only to the addresses that were checked.
import type { LookupAddress } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import manifest from '../../../package.json' with { type: 'json' };
import { parseWebhookUrl } from '../../core/trade/identity/webhook-url.ts';
import { publicAddresses } from './address.ts';
import { type Lookup, systemLookup } from './lookup.ts';

/** The longest call. */
export const CALL_MILLISECONDS = 10_000;
const MOST_BODY_BYTES = 1_024;
/** Answers such as 102 before the answer itself. Node reads them without end, on the thread that serves all. */
const MOST_INTERIM = 10;
/** Long enough for another continent, short enough for a few dead addresses before a live one. */
const CONNECT_MILLISECONDS = 2_000;

const FAILURES: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection was closed before an answer',
  EPIPE: 'connection was closed before an answer',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host cannot be reached',
  ENETUNREACH: 'host cannot be reached',
  EADDRNOTAVAIL: 'host cannot be reached',
};

/** How one call ended. `error` is one short line without secrets; null: the call was delivered. */
export interface Delivery {
  status: number | null;
  error: string | null;
}

/** Whether the receiver took the call: any 2xx. */
export const delivered = ({ status }: Pick<Delivery, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;

export interface Limits {
  /** CIDRs that count as publicly accessible. */
  allow: readonly string[];
  /** Aborts the call. */
  signal?: AbortSignal;
  /** For the whole exchange: name, connection, headers, body. */
  timeoutMs?: number;
}

interface Exchange extends Limits {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Changes the address before it is called. */
  readonly prepare?: (target: URL) => void;
  /** The headers of this try, by the address that is called. */
  readonly headers: (address: string) => Record<string, string>;
  readonly body?: string;
}

/** Answers the base64 signature of a content. */
export type Sign = (content: string) => string;

/** The three headers of Standard Webhooks. */
export function webhookHeaders(id: string, content: string, sign: Sign): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf({ id, timestamp, content }, sign),
  };
}

/** A call as it is signed. The content of a callback is its address, and that of an event its body. */
export interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly content: string;
}

export const signatureOf = ({ id, timestamp, content }: Signed, sign: Sign): string =>
  `v1,${sign(`${id}.${timestamp}.${content}`)}`;

/**
 * Calls a receiver and never throws. Follows no redirect. The status decides as soon as it arrives: a body that is too
 * long or too slow is cut off and changes nothing.
 */
export async function callReceiver(call: Exchange, lookup: Lookup = systemLookup): Promise<Delivery> {
  const { signal, timeoutMs = CALL_MILLISECONDS } = call;
  const end = new AbortController();
  const timer = setTimeout(() => end.abort(`no answer within ${timeoutMs / 1_000} s`), timeoutMs);
  const giveUp = () => end.abort('given up before an answer');
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  try {
    return await perform(call, lookup, end.signal);
  } catch (error) {
    return failed(failureText(error));
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}

const failed = (error: string): Delivery => ({ status: null, error });

async function perform(call: Exchange, lookup: Lookup, signal: AbortSignal): Promise<Delivery> {
  const target = parseWebhookUrl(call.url);
  if (!target) return failed('address is not an https address');
  call.prepare?.(target);
  target.hash = '';

  const addresses = await publicAddresses(target.hostname, call.allow, lookup, signal);
  if (signal.aborted) return failed(String(signal.reason));
  if (!addresses) return failed('address is not publicly accessible');
  if (addresses.length === 0) return failed('name does not resolve');
  return exchange(call, target, addresses, signal);
}

function exchange(
  { method, headers, body }: Exchange,
  target: URL,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<Delivery> {
  return new Promise((resolve) => {
    let status: number | undefined;
    const request = httpsRequest(target, {
      method,
      headers: { 'user-agent': `forecourt/${manifest.version}`, ...headers(target.href) },
      signal,
      ...connectOnlyTo(addresses, target.hostname),
    });
    request.on('response', (response) => {
      status = response.statusCode;
      let bytes = 0;
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BODY_BYTES) response.destroy();
      });
    });
    let interim = 0;
    request.on('information', () => {
      interim += 1;
      if (interim > MOST_INTERIM) request.destroy(new TooManyInterim());
    });
    const settle = (error?: Error) =>
      resolve(status === undefined ? failed(reasonOf(request, signal, error)) : answered(status));
    request.on('error', settle);
    request.on('close', () => settle());
    request.end(body);
  });
}

class TooManyInterim extends Error {
  readonly code = 'HPE_INTERIM';
}

/** Options of a new connection to one of these addresses, without a second look-up. */
function connectOnlyTo(addresses: LookupAddress[], hostname: string) {
  return {
    // The addresses are checked already. If `lookup` is ignored, this agent still refuses private addresses.
    agent: new RequestFilteringHttpsAgent({ allowIPAddressList: addresses.map(({ address }) => address) }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_MILLISECONDS,
    lookup: (_name: string, _options: unknown, callback: (error: null, all: LookupAddress[]) => void) =>
      process.nextTick(callback, null, addresses),
    // Names in certificates have no dot at the end.
    servername: isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname.replace(/\.$/, ''),
    rejectUnauthorized: true,
  };
}

function answered(status: number): Delivery {
  if (delivered({ status })) return { status, error: null };
  const redirects = status >= 300 && status < 400 ? ', redirects are not followed' : '';
  return { status, error: `answered ${status}${redirects}` };
}

function reasonOf(request: ClientRequest, signal: AbortSignal, error?: Error): string {
  return signal.aborted ? String(signal.reason) : failureText(error, request.socket);
}

/**
 * Tells in one short line why a call got no answer. Without an error, the receiver closed the connection. Uses only the
 * code of an error, because its message may hold addresses and secrets.
 */
function failureText(error: unknown, socket?: Socket | null): string {
  const untrusted = (socket as TLSSocket | null | undefined)?.authorizationError;
  if (untrusted) return `certificate is not trusted (${untrusted})`;
  if (!error) return 'connection was closed before an answer';
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return `no secure connection (${code})`;
  if (code.startsWith('HPE_')) return `answer is not HTTP (${code})`;
  return FAILURES[code] ?? (code ? `call failed (${code})` : 'call failed');
}
