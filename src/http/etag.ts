// ETags. A record's version is its tag, so that a selection of fields has the same tag as the whole record. Expanded
// relations add a second half to the tag, which If-Match ignores. Proxies that compress answers change tags: nginx
// sends W/"3", Apache "3-gzip", Jetty "3;br". These forms count as the tag.
import type { Context } from 'koa';
import type { Row } from '../core/model/fields/field.ts';
import type { Expect } from '../core/model/writes/store.ts';

/** `digest`: the SHA-1 of a record with expanded relations, as base64url. */
export const etag = (row: Row, digest?: string): string =>
  digest === undefined ? `"${row.version}"` : `"${row.version}-${digest.slice(0, 12)}"`;

const WEAK = /^W\//;
/** What a proxy adds to the tag of an answer that it compresses. */
const COMPRESSED = /[-;](?:gzip|br)"$/;

/** The version in a tag. It may have a second half. Some clients leave the quotes out. */
const VERSION = /^"?(\d+)(?:(?:-[^"]*)?")?$/;

/** Whether the caller already has this answer (If-None-Match). */
export function isUnchanged(ctx: Context, tag: string): boolean {
  const header = ctx.req.headers['if-none-match'];
  if (header === undefined) return false;
  return (
    header.trim() === '*' ||
    tagsIn(header)
      .map((one) => one.replace(WEAK, ''))
      // The second half of a tag may happen to end like an addition of a proxy.
      .some((one) => one === tag || one.replace(COMPRESSED, '"') === tag)
  );
}

/** Checks a record's version against If-Match; undefined if the header is missing. */
export function expectation(ctx: Context): Expect | undefined {
  const header = ctx.req.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  // RFC 9110 lets a weak tag never match. But a version is the same in every encoding, so this one can't mislead.
  const versions = tagsIn(header).map(
    (tag) => VERSION.exec(tag.replace(WEAK, '').replace(COMPRESSED, '"'))?.[1],
  );
  return (version) => versions.includes(String(version));
}

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());
