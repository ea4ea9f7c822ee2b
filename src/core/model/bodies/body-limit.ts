// How large the JSON of a record may be: the body of a request, or a row of an import.
import type { Resource } from '../records/record.ts';

const MEBIBYTE = 1024 * 1024;
export const BODY_LIMIT = MEBIBYTE;

/** The limit of a body with a record of the resource: the usual one and the base64 of its bytes, in whole MiB. */
export function bodyLimitOf({ fields }: Resource): number {
  const bytes = [...fields.values()].filter(({ datatype }) => datatype === 'bytea');
  const base64 = bytes.reduce((sum, { length = 0 }) => sum + 4 * Math.ceil(length / 3), 0);
  return Math.ceil((BODY_LIMIT + base64) / MEBIBYTE) * MEBIBYTE;
}
