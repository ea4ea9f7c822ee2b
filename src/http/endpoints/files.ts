// Downloads archives and documents by signed address.

import { basename } from 'node:path';
import type { Context } from 'koa';
import { problem } from '../../core/errors.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { findDocument } from '../../platform/storage/document-file.ts';
import type { Store } from '../../platform/storage/store.ts';
import { archiveDigest } from '../../work/jobs/job.ts';
import { isSigned } from '../../work/jobs/link.ts';
import type { Services } from '../../work/services.ts';
import { sendDownload } from '../server/download.ts';

const ARCHIVE = /^[a-z-]+-[0-9a-f]{8}-[0-9a-f-]{27}-\d+\.zip$/;
const DOCUMENT = /^[0-9a-f]{64}$/;

/** RFC 9110, 8.3.1. Another text can't stand in a header. */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(?:;[\t\x20-\x7e]*)?$/;
const ANY_BYTES = 'application/octet-stream';

interface Stored {
  store: Store;
  fileName: string;
  type: string;
  /** Hexadecimal. */
  sha256: string;
  modifiedAt?: Date;
}

export async function serveFile(services: Services, ctx: Context, name: string): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  if (!isSigned(services.signingSecret, name, query)) throw problem('signature_invalid');
  const stored = await find(services, name, query);
  if (!stored) throw problem('record_unknown', { field: 'name', value: name });
  const { store, fileName, type, sha256, modifiedAt } = stored;
  await sendDownload(ctx, {
    store,
    name,
    fileName,
    modifiedAt,
    headers: {
      ETag: `"${sha256}"`,
      'Repr-Digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'Content-Type': type,
      'Cache-Control': 'private, no-transform',
      // A browser must not run a file as a page of this service.
      'Content-Security-Policy': "sandbox; default-src 'none'",
    },
  });
}

async function find(services: Services, name: string, query: URLSearchParams): Promise<Stored | undefined> {
  if (DOCUMENT.test(name)) return findStored(services, name, Number(query.get('document')));
  if (!ARCHIVE.test(name)) return undefined;
  const sha256 = await archiveDigest(services.database, name);
  return sha256 === undefined
    ? undefined
    : { store: services.storage.archives, fileName: name, type: 'application/zip', sha256 };
}

async function findStored(
  { database, storage }: Services,
  sha256: string,
  id: number,
): Promise<Stored | undefined> {
  const document = await findDocument(database, id, sha256);
  if (!document) return undefined;
  const { file_name, mime_type, created_at } = document;
  return {
    store: storage.documents,
    fileName: basename(file_name) || sha256,
    type: MEDIA_TYPE.test(mime_type) ? mime_type : ANY_BYTES,
    sha256,
    // The file is shared: its own time would tell when another garage stored the same bytes.
    modifiedAt: new Date(formatTimestamp(created_at)),
  };
}
