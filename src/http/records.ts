// The five routes of any resource: POST, GET one, GET many, PUT, DELETE.
import { forbidden } from '../auth/permission.ts';
import { type Code, problem, violation } from '../errors.ts';
import { collected, refuse } from '../model/check.ts';
import { neededColumns } from '../model/expand.ts';
import type { Row } from '../model/field.ts';
import { findRecord } from '../model/find.ts';
import { LIST_PARAMETERS, parseListQuery, readExpand, readFields } from '../model/list-query.ts';
import type { Method, Resource } from '../model/record.ts';
import type { Relation } from '../model/relation.ts';
import { recordJson, searchJson } from '../model/search.ts';
import { serializer } from '../model/serialize.ts';
import type { Session } from '../model/session.ts';
import { addRecord, changeRecord, deleteRecord } from '../model/store.ts';
import { type Answer, success, successJson } from './answer.ts';
import { BODY_LIMIT, DOCUMENT_LIMIT, type JsonBody, readBody } from './body.ts';
import { PREFIX } from './dispatch.ts';
import type { Call, Endpoint, Operation } from './endpoint.ts';
import { etag, expectation, isUnchanged } from './etag.ts';
import { once } from './once.ts';

const ONE_PARAMETERS = ['id', 'fields', 'expand'];

export function recordEndpoint(resource: Resource): Endpoint {
  const routes: Record<Method, Operation> = {
    GET: {
      parameters: [...new Set([...ONE_PARAMETERS, ...LIST_PARAMETERS])],
      handle: (call) => read(resource, call),
    },
    POST: { handle: (call) => add(resource, call) },
    PUT: { parameters: ['id'], handle: (call) => change(resource, call) },
    DELETE: { parameters: ['id'], handle: (call) => remove(resource, call) },
  };
  return {
    path: `/${resource.name}`,
    byId: true,
    methods: Object.fromEntries(resource.methods.map((method) => [method, routes[method]])),
  };
}

async function read(resource: Resource, call: Call): Promise<Answer> {
  const { parameters, identity } = call;
  if (call.pathId === undefined && !parameters.has('id')) {
    const query = parseListQuery(resource, identity.owner, parameters);
    refuseForbiddenLinks(call, query.expand);
    const body = await fitting(call, query.expand, (session) => searchJson(session, identity.owner, query));
    return { status: 200, body };
  }
  refuseListParameters(parameters);
  const id = primaryId(call, 'primary_id_malformed');
  const { columns, expand } = collected({
    columns: () => readFields(resource, parameters.get('fields')),
    expand: () => readExpand(resource, parameters.get('expand')),
  });
  refuseForbiddenLinks(call, expand);
  const { row, json } = await fitting(call, expand, async (session) => {
    const row = await readOne(session, call, resource, id, neededColumns(columns, expand));
    if (!row) throw problem('record_unknown', { field: 'id', value: id });
    return { row, json: await recordJson(session, resource, identity.owner, row, columns, expand) };
  });
  const tag = etag(row, expand.length > 0 ? json : undefined);
  if (isUnchanged(call.ctx, tag)) return { status: 304, body: '', headers: { ETag: tag } };
  return successJson(json, 200, { ETag: tag });
}

/** What is shown beside a record was so when the record was. */
function fitting<T>(
  { parts: { database } }: Call,
  expand: readonly Relation[],
  read: (session: Session) => Promise<T>,
): Promise<T> {
  return expand.length > 0 ? database.snapshot(read) : read(database);
}

/** Within a snapshot by itself, else together with whoever asks at the same moment. */
function readOne(
  session: Session,
  { parts, identity }: Call,
  resource: Resource,
  id: number,
  columns: readonly string[],
): Promise<Readonly<Row> | undefined> {
  return columns === resource.columns && session === parts.database
    ? parts.finder(resource, identity.owner, id)
    : findRecord(session, resource, identity.owner, id, columns);
}

