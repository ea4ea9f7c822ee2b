// PUT with `external_id` in the query: changes the record with that key (200), or adds it (201).
import { forbidden } from '../../auth/permission.ts';
import { Problem, problem } from '../../errors.ts';
import type { Resource } from '../../model/record.ts';
import { serializer } from '../../model/serialize.ts';
import { upsertRecord } from '../../model/upsert.ts';
import { type Answer, successJson } from '../answer.ts';
import { added } from '../created.ts';
import type { Call } from '../endpoint.ts';
import { etag, expectation } from '../etag.ts';

export async function upsert(resource: Resource, call: Call, key: string): Promise<Answer> {
  const { services, identity, actor, body, ctx } = call;
  const { allow, role } = identity;
  const isOther = Object.hasOwn(body, 'external_id') && body.external_id !== key;
  if (isOther || Object.hasOwn(body, 'id')) throw problem('primary_id_invalid');
  const beforeAdding = () => {
    const found = forbidden(allow, role, 'POST', `/${resource.name}`);
    if (found) throw new Problem(found);
    // No version holds, not even `*`, where there is no record.
    if (ctx.req.headers['if-match'] !== undefined) throw problem('record_changed');
  };
  const request = { actor, key, body, expect: expectation(ctx), beforeAdding };
  const { row, isNew } = await upsertRecord(services.database, resource, request);
  const json = serializer(resource)(row);
  return isNew ? added(call, resource, row, json) : successJson(json, 200, { ETag: etag(row) });
}
