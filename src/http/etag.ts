// ETags. A record's version is its tag, so that a selection of fields has the same tag as the whole record. Expanded
// relations add a second half to the tag, which If-Match ignores.
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Row } from '../model/field.ts';
import type { Expect } from '../model/store.ts';

export const etag = (row: Row, expanded?: string): string =>
  expanded === undefined
    ? `"${row.version}"`
    : `"${row.version}-${hash('sha1', expanded, 'base64url').slice(0, 12)}"`;

/** Whether the caller already has this answer (If-None-Match). */
export function isUnchanged(ctx: Context, tag: string): boolean {
  const header = ctx.req.headers['if-none-match'];
  return (
    header !== undefined &&
    (header.trim() === '*' || tagsIn(header).some((one) => one.replace(/^W\//, '') === tag))
  );
}

/** Checks a record's version against If-Match; undefined if the header is missing. */
export function expectation(ctx: Context): Expect | undefined {
  const header = ctx.req.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  // A weak tag never matches (RFC 9110, 13.1.1).
  const versions = tagsIn(header).map((tag) => tag.replace(/^"|(?:-[^"]*)?"$/g, ''));
  return (version) => versions.includes(String(version));
}

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());
