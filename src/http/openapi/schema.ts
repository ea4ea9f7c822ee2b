// Makes the OpenAPI schemas of a resource and of a form from their fields.

import type { Form } from '../../core/model/bodies/form.ts';
import type { Field, Fields, Schema } from '../../core/model/fields/field.ts';
import { MOST_CHILDREN } from '../../core/model/lists/expand.ts';
import { keyOf, type Resource, VERSION } from '../../core/model/records/record.ts';
import { type Relation, relationsOf } from '../../core/model/records/relation.ts';
import { childrenOf, childShape } from '../../core/model/writes/children.ts';
import { takesUpsert } from '../../core/model/writes/upsert.ts';
import { LISTS } from '../../core/trade/lists.ts';

/** A JSON Schema of OpenAPI 3.1. */
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/**
 * Bodies: `add` of a POST, `nest` a child in the POST of its parent, `change` of a PUT, `upsert` of a PUT by key with
 * children, `keyed` such a child. Answers: `show` a whole record, `added` a record with the children of the request and
 * with what only the answer to a POST shows, `select` a selection of its fields.
 */
type Use = 'show' | 'added' | 'select' | 'add' | 'nest' | 'change' | 'upsert' | 'keyed';

export const ref = (name: string): SchemaObject => ({ $ref: `#/components/schemas/${name}` });

/** `null` in an `enum` breaks generated clients, so it stands beside the schema. */
const orNull = (schema: SchemaObject): SchemaObject => ({ anyOf: [schema, { type: 'null' }] });

export const object = (properties: Record<string, SchemaObject>, more: SchemaObject = {}): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

/** An array of objects with these properties. */
export const list = (properties: Record<string, SchemaObject>, more?: SchemaObject): SchemaObject => ({
  type: 'array',
  items: object(properties, more),
});

/** Generators name types after schemas. A type `Document` would hide the browser's, so it is `DocumentRecord`. */
const HIDING: readonly string[] = ['document'];

/** `order`, `orderAdded`, `orderSelection`, `orderNew`, `orderlineNested`, `orderChange`. */
export const schemaName = (resource: Resource, use: Use): string =>
  resource.name + (use === 'show' && HIDING.includes(resource.name) ? 'Record' : SUFFIXES[use]);

const SUFFIXES: Readonly<Record<Use, string>> = {
  show: '',
  added: 'Added',
  select: 'Selection',
  add: 'New',
  nest: 'Nested',
  change: 'Change',
  upsert: 'Upsert',
  keyed: 'Keyed',
};

/** The components that the methods of a resource need. */
export function resourceSchemas(resource: Resource): Record<string, SchemaObject> {
  const whole = fieldsSchema(resource.fields, 'show');
  const schemas: Record<string, SchemaObject> = {
    [schemaName(resource, 'show')]: {
      ...whole,
      description: `${resource.traits.description}: the whole record`,
    },
  };
  if (resource.methods.includes('GET')) Object.assign(schemas, selectionSchema(resource));
  if (resource.methods.includes('POST')) {
    Object.assign(schemas, schemasToAdd(resource, whole));
  }
  if (resource.methods.includes('PUT')) {
    const change = fieldsSchema(resource.fields, 'change');
    schemas[schemaName(resource, 'change')] = change;
    if (takesUpsert(resource)) Object.assign(schemas, schemasToUpsert(resource, change));
  }
  return schemas;
}

const VERSION_SCHEMA: SchemaObject = {
  type: 'integer',
  format: 'int32',
  description: 'Only if `fields` names it: the number in the `ETag` of the record',
};

/** The component that the list of a resource refers to. */
export const selectionSchema = (resource: Resource): Record<string, SchemaObject> => ({
  // Written out, because pages and generators handle `allOf` badly.
  [schemaName(resource, 'select')]: {
    ...withProperties(fieldsSchema(resource.fields, 'show'), [
      ...(resource.unshown.includes(VERSION) ? [[VERSION, VERSION_SCHEMA] as const] : []),
      ...relationSchemas(resource),
    ]),
    required: [keyOf(resource)],
    description: `${resource.traits.description}: all of its fields, or those that \`fields\` names`,
  },
});

/** The body of a POST, which may hold children, and the answer to it. */
function schemasToAdd(resource: Resource, whole: SchemaObject): Record<string, SchemaObject> {
  const children = childrenOf(resource);
  const schemas = {
    [schemaName(resource, 'add')]: withProperties(
      fieldsSchema(resource.fields, 'add'),
      children.map((kind) => [kind.name, nestedSchema(kind)]),
    ),
  };
  for (const kind of children)
    schemas[schemaName(kind.other, 'nest')] = fieldsSchema(childShape(kind.other).fields, 'add');
  if (children.length > 0)
    schemas[schemaName(resource, 'added')] = {
      ...withProperties(
        whole,
        children.map(({ name, other }) => [name, shownChildren(other, 'Only where the request names it')]),
      ),
      description: `${resource.traits.description}: the whole record, with the kinds of children that the request names`,
    };
  if (showsOnce(resource)) schemas[schemaName(resource, 'added')] = fieldsSchema(resource.fields, 'added');
  return schemas;
}

