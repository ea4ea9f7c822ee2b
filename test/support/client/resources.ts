// All resources, loaded before tests are defined, so that each resource gets tests of its own. A new resource needs no
// line here.

import { violation } from '../../../src/core/errors.ts';
import type { Field, Stored } from '../../../src/core/model/fields/field.ts';
import type { Method, Resource } from '../../../src/core/model/records/record.ts';
import { allResources, loadResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { build, sampleValue } from '../build/build.ts';
import { execute } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { type Answer, type Client, type Json, newClient } from './client.ts';

await loadResources();

export const RESOURCES = allResources();
export const taking = (method: Method) => RESOURCES.filter(({ methods }) => methods.includes(method));

/** The resources whose records callers may change. A record without an owner is a system record. */
const CHANGEABLE = taking('PUT').filter(({ ownership }) => ownership !== 'none');

/** The methods by which a resource takes a body. */
export const waysIn = (resource: Resource): ('POST' | 'PUT')[] => [
  ...(resource.methods.includes('POST') ? (['POST'] as const) : []),
  ...(CHANGEABLE.includes(resource) ? (['PUT'] as const) : []),
];
export const WRITABLE = RESOURCES.filter((resource) => waysIn(resource).length > 0);

type Named = readonly [name: string, field: Field];
/** The fields that a request may set. */
export const settable = ({ fields }: Resource): Named[] => [...fields].filter(([, field]) => !field.readonly);
/** The fields that a record shows. */
export const visible = ({ fields }: Resource): Named[] => [...fields].filter(([, field]) => !field.writeOnly);

const garages = new Map<string, Promise<Client>>();

/** The garage in which a resource is tried: one for all its tests. */
export const garageOf = ({ name }: Resource): Promise<Client> =>
  FEW.has(name) ? newClient() : garageNamed(name);
/** An owner may have few of these, so each test has a garage of its own. */
const FEW = new Set(['webhooksubscription']);
/** A garage that no other test uses. */
export const stranger = (): Promise<Client> => garageNamed('');

function garageNamed(name: string): Promise<Client> {
  const garage = garages.get(name) ?? newClient();
  garages.set(name, garage);
  return garage;
}

/** A record of the resource, as GET shows it: a new one, or the existing one if none can be added. */
export async function recordOf(
  client: Client,
  { name, methods, fields }: Resource,
  overrides: Json = {},
  // biome-ignore lint/suspicious/noExplicitAny: records are read by name in tests, whatever the resource
): Promise<any> {
  if (methods.includes('POST')) {
    // A copy: the answer itself is compared with the description at the end of the run.
    const added = { ...(await build(client, name, overrides)) };
    for (const [field, { shownOnce }] of fields) if (shownOnce) delete added[field];
    return added;
  }
  const { data } = await client.get(`/${name}?page_size=1`);
  return Object.keys(overrides).length === 0
    ? data[0]
    : (await client.put(`/${name}/${data[0].id}`, overrides)).data;
}

const tried = new Map<string, Promise<{ id: number }>>();

/** Sends a body by POST, or by PUT to the resource's record that is kept for refused requests. */
export async function write(
  method: 'POST' | 'PUT',
  client: Client,
  resource: Resource,
  body: Json | string,
): Promise<Answer> {
  if (method === 'POST') return client.post(`/${resource.name}`, body);
  const key = `${resource.name} ${client.garage.owner}`;
  const record = tried.get(key) ?? recordOf(client, resource);
  tried.set(key, record);
  const { id } = await record;
  return client.put(`/${resource.name}/${id}`, body);
}

/** Sets columns of a record that no request can set. */
export async function force({ table }: Resource, id: number, columns: Record<string, Stored>): Promise<void> {
  const set = Object.keys(columns).map((column) => `${column} = ?`);
  await execute(database(), `UPDATE ${table} SET ${set.join(', ')} WHERE id = ?`, [
    ...Object.values(columns),
    id,
  ]);
}

/** Adds a row past the API, for a resource that has no POST; `references` are set as they are. */
export async function plant(client: Client, name: string, references: Record<string, number>): Promise<void> {
  const { table, fields, columns } = resourceNamed(name);
  const row: Record<string, Stored> = { owner_id: client.garage.owner, ...references };
  for (const column of columns) {
    const field = fields.get(column);
    if (!field || field.primary || column in row) continue;
    row[column] = field.required
      ? field.check(column, sampleValue(column, field), {}).stored
      : field.fallback;
  }
  await database().knex(table).insert(row);
}

/** The messages of all violations that an answer holds. */
export const messages = ({ body }: Answer): string[] =>
  (body.errors ?? []).map(({ message }: { message: string }) => message);

/** The refusal of a PUT that gives a fixed field another value. */
export const fixedMessage = (name: string, fixed: Field['fixed']): string =>
  typeof fixed === 'string' ? violation(fixed as 'license_plate_fixed').message : `Cannot update [${name}]`;
