// The answer to a request that added a record: 201 with its address.
import type { Row } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import { type Answer, successJson } from './answer.ts';
import { type Call, PREFIX } from './endpoint.ts';
import { etag } from './etag.ts';

/** `json`: the record as the answer shows it. */
export const added = ({ services }: Call, { name }: Resource, row: Row, json: string): Answer =>
  successJson(json, 201, {
    ETag: etag(row),
    Location: `${services.publicUrl}${PREFIX}/${name}/${row.id}`,
  });
