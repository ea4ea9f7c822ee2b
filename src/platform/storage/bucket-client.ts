// The client of an S3-compatible store. Every request has time limits, so a store that hangs does not hang the service,
// and every failure that may pass becomes a StorageAway.
import { NoSuchKey, NoSuchUpload, NotFound, S3Client } from '@aws-sdk/client-s3';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import type { StorageSettings } from './open.ts';
import { StorageAway } from './store.ts';

const CONNECT_MS = 3_000;
/** Without a byte, in either direction. */
const IDLE_MS = 30_000;
const MOST_ATTEMPTS = 3;
/** More than the connections of callers: each may be a slow download. The usual 50 would leave none for others. */
const AGENT = { keepAlive: true, maxSockets: 1_100 } as const;
/** Until the answer begins; each attempt has this time. */
export const ANSWER = { requestTimeout: 5_000 } as const;
/** The same for requests that carry a document. */
export const TRANSFER = { requestTimeout: 20_000 } as const;

export const openClient = ({ s3Endpoint, s3Region }: StorageSettings): S3Client =>
  new S3Client({
    region: s3Region,
    ...(s3Endpoint !== '' && { endpoint: s3Endpoint, forcePathStyle: true }),
    // Many stores refuse the checksums that the SDK sends by default.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MOST_ATTEMPTS,
    requestHandler: new NodeHttpHandler({
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      throwOnRequestTimeout: true,
      httpAgent: AGENT,
      httpsAgent: AGENT,
    }),
  });

/** Codes of Node for a lost connection. */
const LOST = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Names of the SDK for an answer that did not come. */
const NO_ANSWER = new Set(['TimeoutError', 'RequestTimeout', 'CredentialsProviderError']);
/** Refusals that another configuration or a later time ends: keys that have expired, and too many requests. */
const PASSING_STATUS = new Set([401, 403, 408, 429]);

const MISSING = [NoSuchKey, NoSuchUpload, NotFound];

/** Calls the store. Throws a StorageAway if the failure may pass, else the SDK's own error. */
export async function reach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw translate(error);
  }
}

/** Calls the store. Undefined if the key or the upload does not exist. */
export const unlessMissing = <T>(work: () => Promise<T>): Promise<T | undefined> =>
  reach(async () => {
    try {
      return await work();
    } catch (error) {
      if (MISSING.some((kind) => error instanceof kind)) return undefined;
      throw error;
    }
  });

/** A StorageAway if the failure may pass, else the error itself. */
export function translate(error: unknown): unknown {
  const { code, name } = (error ?? {}) as { code?: string; name?: string };
  const passes = LOST.has(code ?? '') || NO_ANSWER.has(name ?? '') || isPassing(statusOf(error));
  return passes ? new StorageAway(error) : error;
}

/** The HTTP status of a refusal; 0 if the store gave none. */
export const statusOf = (error: unknown): number =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode ?? 0;

// 501 says that the store lacks the call, and will lack it later.
const isPassing = (status: number) => (status >= 500 && status !== 501) || PASSING_STATUS.has(status);
