// A small S3 server on a free port of the loopback address. It has the calls that the service makes and refuses all
// others with 501. No package offers uploads in parts, their list and conditional writes together.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { freePort } from './port.ts';
import { S3Error, S3Objects } from './s3-objects.ts';

const BUCKET = 'forecourt-tests';
const ACCESS_KEY = 'AKIATESTS';

interface S3Call {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
}

export interface S3Server {
  readonly port: number;
  /** The variables of a service that uses the bucket. */
  readonly env: NodeJS.ProcessEnv;
  /** The variables that the SDK reads by itself. */
  readonly aws: NodeJS.ProcessEnv;
  readonly objects: S3Objects;
  /** Gets each call before it is answered. Answers the status of a refusal; `hang`: no answer at all. */
  onCall: (call: S3Call) => number | 'hang' | undefined | Promise<number | 'hang' | undefined>;
  /** Whether the connection breaks once an upload in parts is complete. */
  losesCompletions: boolean;
  /** Cuts all connections and refuses new ones. The objects stay. */
  stop(): Promise<void>;
  /** Listens again, on the same port. */
  start(): Promise<void>;
  /** Stops, and removes the objects. */
  close(): Promise<void>;
  /** How many readers left before the end of an object. */
  leftReaders: number;
}

export async function openS3(prefix = 'garage/one'): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'forecourt-s3-'));
  const objects = new S3Objects(folder);
  await objects.open();
  let server: Server | undefined;
  const listen = async (port: number) => {
    server = createServer((request, response) => void handle(opened, request, response));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const port = await freePort();
  await listen(port);
  const aws = { AWS_ACCESS_KEY_ID: ACCESS_KEY, AWS_SECRET_ACCESS_KEY: 'the secret of the tests' };
  const opened: S3Server = {
    port,
    env: {
      STORAGE_URL: `s3://${BUCKET}/${prefix}`,
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_REGION: 'eu-west-1',
      ...aws,
    },
    aws,
    objects,
    onCall: () => undefined,
    losesCompletions: false,
    leftReaders: 0,
    stop: async () => {
      if (!server) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      server = undefined;
      await closed;
    },
    start: async () => {
      await listen(port);
    },
    close: async () => {
      await opened.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return opened;
}

async function handle(opened: S3Server, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '', 'http://localhost');
  const [, bucket, ...path] = url.pathname.split('/').map(decodeURIComponent);
  const call = { method: request.method ?? '', key: path.join('/'), query: url.searchParams };
  try {
    const refused = await opened.onCall(call);
    if (refused === 'hang') return;
    if (refused !== undefined) throw new S3Error(refused, refused === 503 ? 'SlowDown' : 'Refused');
    if (!request.headers.authorization?.includes(ACCESS_KEY)) throw new S3Error(403, 'InvalidAccessKeyId');
    if (bucket !== BUCKET) throw new S3Error(404, 'NoSuchBucket');
    await answer(opened, call, request, response);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    const { status, code } = error instanceof S3Error ? error : new S3Error(500, String(error));
    response.writeHead(status, { 'Content-Type': 'application/xml' });
    response.end(request.method === 'HEAD' ? '' : xml('Error', { Code: code, Message: code }));
    request.resume();
  }
}

async function answer(
  opened: S3Server,
  { method, key, query }: S3Call,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { objects } = opened;
  const id = query.get('uploadId') ?? '';
  const send = (body = '', headers: Record<string, string> = {}) =>
    void response.writeHead(200, headers).end(body);
  const prefix = query.get('prefix') ?? '';
  switch (`${method} ${key === '' ? 'bucket' : 'object'} ${subject(query)}`) {
    case 'GET bucket list-type': {
      const all = (await objects.list(prefix)).filter(
        (object) => object.key > (query.get('continuation-token') ?? ''),
      );
      const page = all.slice(0, Number(query.get('max-keys') ?? 1000));
      const IsTruncated = page.length < all.length;
      const NextContinuationToken = page.at(-1)?.key ?? '';
      const Contents = page.map((object) => ({ Key: object.key, Size: object.size }));
      return send(xml('ListBucketResult', { IsTruncated, NextContinuationToken, Contents }));
    }
    case 'GET bucket uploads': {
      const Upload = (await objects.uploads(prefix)).map((one) => ({
        Key: one.key,
        UploadId: one.id,
        Initiated: one.begun.toISOString(),
      }));
      return send(xml('ListMultipartUploadsResult', { IsTruncated: false, Upload }));
    }
    case 'PUT object ':
      return send('', { ETag: await objects.put(key, request, request.headers['if-none-match'] === '*') });
    case 'PUT object uploadId':
      return send('', { ETag: await objects.putPart(id, query.get('partNumber') ?? '', request) });
    case 'POST object uploads':
      return send(xml('InitiateMultipartUploadResult', { UploadId: await objects.begin(key) }));
    case 'POST object uploadId':
      await objects.complete(id, partsOf(await text(request)));
      if (opened.losesCompletions) return void response.destroy();
      return send(xml('CompleteMultipartUploadResult', { ETag: '"whole"' }));
    case 'DELETE object uploadId':
      await objects.abort(id);
      return void response.writeHead(204).end();
    case 'DELETE object ':
      await objects.remove(key);
      return void response.writeHead(204).end();
    case 'HEAD object ':
    case 'GET object ':
      return read(opened, key, request, response);
    default:
      throw new S3Error(501, 'NotImplemented');
  }
}

async function read(
  opened: S3Server,
  key: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { objects } = opened;
  const { size, modified } = await objects.find(key);
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const range = { start: Number(first ?? 0), end: Math.min(Number(last ?? size), size) };
  if (first !== undefined && range.start >= size) throw new S3Error(416, 'InvalidRange');
  const end = Math.min(range.end, size - 1);
  response.writeHead(first === undefined ? 200 : 206, {
    'Content-Length': end - range.start + 1,
    'Last-Modified': modified.toUTCString(),
    ...(first !== undefined && { 'Content-Range': `bytes ${range.start}-${end}/${size}` }),
  });
  if (request.method === 'HEAD' || size === 0) response.end();
  else
    await pipeline(objects.read(key, { start: range.start, end }), response).catch(() => {
      opened.leftReaders += 1;
    });
}

const subject = (query: URLSearchParams) =>
  ['list-type', 'uploads', 'uploadId'].find((name) => query.has(name)) ?? '';

const partsOf = (body: string) =>
  [...body.matchAll(/<Part>(.*?)<\/Part>/gs)].map(([, part = '']) => ({
    number: /<PartNumber>(\d+)</.exec(part)?.[1] ?? '',
    tag: (/<ETag>(.*?)</.exec(part)?.[1] ?? '').replaceAll('&quot;', '"'),
  }));

type Value = string | number | boolean | readonly Record<string, Value>[];

function xml(name: string, values: Record<string, Value>): string {
  const inner = Object.entries(values).flatMap(([key, value]) =>
    Array.isArray(value) ? value.map((one) => xml(key, one)) : [`<${key}>${escaped(String(value))}</${key}>`],
  );
  return `<${name}>${inner.join('')}</${name}>`;
}

const escaped = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
