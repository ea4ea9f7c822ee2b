// ETags. A record's version is its tag, so that a part of its fields carries the same tag as the whole; what
// is expanded beside it goes into a second half, which If-Match does not look at.
import { hash } from 'node:crypto';
import type { Context } from 'koa';
import type { Row } from '../model/field.ts';
import type { Expect } from '../model/store.ts';

export const etag = (row: Row, expanded?: string): string =>
  expanded === undefined
    ? `"${row.version}"`
    : `"${row.version}-${hash('sha1', expanded, 'base64url').slice(0, 12)}"`;

/** Whether the caller already has what would be answered (If-None-Match). */
export function isUnchanged(ctx: Context, tag: string): boolean {
  const header = ctx.req.headers['if-none-match'];
  return (
    header !== undefined &&
    (header.trim() === '*' || tagsIn(header).some((one) => one.replace(/^W\//, '') === tag))
  );
}

/** What If-Match asks of the record's version; undefined where the header is missing. */
export function expectation(ctx: Context): Expect | undefined {
  const header = ctx.req.headers['if-match'];
  if (header === undefined || header.trim() === '*') return undefined;
  // A weak tag promises too little to write upon (RFC 9110, 13.1.1): it matches nothing.
  const versions = tagsIn(header).map((tag) => tag.replace(/^"|(?:-[^"]*)?"$/g, ''));
  return (version) => versions.includes(String(version));
}

const tagsIn = (header: string) => header.split(',').map((tag) => tag.trim());
