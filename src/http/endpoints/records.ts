// The five operations of any resource: POST, GET one, GET many, PUT, DELETE.

import { problem, violation } from '../../core/errors.ts';
import { bodyLimitOf } from '../../core/model/bodies/body-limit.ts';
import { collected, refuse } from '../../core/model/bodies/check.ts';
import type { Row } from '../../core/model/fields/field.ts';
import { type Condition, referencesIn } from '../../core/model/lists/condition.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { familyJson, listJson, needsSnapshot } from '../../core/model/lists/list-json.ts';
import {
  foldedIn,
  listParameters,
  parseListQuery,
  readColumns,
  readExpand,
} from '../../core/model/lists/list-query.ts';
import type { WordSearch } from '../../core/model/lists/word-search.ts';
import { type Method, needsOf, type Resource } from '../../core/model/records/record.ts';
import type { Relation } from '../../core/model/records/relation.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { garageOf } from '../../core/model/statements/garage.ts';
import { childrenIn } from '../../core/model/writes/children.ts';
import { deleteRecord } from '../../core/model/writes/delete.ts';
import { addFamily } from '../../core/model/writes/family.ts';
import { changeRecord } from '../../core/model/writes/store.ts';
import { foldNewest } from '../../core/model/writes/unfolded.ts';
import { takesUpsert, upsertRecord } from '../../core/model/writes/upsert.ts';
import { tidyFiles } from '../../work/jobs/tidier.ts';
import { type Answer, success, successJson } from '../answer.ts';
import type { Address, Call, Endpoint, Operation } from '../endpoint.ts';
import { etag, expectation, isUnchanged } from '../etag.ts';
import { changedExpanded, readExpanded } from '../expanded.ts';
import { once } from '../idempotency.ts';
import { addDoc, changeByIdDoc, changeDoc, deleteDoc, listDoc, readDoc } from '../openapi/records.ts';
import { bodyId, readIdOrKey, readPrimaryId, requireId } from '../primary-id.ts';
import { readingChunks } from '../reading.ts';
import { added, changed } from '../record-answer.ts';

const ONE_PARAMETERS = ['id', 'fields', 'expand'];

export function recordEndpoint(resource: Resource): Endpoint {
  const bodyLimit = bodyLimitOf(resource);
  const operations: Record<Method, Operation> = {
    GET: {
      needs: needsOf(resource, 'GET'),
      parameters: [...new Set([...ONE_PARAMETERS, ...listParameters(resource)])],
      readId: idToRead,
      handle: (call) => (call.id === undefined ? list(resource, call) : readOne(resource, call, call.id)),
      doc: () => listDoc(resource),
      docById: () => readDoc(resource),
    },
    POST: {
      needs: needsOf(resource, 'POST'),
      readId: refuseId,
      body: 'required',
      bodyLimit,
      handle: (call) => add(resource, call),
      doc: () => addDoc(resource),
    },
    PUT: {
      needs: needsOf(resource, 'PUT'),
      parameters: takesUpsert(resource) ? ['id', 'external_id'] : ['id'],
      readId: readIdOrKey,
      body: 'required',
      bodyLimit,
      handle: (call) => change(resource, call),
      doc: () => changeDoc(resource),
      docById: () => changeByIdDoc(resource),
    },
    DELETE: {
      needs: needsOf(resource, 'DELETE'),
      parameters: ['id'],
      readId: (address) => readPrimaryId(address, 'primary_id_invalid'),
      handle: (call) => remove(resource, call),
      doc: () => deleteDoc(resource),
      docById: () => deleteDoc(resource, 'ById'),
    },
  };
  return {
    path: `/${resource.name}`,
    byId: true,
    methods: Object.fromEntries(resource.methods.map((method) => [method, operations[method]])),
  };
}

/** Undefined for a list. GET one takes fewer parameters than the list at the same path. */
function idToRead(address: Address): number | undefined {
  const { pathId, parameters } = address;
  if (pathId === undefined && !parameters.has('id')) return undefined;
  const unsupported = [...parameters.keys()].filter((name) => !ONE_PARAMETERS.includes(name));
  refuse(unsupported.map((field) => violation('parameter_unsupported', { field })));
  return readPrimaryId(address, 'primary_id_malformed');
}

function refuseId({ pathId }: Address): undefined {
  if (pathId !== undefined) throw problem('field_primary', { field: 'id' });
}

/** A page of a list. `within`: the conditions that limit what the caller may see. */
export async function list(
  resource: Resource,
  call: Call,
  within: readonly Condition[] = [],
): Promise<Answer> {
  const { identity, parameters } = call;
  const asked = parseListQuery(resource, identity.owner, parameters);
  refuseForbidden(call, [...asked.expand, ...referencesIn(asked.conditions)], 'GET');
  const query = { ...asked, within, search: asked.search && allowedSearch(call, asked.search) };
  await foldNewest(call.services.database, identity.owner, foldedIn(query));
  const body = readingChunks(call, needsSnapshot(query), (session) =>
    listJson(garageOf(session, identity.owner), query),
  );
  return { status: 200, body };
}

export const mayRead = ({ forbids }: Call, { name }: Resource): boolean => !forbids(`GET /${name}`);