/** GET one takes fewer parameters than the list at the same path. */
function refuseListParameters(parameters: ReadonlyMap<string, string>): void {
  const unsupported = [...parameters.keys()].filter((name) => !ONE_PARAMETERS.includes(name));
  refuse(unsupported.map((field) => violation('parameter_unsupported', { field })));
}

/** What has endpoints of its own is shown beside a record only to those who may read it there. */
function refuseForbiddenLinks({ identity: { allow, role } }: Call, links: readonly Relation[]): void {
  const readable = links.filter(({ other }) => other.methods.includes('GET'));
  refuse(readable.flatMap(({ other }) => forbidden(allow, role, 'GET', `/${other.name}`) ?? []));
}

async function add(resource: Resource, call: Call): Promise<Answer> {
  const { parts, identity } = call;
  if (call.pathId !== undefined) throw problem('field_primary', { field: 'id' });
  const body = await readBody(call.ctx.req, limitOf(resource));
  return once(call, body, async (session) => {
    const row = await addRecord(session, resource, identity.owner, body);
    return successJson(serializer(resource)(row), 201, {
      ETag: etag(row),
      Location: `${parts.publicUrl}${PREFIX}/${resource.name}/${row.id}`,
    });
  });
}

async function change(resource: Resource, call: Call): Promise<Answer> {
  const { parts, identity, ctx } = call;
  const addressed =
    call.pathId !== undefined || call.parameters.has('id')
      ? primaryId(call, 'primary_id_invalid')
      : undefined;
  const body = await readBody(ctx.req, limitOf(resource));
  const id = bodyId(body, addressed);
  const row = await parts.database.transaction((session) =>
    changeRecord(session, resource, identity.owner, id, body, expectation(ctx)),
  );
  forgetTokens(resource, call);
  return successJson(serializer(resource)(row), 200, { ETag: etag(row) });
}

async function remove(resource: Resource, call: Call): Promise<Answer> {
  const { parts, identity, ctx } = call;
  const id = primaryId(call, 'primary_id_invalid');
  await parts.database.transaction((session) =>
    deleteRecord(session, resource, identity.owner, id, expectation(ctx)),
  );
  forgetTokens(resource, call);
  return success({ id });
}

/** What this process believes of tokens hangs on employees. */
function forgetTokens({ name }: Resource, { parts }: Call): void {
  if (name === 'employee') parts.tokens.forgetAll();
}

const limitOf = ({ name }: Resource) => (name === 'document' ? DOCUMENT_LIMIT : BODY_LIMIT);

/** The ID as the path or the query has it, and whether it is one where both have it. Throws Problem where neither has. */
export function addressedId({ pathId, parameters }: Pick<Call, 'pathId' | 'parameters'>): {
  id: string;
  isOne: boolean;
} {
  const queryId = parameters.get('id');
  const id = pathId ?? queryId;
  if (id === undefined) throw problem('primary_id_missing');
  return { id, isOne: queryId === undefined || queryId === id };
}

/** The ID of the path or the query. Throws Problem where there is none, or two that differ, or no int4 above 0. */
export function primaryId(
  call: Pick<Call, 'pathId' | 'parameters'>,
  code: Code & `primary_id_${string}`,
): number {
  const { id: given, isOne } = addressedId(call);
  if (!/^[1-9]\d{0,9}$/.test(given) || Number(given) > 2147483647) throw problem(code);
  if (!isOne) throw problem('primary_id_invalid');
  return Number(given);
}

/** The ID that a PUT means: of its address, or of its body; where two are given they must be the same. */
export function bodyId(body: JsonBody, addressed: number | undefined): number {
  const { id } = body;
  if (id === undefined || id === null) {
    if (addressed === undefined) throw problem('primary_id_missing');
    return addressed;
  }
  const valid = Number.isInteger(id) && Number(id) > 0 && Number(id) <= 2147483647;
  if (!valid || (addressed !== undefined && addressed !== id)) throw problem('primary_id_invalid');
  return Number(id);
}
