// A record with its relations. The ETag depends on all that the answer shows, so it is known only after everything was
// read. A long answer is not kept meanwhile: it is read again, from the same snapshot, and sent in chunks.
import { createHash, hash } from 'node:crypto';
import { problem } from '../core/errors.ts';
import type { Row } from '../core/model/fields/field.ts';
import { neededColumns } from '../core/model/lists/expand.ts';
import { findRecord } from '../core/model/lists/find.ts';
import { keptJson, recordPieces } from '../core/model/lists/list-json.ts';
import type { Resource } from '../core/model/records/record.ts';
import type { Relation } from '../core/model/records/relation.ts';
import { garageOf } from '../core/model/statements/garage.ts';
import { type Answer, successChunks, successJson } from './answer.ts';
import type { Call } from './endpoint.ts';
import { etag, isUnchanged } from './etag.ts';
import { readingAnswer, readingChunks } from './reading.ts';

interface Asked {
  readonly id: number;
  readonly columns: readonly string[];
  readonly expand: readonly Relation[];
}

/** Throws Problem if the owner has no such record. */
export const readExpanded = (
  call: Call,
  resource: Resource,
  { id, columns, expand }: Asked,
): Promise<Answer> =>
  readingAnswer(call, async (session) => {
    const garage = garageOf(session, call.identity.owner);
    const row = await findRecord(garage, resource, id, neededColumns(columns, expand));
    if (!row) throw problem('record_unknown', { field: 'id', value: id });
    const shown = { resource, row, columns, expand };
    const long = createHash('sha1');
    const json = await keptJson(garage, shown, (piece) => long.update(piece));
    // One hash of a short text is faster than a hash in pieces.
    const digest = json === undefined ? long.digest('base64url') : hash('sha1', json, 'base64url');
    const ETag = etag(row, digest);
    if (isUnchanged(call.ctx, ETag)) return { status: 304, body: '', headers: { ETag } };
    if (json !== undefined) return successJson(json, 200, { ETag });
    return { status: 200, body: successChunks(recordPieces(garage, shown)), headers: { ETag } };
  });

/** The long answer to a request that has changed a record: its relations are read after the commit. */
export const changedExpanded = (
  call: Call,
  resource: Resource,
  row: Row,
  expand: readonly Relation[],
): Answer => ({
  status: 200,
  body: readingChunks(call, true, (session) =>
    successChunks(
      recordPieces(garageOf(session, call.identity.owner), {
        resource,
        row,
        columns: resource.columns,
        expand,
      }),
    ),
  ),
  headers: { ETag: etag(row) },
});
