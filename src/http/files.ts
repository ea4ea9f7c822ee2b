// Downloads by signed address: archives, and the bytes of documents. `send` serves ranges and conditions.
import { join } from 'node:path';
import type { Context } from 'koa';
import send from 'send';
import { problem } from '../errors.ts';
import { isSigned } from '../jobs/link.ts';
import type { Parts } from '../parts.ts';

const ARCHIVE = /^[a-z-]+-[0-9a-f]{8}-[0-9a-f-]{27}-\d+\.zip$/;
const DOCUMENT = /^[0-9a-f]{64}$/;

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
  ctx.set({
    ETag: `"${download.sha256}"`,
    'Repr-Digest': `sha-256=:${Buffer.from(download.sha256, 'hex').toString('base64')}:`,
    'Content-Type': download.type,
    'Cache-Control': 'private, no-transform',
    // Whatever a file holds, it is not run as a page of this service.
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });
  ctx.attachment(download.fileName);
  await stream(ctx, join(download.folder, name));
}

async function find(parts: Parts, name: string, query: URLSearchParams): Promise<Download | undefined> {
  if (DOCUMENT.test(name)) {
    return {
      folder: parts.storage.documents,
      fileName: query.get('name') ?? name,
      type: query.get('type') ?? 'application/octet-stream',
      sha256: name,
    };
  }
  if (!ARCHIVE.test(name)) return undefined;
  const [job] = await parts.database.rows('SELECT file_sha256 FROM jobs WHERE file_name = ? AND status = 3', [
    name,
  ]);
  return (
    job && {
      folder: parts.storage.archives,
      fileName: name,
      type: 'application/zip',
      sha256: String(job.file_sha256),
    }
  );
}

/** Hands the response over to `send`; resolves when it is over, also where the client went away. */
function stream(ctx: Context, path: string): Promise<void> {
  ctx.respond = false;
  ctx.res.statusCode = 200;
  return new Promise((resolve, reject) => {
    ctx.res.once('close', resolve);
    send(ctx.req, path, { etag: false, cacheControl: false, dotfiles: 'allow' })
      .on('error', (error: Error & { status?: number }) => {
        ctx.respond = true;
        const known =
          error.status === 404
            ? problem('record_unknown', { field: 'name', value: path.split('/').at(-1) })
            : error;
        reject(error.status === 416 ? rangeNotSatisfiable(ctx, resolve) : known);
      })
      .pipe(ctx.res);
  });
}

function rangeNotSatisfiable(ctx: Context, done: () => void): undefined {
  ctx.respond = false;
  ctx.res.statusCode = 416;
  ctx.res.end(done);
  return undefined;
}
