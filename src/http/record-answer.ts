// The answers to requests that added or changed a record.
import type { Row } from '../core/model/fields/field.ts';
import type { Resource } from '../core/model/records/record.ts';
import { serializer } from '../core/model/records/serialize.ts';
import { type Answer, successJson } from './answer.ts';
import { type Call, PREFIX } from './endpoint.ts';
import { etag } from './etag.ts';

/** The address of a record. */
export const addressOf = ({ services }: Call, { name }: Resource, { id }: Row): string =>
  `${services.publicUrl}${PREFIX}/${name}/${id}`;

/** 201 with the address of the new record. `json`: the record as the answer shows it. */
export const added = (call: Call, resource: Resource, row: Row, json: string): Answer =>
  successJson(json, 201, { ETag: etag(row), Location: addressOf(call, resource, row) });

/** `json`: the record as the answer shows it, if more than its fields is shown. */
export const changed = (resource: Resource, row: Row, json = serializer(resource)(row)): Answer =>
  successJson(json, 200, { ETag: etag(row) });