/** Texts of another resource count only where the caller may read that resource. */
export const allowedSearch = (call: Call, search: WordSearch): WordSearch => ({
  ...search,
  sources: search.sources.filter(({ relation }) => !relation || mayRead(call, relation.other)),
});

async function readOne(resource: Resource, call: Call, id: number): Promise<Answer> {
  const { parameters } = call;
  const { columns, expand } = collected({
    columns: () => readColumns(resource, parameters.get('fields')),
    expand: () => readExpand(resource, parameters.get('expand')),
  });
  refuseForbidden(call, expand, 'GET');
  if (expand.length > 0) return readExpanded(call, resource, { id, columns, expand });
  const row = await findOne(call, resource, id, columns);
  if (!row) throw problem('record_unknown', { field: 'id', value: id });
  const tag = etag(row);
  if (isUnchanged(call.ctx, tag)) return { status: 304, body: '', headers: { ETag: tag } };
  return successJson(serializer(resource, columns)(row), 200, { ETag: tag });
}

/** One statement reads the whole records of all requests of the same moment. */
const findOne = (
  { services, identity }: Call,
  resource: Resource,
  id: number,
  columns: readonly string[],
): Promise<Readonly<Row> | undefined> =>
  columns === resource.columns
    ? services.finder(resource, identity.owner, id)
    : findRecord(garageOf(services.database, identity.owner), resource, id, columns);

/** Refuses relations that the caller may not read, or write, by these methods at their own endpoints. */
export function refuseForbidden(
  { forbids }: Call,
  links: readonly Relation[],
  ...methods: readonly Method[]
): void {
  const needed = links.flatMap(({ other }) =>
    methods.filter((method) => other.methods.includes(method)).map((method) => `${method} /${other.name}`),
  );
  refuse([...new Set(needed)].flatMap((operation) => forbids(operation) ?? []));
}

async function add(resource: Resource, call: Call): Promise<Answer> {
  const { services, identity, actor, body } = call;
  const { owner } = identity;
  refuseForbidden(call, childrenIn(resource, body), 'POST');
  const work = () =>
    once(call, body, async (session) => {
      const family = await addFamily(garageOf(session, owner), resource, body);
      return added(call, resource, family.row, familyJson(resource, family));
    });
  return resource.hooks.aroundAdding?.(services.database, actor, [body], work) ?? work();
}

/** Changes a record, or upserts it. */
export async function change(resource: Resource, call: Call): Promise<Answer> {
  const key = call.parameters.get('external_id');
  const answer = await (key === undefined ? changeOne(resource, call) : upsert(resource, call, key));
  forgetTokens(resource, call);
  return answer;
}

async function changeOne(resource: Resource, call: Call): Promise<Answer> {
  const { services, identity, body, ctx, actor } = call;
  const id = bodyId(body, call.id);
  const { owner } = identity;
  const prepared = await resource.hooks.prepare?.(garageOf(services.database, owner), body);
  const row = await services.database.transaction(
    (session) =>
      changeRecord(garageOf(session, owner), resource, id, body, { expect: expectation(ctx), prepared }),
    actor,
  );
  return changed(resource, row);
}

async function upsert(resource: Resource, call: Call, key: string): Promise<Answer> {
  const { services, forbids, actor, body, ctx } = call;
  const isOther = Object.hasOwn(body, 'external_id') && body.external_id !== key;
  if (isOther || Object.hasOwn(body, 'id')) throw problem('primary_id_invalid');
  refuseForbidden(call, childrenIn(resource, body), 'POST', 'PUT');
  const beforeAdding = () => {
    refuse(forbids(`POST /${resource.name}`));
    // Without a record no version matches, not even `*`.
    if (ctx.req.headers['if-match'] !== undefined) throw problem('record_changed');
  };
  const request = { actor, externalId: key, body, expect: expectation(ctx), beforeAdding };
  const work = () => upsertRecord(services.database, resource, request);
  const { row, json, isNew } = await (resource.hooks.aroundAdding?.(services.database, actor, [body], work) ??
    work());
  if (json === undefined) return changedExpanded(call, resource, row, childrenIn(resource, body));
  return isNew ? added(call, resource, row, json) : changed(resource, row, json);
}

async function remove(resource: Resource, call: Call): Promise<Answer> {
  const { services, ctx, actor } = call;
  const id = requireId(call);
  await deleteRecord(services.database, resource, { actor, id, expect: expectation(ctx) });
  forgetTokens(resource, call);
  await removeFiles(resource, call);
  return success({ id });
}

/** This process may still remember tokens that the change has ended. */
function forgetTokens({ traits }: Resource, { services }: Call): void {
  if (traits.hasTokens) services.tokens.forgetAll();
}

/** The file of a deleted record goes now, or at the next tidying if a backup may read it. */
async function removeFiles({ traits }: Resource, { ctx, services }: Call): Promise<void> {
  if (!traits.hasFiles) return;
  await tidyFiles(services.database).catch((error) => {
    const { requestId: request_id } = ctx.state;
    services.log.error({ err: error, request_id }, 'files of deleted documents stay until the next tidying');
  });
}
