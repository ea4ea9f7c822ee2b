// Calls a webhook back: one signed GET over HTTPS, which ends in a Delivery whatever happens. The host is
// resolved and judged once, and the connection goes to what was judged and nowhere else.
import { createHmac } from 'node:crypto';
import type { LookupAddress } from 'node:dns';
import type { ClientRequest } from 'node:http';
import { get } from 'node:https';
import { isIP } from 'node:net';
import { RequestFilteringHttpsAgent } from 'request-filtering-agent';
import manifest from '../../package.json' with { type: 'json' };
import { parseWebhookUrl, publicAddresses } from './webhook-address.ts';
import { failureText } from './webhook-failure.ts';
import { type Lookup, systemLookup } from './webhook-lookup.ts';

const CALL_MILLISECONDS = 10_000;
const MOST_BODY_BYTES = 1_024;
/** Long enough for another continent, short enough for a few dead addresses before a live one. */
const CONNECT_MILLISECONDS = 2_000;

/** How one call ended: `error` is one short line without anything secret, null where the call was delivered. */
export interface Delivery {
  status: number | null;
  error: string | null;
}

export interface Call {
  /** The webhook_url as it was given. */
  url: string;
  /** The secret UUID that is added to its query as `id`. */
  id: string;
  jobId: string;
  webhookSecret: string;
  /** CIDRs that count as publicly accessible. */
  allow: readonly string[];
  /** Gives the call up. */
  signal?: AbortSignal;
  /** For the whole exchange, in milliseconds: name, connection, headers, body. */
  timeoutMs?: number;
}

/** Whether the receiver took the call: any 2xx. */
export const delivered = ({ status }: Delivery): boolean => status !== null && status >= 200 && status < 300;

/**
 * Calls back (contract, section 6) and never throws. A redirect is not followed. A status counts as soon as it
 * is here: a body that is too long or too slow is cut off and changes nothing.
 */
export async function callWebhook(call: Call, lookup: Lookup = systemLookup): Promise<Delivery> {
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

async function perform(call: Call, lookup: Lookup, signal: AbortSignal): Promise<Delivery> {
  const target = parseWebhookUrl(call.url);
  if (!target) return failed('address is not an https address');
  // Not by searchParams, which would rewrite the query that is there.
  target.search = `${target.search === '' ? '?' : `${target.search}&`}id=${encodeURIComponent(call.id)}`;
  target.hash = '';

  const addresses = await publicAddresses(target.hostname, call.allow, lookup, signal);
  if (signal.aborted) return failed(String(signal.reason));
  if (!addresses) return failed('address is not publicly accessible');
  if (addresses.length === 0) return failed('name does not resolve');
  return exchange(target, signedHeaders(call, target.href), addresses, signal);
}

/** In the manner of Standard Webhooks, of an address in place of a body. */
function signedHeaders({ jobId, webhookSecret }: Call, address: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const content = `${jobId}.${timestamp}.${address}`;
  return {
    'user-agent': `forecourt/${manifest.version}`,
    'webhook-id': jobId,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${createHmac('sha256', webhookSecret).update(content).digest('base64')}`,
  };
}

function exchange(
  target: URL,
  headers: Record<string, string>,
  addresses: LookupAddress[],
  signal: AbortSignal,
): Promise<Delivery> {
  return new Promise((resolve) => {
    let status: number | undefined;
    const request = get(target, { headers, signal, ...connectOnlyTo(addresses, target.hostname) });
    request.on('response', (response) => {
      status = response.statusCode;
      let bytes = 0;
      response.on('error', () => {});
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > MOST_BODY_BYTES) response.destroy();
      });
    });
    const settle = (error?: Error) =>
      resolve(status === undefined ? failed(reasonOf(request, signal, error)) : answered(status));
    request.on('error', settle);
    request.on('close', () => settle());
  });
}

/** Options of a connection of its own to one of these addresses, without a second resolution. */
function connectOnlyTo(addresses: LookupAddress[], hostname: string) {
  return {
    // The addresses are judged already. Where `lookup` were lost or ignored, this still refuses private ones.
    agent: new RequestFilteringHttpsAgent({ allowIPAddressList: addresses.map(({ address }) => address) }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_MILLISECONDS,
    lookup: (_name: string, _options: unknown, callback: (error: null, all: LookupAddress[]) => void) =>
      process.nextTick(callback, null, addresses),
    // Certificates never bear the dot that ends a full name.
    servername: isIP(hostname.replace(/^\[|\]$/g, '')) ? '' : hostname.replace(/\.$/, ''),
    rejectUnauthorized: true,
  };
}

function answered(status: number): Delivery {
  if (delivered({ status, error: null })) return { status, error: null };
  const redirects = status >= 300 && status < 400 ? ', redirects are not followed' : '';
  return { status, error: `answered ${status}${redirects}` };
}

function reasonOf(request: ClientRequest, signal: AbortSignal, error?: Error): string {
  return signal.aborted ? String(signal.reason) : failureText(error, request.socket);
}