/** The body of an upsert that may hold children, which have keys too. */
function schemasToUpsert(resource: Resource, change: SchemaObject): Record<string, SchemaObject> {
  const children = childrenOf(resource);
  if (children.length === 0) return {};
  const schemas = {
    [schemaName(resource, 'upsert')]: withProperties(
      change,
      children.map((kind) => [kind.name, keyedSchema(kind)]),
    ),
  };
  for (const { other } of children)
    schemas[schemaName(other, 'keyed')] = {
      ...fieldsSchema(childShape(other).fields, 'nest'),
      required: ['external_id'],
    };
  return schemas;
}

const keyedSchema = ({ other }: Relation): SchemaObject => ({
  type: ['array', 'null'],
  items: ref(schemaName(other, 'keyed')),
  minItems: 1,
  maxItems: MOST_CHILDREN,
  description:
    'Only with `external_id` in the query. A child of this record with the same `external_id` is changed; if there is ' +
    'none, one is added, and needs what POST requires. Other children stay. A key needs ' +
    `\`POST /${other.name}\` and \`PUT /${other.name}\` too`,
});

const nestedSchema = ({ other, field }: Relation): SchemaObject => ({
  type: ['array', 'null'],
  items: ref(schemaName(other, 'nest')),
  minItems: 1,
  maxItems: MOST_CHILDREN,
  description:
    `Added together with the record, all or nothing; without \`${field}\`. A key needs \`POST /${other.name}\` too. ` +
    `A refusal names a field as \`${other.name}[0].${[...other.fields.keys()].find((name) => name !== 'id' && name !== field)}\``,
});

const shownChildren = (other: Resource, description: string): SchemaObject => ({
  type: 'array',
  items: ref(schemaName(other, 'show')),
  description,
});

const withProperties = (
  schema: SchemaObject,
  more: readonly (readonly [string, SchemaObject])[],
): SchemaObject => ({
  ...schema,
  properties: { ...(schema.properties as Record<string, SchemaObject>), ...Object.fromEntries(more) },
});

/** Whether the answer to a POST shows more than a record. */
export const showsOnce = ({ fields }: Resource): boolean =>
  [...fields.values()].some(({ shownOnce }) => shownOnce);

/** The schema of a form's body. */
export const formSchema = ({ fields }: Pick<Form<Fields>, 'fields'>): SchemaObject =>
  fieldsSchema(fields, 'add');

/** The relations that `expand` adds: whole records, without relations of their own. */
function relationSchemas(resource: Resource): [name: string, SchemaObject][] {
  const description = 'Only if `expand` asks for it';
  return [...relationsOf(resource).values()].map(({ name, kind, other }) => [
    name,
    kind === 'children'
      ? shownChildren(other, description)
      : { ...orNull(ref(schemaName(other, 'show'))), description },
  ]);
}

function fieldsSchema(fields: ReadonlyMap<string, Field>, use: Use): SchemaObject {
  const isAnswer = use === 'show' || use === 'added';
  const taken = [...fields].filter(([, field]) =>
    isAnswer
      ? !field.writeOnly || (use === 'added' && field.shownOnce)
      : !field.readonly || (field.primary && use === 'change'),
  );
  const required = taken
    .filter(([, { required: must }]) => isAnswer || (use === 'add' && must))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(
      taken.map(([name, field]) => [name, fieldSchema(field, isAnswer ? 'show' : use)]),
    ),
    ...(required.length > 0 ? { required } : {}),
    ...(isAnswer ? {} : { additionalProperties: false }),
  };
}

function fieldSchema(field: Field, use: Use): SchemaObject {
  const nullable = !field.required && !field.primary && (field.fallback === null || use !== 'show');
  const { type, enum: values, format, ...bounds } = field.schema as Schema & Record<string, unknown>;
  // In words, because generators of clients take a field with a `default` for one that is always there.
  const given = use === 'add' && !field.required && field.fallback !== null;
  const description = [describe(field), given && `${field.fallback} if it is not given`]
    .filter(Boolean)
    .join('. ');
  const one = { type, ...bounds, ...formatOf(format, use), ...(values ? { enum: values } : {}) };
  const schema = !nullable ? one : values ? orNull(one) : { ...one, type: [type, 'null'] };
  return {
    ...schema,
    ...(description === '' ? {} : { description }),
    ...(field.personal ? { 'x-personal': true } : {}),
  };
}

/** OpenAPI lacks some formats of this service. Requests may write an instant in more forms than date-time. */
function formatOf(format: string | undefined, use: Use): SchemaObject {
  if (format === undefined || format === 'text' || format === 'base64') return {};
  if (format === 'date-time' && use !== 'show')
    return { examples: ['2026-05-01', '2026-05-01T10:30:00+02:00'] };
  return { format };
}

/** "an order", "a vehicle". */
export const withArticle = (name: string): string => `${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`;

function describe(field: Field): string {
  const { list, reference, unique, fixed, after, validation, datatype, scale } = field;
  const notes = [
    field.description,
    list && listText(LISTS[list]),
    reference && `ID of ${withArticle(reference)}`,
    unique === 'owner' && 'Unique',
    unique && !['owner', 'all'].includes(unique) && `Unique within its ${unique}`,
    fixed && 'Can not be changed',
    after && `After ${after}`,
    validation && `Validated as ${validation.name}`,
    datatype === 'timestamp' && !field.readonly && 'ISO 8601; UTC if no offset is given',
    datatype === 'float8' && scale !== undefined && `${scale} decimals are kept`,
  ];
  return notes.filter((note): note is string => typeof note === 'string').join('. ');
}

const listText = (list: Readonly<Record<string, number>>) =>
  Object.entries(list)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
