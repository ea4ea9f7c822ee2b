// Requests that Node's parser refuses: which refusal each of its errors is, and the answer as bytes. Koa never sees
// these requests.
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type Violation, violation } from '../../core/errors.ts';
import { LONGEST_URL } from '../middleware/well-formed.ts';
import { errorBody } from './error-body.ts';

/** Bytes of the request line and all headers. */
export const LONGEST_HEAD = 64 * 1024;

/** Node's error about a request that it can't parse. */
export interface ClientError extends Error {
  readonly code?: string;
  /** The last bytes that it received. */
  readonly rawPacket?: Buffer;
}

/** The refusal for an error of the parser. */
export function refusalOf({ code }: ClientError): Violation {
  return violation(code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'request_malformed');
}

export const isHeadTooLong = ({ code }: ClientError): boolean => code === 'HPE_HEADER_OVERFLOW';

const URL_TOO_LONG = violation('url_too_long');
const HEADERS_TOO_LARGE = violation('headers_too_large', { limit: LONGEST_HEAD });
const URL_BEGINS = new RegExp(`^[A-Z]+ \\S{${LONGEST_URL}}`);
const PATH_BEGINS = /^[A-Z]+ (\/|http)/;
const URL_ENDS = /^\S* HTTP\/1\.\d\r\n/;
const URL_MAY_END = /^\S*( H?T?T?P?\/?1?\.?\d?\r?)?$/;

/**
 * Tells a long URL from long headers. The parser reports the error with the bytes that arrived last, and those may lie
 * within the URL or within a header without a space. Then the bytes that follow decide.
 */
export class LongHead {
  private text = '';

  /** Takes the bytes of one error. Undefined while they don't say yet what is too long. */
  judge({ bytesRead }: Socket, { rawPacket }: ClientError): Violation | undefined {
    const piece = rawPacket?.toString('latin1') ?? '';
    const isFirst = this.text === '' && bytesRead === piece.length;
    this.text = `${this.text.slice(this.text.search(/\s|$/))}${piece}`;
    if (URL_ENDS.test(this.text)) return URL_TOO_LONG;
    if ((isFirst || PATH_BEGINS.test(piece)) && URL_BEGINS.test(piece)) return URL_TOO_LONG;
    return URL_MAY_END.test(this.text) ? undefined : HEADERS_TOO_LARGE;
  }

  /** The refusal if no more bytes come. */
  readonly otherwise = HEADERS_TOO_LARGE;
}

/** The whole answer of HTTP/1.1. */
export function rawAnswer(found: Violation, requestId: string): string {
  const body = JSON.stringify(errorBody([found], requestId));
  return [
    `HTTP/1.1 ${found.status} ${STATUS_CODES[found.status]}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
