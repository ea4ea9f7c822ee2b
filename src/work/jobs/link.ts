// Signed addresses of files: anyone who has one may download the file until the address expires, without a token. The
// signature covers every part of the address that decides which file is served.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '../../core/trade/time/duration.ts';
import { isAhead } from '../../core/trade/time/timestamp.ts';

const VALID_MS = DAY_MS;

interface SignedLink {
  readonly url: string;
  /** ISO 8601. */
  readonly expires_at: string;
}

/** The address of `/files/<name>`, valid for 24 hours. The signature covers `extra` parameters too. */
export function signLink(
  secret: string,
  publicUrl: string,
  name: string,
  extra: Record<string, string> = {},
): SignedLink {
  const expires = Math.floor((Date.now() + VALID_MS) / 1000);
  const query = new URLSearchParams({ ...extra, expires: String(expires) });
  query.set('signature', signatureOf(secret, name, query));
  return { url: `${publicUrl}/files/${name}?${query}`, expires_at: new Date(expires * 1000).toISOString() };
}

/**
 * Whether the signature of an address is ours, and the address has not expired, nor was made by a clock that ran
 * ahead.
 */
export function isSigned(secret: string, name: string, query: URLSearchParams): boolean {
  const given = Buffer.from(query.get('signature') ?? '');
  const expected = Buffer.from(signatureOf(secret, name, query));
  const expires = Number(query.get('expires')) * 1000;
  return given.length === expected.length && timingSafeEqual(given, expected) && isAhead(expires, VALID_MS);
}

function signatureOf(secret: string, name: string, query: URLSearchParams): string {
  const signed = [...query].filter(([key]) => key !== 'signature');
  return createHmac('sha256', secret)
    .update(JSON.stringify([name, signed.sort()]))
    .digest('base64url');
}
