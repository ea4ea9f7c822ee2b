// Downloads archives and documents by signed address. The `send` package serves ranges and conditions.
import { basename, join } from 'node:path';
import type { Context } from 'koa';
import send from 'send';
import { Problem, problem, violation } from '../errors.ts';
import { archiveDigest } from '../jobs/job.ts';
import { isSigned } from '../jobs/link.ts';
import { modelNamed } from '../model/registry.ts';
import type { Parts } from '../parts.ts';

const ARCHIVE = /^[a-z-]+-[0-9a-f]{8}-[0-9a-f-]{27}-\d+\.zip$/;
const DOCUMENT = /^[0-9a-f]{64}$/;

/** RFC 9110, 8.3.1. Another text can't stand in a header. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:;[\t\x20-\x7e]*)?$/;
const ANY_BYTES = 'application/octet-stream';

interface Download {
  folder: string;
  fileName: string;
  type: string;
  /** Hexadecimal. */
  sha256: string;
}

export async function serveFile(parts: Parts, ctx: Context, name: string): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  if (!isSigned(parts.signingSecret, name, query)) throw problem('signature_invalid');
  const download = await find(parts, name, query);
  if (!download) throw problem('record_unknown', { field: 'name', value: name });
  await stream(ctx, join(download.folder, name), () => {
    ctx.attachment(download.fileName);
    ctx.set({
      ETag: `"${download.sha256}"`,
      'Repr-Digest': `sha-256=:${Buffer.from(download.sha256, 'hex').toString('base64')}:`,
      'Content-Type': download.type,
      'Cache-Control': 'private, no-transform',
      // A browser must not run a file as a page of this service.
      'Content-Security-Policy': "sandbox; default-src 'none'",
    });
  });
}

async function find(parts: Parts, name: string, query: URLSearchParams): Promise<Download | undefined> {
  if (DOCUMENT.test(name)) return findDocument(parts, name, Number(query.get('document')));
  if (!ARCHIVE.test(name)) return undefined;
  const sha256 = await archiveDigest(parts.database, name);
  return sha256 === undefined
    ? undefined
    : { folder: parts.storage.archives, fileName: name, type: 'application/zip', sha256 };
}

async function findDocument(
  { database, storage }: Parts,
  sha256: string,
  id: number,
): Promise<Download | undefined> {
  const document = await modelNamed('document')
    .query(database.knex)
    .select('file_name', 'mime_type')
    .findOne({ id, sha256 });
  if (!document) return undefined;
  const { file_name, mime_type } = document as unknown as Record<'file_name' | 'mime_type', string>;
  return {
    folder: storage.documents,
    fileName: basename(file_name) || sha256,
    type: MEDIA_TYPE.test(mime_type) ? mime_type : ANY_BYTES,
    sha256,
  };
}

/** Lets `send` answer. Resolves when the response is closed, also by a client that went away. */
function stream(ctx: Context, path: string, setHeaders: () => void): Promise<void> {
  const before = ctx.res.getHeaders() as Record<string, string>;
  setHeaders();
  // fetch() adds no-cache to If-None-Match. With no-cache, `send` would send a file that the caller has already.
  delete ctx.req.headers['cache-control'];
  ctx.respond = false;
  ctx.res.statusCode = 200;
  return new Promise((resolve, reject) => {
    ctx.res.once('close', resolve);
    send(ctx.req, path, { etag: false, cacheControl: false, dotfiles: 'allow' })
      .on('error', (error: Error & { status?: number }) => {
        // The client resumes after a broken connection. Bytes of an error would end up in its file.
        if (ctx.res.headersSent) {
          ctx.res.destroy();
          return;
        }
        const size = ctx.res.getHeader('Content-Range');
        for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name);
        ctx.set(before);
        ctx.respond = true;
        reject(refusalOf(error, basename(path), String(size)));
      })
      .pipe(ctx.res);
  });
}

function refusalOf(error: Error & { status?: number }, value: string, contentRange: string): Error {
  switch (error.status) {
    case 404:
      return problem('record_unknown', { field: 'name', value });
    case 412:
      return problem('record_changed');
    case 416:
      return new Problem(violation('range_invalid'), { 'Content-Range': contentRange });
    default:
      return error;
  }
}
