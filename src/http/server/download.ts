// Sends stored content: ranges, conditions and HEAD (RFC 9110). A folder and a bucket give the same answers.
import { pipeline } from 'node:stream/promises';
import fresh from 'fresh';
import type { Context } from 'koa';
import parseRange from 'range-parser';
import { Problem, problem, violation } from '../../core/errors.ts';
import type { ByteRange, Found, Store } from '../../platform/storage/store.ts';

/** A file and its headers. */
interface Download {
  readonly store: Store;
  readonly name: string;
  /** The name that a browser gives it. */
  readonly fileName: string;
  /** If nothing is said, the time at which the store has written it. */
  readonly modifiedAt?: Date;
  /** Headers that describe it, among them a strong ETag. */
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
}

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The part that a 206 sends. */
  readonly range?: ByteRange;
}

/** Answers the request. Resolves when the response is closed, also by a client that went away. Throws Problem. */
export async function sendDownload(
  ctx: Context,
  { store, name, fileName, modifiedAt, headers }: Download,
): Promise<void> {
  const gone = () => problem('record_unknown', { field: 'name', value: name });
  const found = await store.find(name);
  if (!found) throw gone();
  const reply = replyTo(ctx, { ...found, ...(modifiedAt && { modifiedAt }) }, headers);
  const hasBody = ctx.method !== 'HEAD' && reply.status !== 304;
  const content = hasBody ? await store.read(name, reply.range) : undefined;
  if (hasBody && !content) throw gone();
  ctx.respond = false;
  ctx.attachment(fileName);
  // Koa sets a type by the name.
  ctx.remove('Content-Type');
  ctx.set(reply.headers);
  ctx.res.statusCode = reply.status;
  if (!content) return void ctx.res.end();
  try {
    await pipeline(content, ctx.res);
  } catch (error) {
    // The client left. It resumes with a range.
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

/** Status and headers of the answer. Throws Problem: 412, 416. */
function replyTo(ctx: Context, { size, modifiedAt }: Found, described: Download['headers']): Reply {
  const all = { ...described, 'Last-Modified': modifiedAt.toUTCString(), 'Accept-Ranges': 'bytes' };
  demandMatch(ctx, described.ETag, modifiedAt);
  if (isFresh(ctx, described.ETag, all['Last-Modified'])) {
    const { 'Content-Type': _, ...headers } = all as Record<string, string>;
    return { status: 304, headers };
  }
  const range = isRangeMeant(ctx, described.ETag, modifiedAt) ? rangeOf(ctx, size) : undefined;
  if (!range) return { status: 200, headers: { ...all, 'Content-Length': String(size) } };
  const { start, end } = range;
  const length = {
    'Content-Length': String(end - start + 1),
    'Content-Range': `bytes ${start}-${end}/${size}`,
  };
  return { status: 206, headers: { ...all, ...length }, range };
}

function demandMatch({ req: { headers } }: Context, etag: string, modifiedAt: Date): void {
  const match = headers['if-match'];
  const since = headers['if-unmodified-since'];
  const holds =
    match === undefined
      ? since === undefined || !(wholeSeconds(modifiedAt) > Date.parse(since))
      : match.split(',').some((tag) => ['*', etag].includes(tag.trim()));
  if (!holds) throw problem('record_changed');
}

/** fetch() adds no-cache to If-None-Match. It must not bring a file that the caller has already. */
const isFresh = ({ req: { headers } }: Context, etag: string, lastModified: string): boolean =>
  fresh({ ...headers, 'cache-control': undefined }, { etag, 'last-modified': lastModified });

/** Whether the range still means this content (If-Range). */
function isRangeMeant(ctx: Context, etag: string, modifiedAt: Date): boolean {
  const condition = ctx.get('If-Range');
  if (condition === '') return true;
  return condition.includes('"') ? condition === etag : wholeSeconds(modifiedAt) <= Date.parse(condition);
}

/** The range of the request. Undefined for the whole: no range, several ranges or a malformed one. Throws Problem. */
function rangeOf(ctx: Context, size: number): ByteRange | undefined {
  const asked = ctx.get('Range');
  if (!/^ *bytes=/.test(asked)) return undefined;
  // range-parser refuses a suffix that is longer than the file. Such a suffix is the whole file (RFC 9110, 14.1.2).
  const suffix = /^ *bytes= *-(\d+) *$/.exec(asked)?.[1];
  if (suffix !== undefined && size > 0 && Number(suffix) > size) return { start: 0, end: size - 1 };
  const ranges = parseRange(size, asked, { combine: true });
  if (ranges === -1) throw new Problem(violation('range_invalid'), { 'Content-Range': `bytes */${size}` });
  return ranges === -2 || ranges.length > 1 ? undefined : ranges[0];
}

/** As a header shows it. */
const wholeSeconds = (at: Date) => Math.floor(at.getTime() / 1000) * 1000;
