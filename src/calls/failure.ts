// Tells in one short line why a call got no answer. Uses only the code of an error, because its message may hold
// addresses and secrets.
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

const TEXTS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection was closed before an answer',
  EPIPE: 'connection was closed before an answer',
  ETIMEDOUT: 'connection timed out',
  EHOSTUNREACH: 'host cannot be reached',
  ENETUNREACH: 'host cannot be reached',
  EADDRNOTAVAIL: 'host cannot be reached',
};

/** The reason of a failed call. Without an error, the receiver closed the connection. */
export function failureText(error: unknown, socket?: Socket | null): string {
  const untrusted = (socket as TLSSocket | null | undefined)?.authorizationError;
  if (untrusted) return `certificate is not trusted (${untrusted})`;
  if (!error) return 'connection was closed before an answer';
  const code = String((error as NodeJS.ErrnoException).code ?? '');
  if (/^(EPROTO|ERR_SSL|ERR_TLS)/.test(code)) return `no secure connection (${code})`;
  if (code.startsWith('HPE_')) return `answer is not HTTP (${code})`;
  return TEXTS[code] ?? (code ? `call failed (${code})` : 'call failed');
}
