// Makes the OpenAPI schemas of a resource and of a form from their fields.
import type { Field, Fields, Schema } from '../../model/field.ts';
import type { Form } from '../../model/form.ts';
import type { Resource } from '../../model/record.ts';
import { relationsOf } from '../../model/relation.ts';
import { LISTS } from '../../trade/lists.ts';

/** A JSON Schema of OpenAPI 3.1. */
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** Bodies: `add` of a POST, `change` of a PUT. Answers: `show` a whole record, `select` a selection of its fields. */
type Use = 'show' | 'select' | 'add' | 'change';

export const ref = (name: string): SchemaObject => ({ $ref: `#/components/schemas/${name}` });

export const object = (properties: Record<string, SchemaObject>, more: SchemaObject = {}): SchemaObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...more,
});

/** `order`, `orderSelection`, `orderNew`, `orderChange`. */
export const schemaName = (resource: Resource, use: Use): string =>
  resource.name + { show: '', select: 'Selection', add: 'New', change: 'Change' }[use];

/** The components that the methods of a resource need. */
export function resourceSchemas(resource: Resource): Record<string, SchemaObject> {
  const whole = fieldsSchema(resource.fields, 'show');
  const { description } = resource.traits;
  const schemas: Record<string, SchemaObject> = {
    [schemaName(resource, 'show')]: { ...whole, description: `${description}: the whole record` },
  };
  if (resource.methods.includes('GET')) {
    // Written out, because pages and generators handle `allOf` badly.
    schemas[schemaName(resource, 'select')] = {
      ...whole,
      properties: { ...(whole.properties as Record<string, SchemaObject>), ...relationSchemas(resource) },
      required: ['id'],
      description: `${description}: all of its fields, or those that \`fields\` names`,
    };
  }
  if (resource.methods.includes('POST')) {
    schemas[schemaName(resource, 'add')] = fieldsSchema(resource.fields, 'add');
  }
  if (resource.methods.includes('PUT')) {
    schemas[schemaName(resource, 'change')] = fieldsSchema(resource.fields, 'change');
  }
  return schemas;
}

/** The schema of a form's body. */
export const formSchema = ({ fields }: Pick<Form<Fields>, 'fields'>): SchemaObject =>
  fieldsSchema(new Map(Object.entries(fields)), 'add');

/** The relations that `expand` adds: whole records, without relations of their own. */
function relationSchemas(resource: Resource): Record<string, SchemaObject> {
  const relations = [...relationsOf(resource).values()].map(({ name, kind, other }) => {
    const one = ref(schemaName(other, 'show'));
    const schema = kind === 'reference' ? { anyOf: [one, { type: 'null' }] } : { type: 'array', items: one };
    return [name, { ...schema, description: 'Only where `expand` asks for it' }];
  });
  return Object.fromEntries(relations);
}

function fieldsSchema(fields: ReadonlyMap<string, Field>, use: Use): SchemaObject {
  const taken = [...fields].filter(([, field]) =>
    use === 'show' ? !field.writeOnly : !field.readonly || (field.primary && use === 'change'),
  );
  const required = taken
    .filter(([, { required: must }]) => use === 'show' || (use === 'add' && must))
    .map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(taken.map(([name, field]) => [name, fieldSchema(field, use)])),
    ...(required.length > 0 ? { required } : {}),
    ...(use === 'show' ? {} : { additionalProperties: false }),
  };
}

export function fieldSchema(field: Field, use: Use): SchemaObject {
  const nullable = !field.required && !field.primary && (field.fallback === null || use !== 'show');
  const { type, enum: values, format, ...bounds } = field.schema as Schema & Record<string, unknown>;
  // In words, because generators of clients take a field with a `default` for one that is always there.
  const given = use === 'add' && !field.required && field.fallback !== null;
  const description = [describe(field), given && `${field.fallback} where it is not given`]
    .filter(Boolean)
    .join('. ');
  return {
    type: nullable ? [type, 'null'] : type,
    ...bounds,
    ...formatOf(format, use),
    ...(values ? { enum: nullable ? [...(values as number[]), null] : values } : {}),
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

function describe(field: Field): string {
  const { list, reference, unique, fixed, after, validation, datatype, scale } = field;
  const notes = [
    field.description,
    list && listText(LISTS[list]),
    reference && `ID of a ${reference}`,
    unique === 'owner' && 'Unique',
    unique && !['owner', 'all'].includes(unique) && `Unique within its ${unique}`,
    fixed && 'Can not be changed',
    after && `After ${after}`,
    validation && `Validated as ${validation.name}`,
    datatype === 'timestamp' && !field.readonly && 'ISO 8601; UTC where no offset is given',
    datatype === 'float8' && scale !== undefined && `${scale} decimals are kept`,
  ];
  return notes.filter((note): note is string => typeof note === 'string').join('. ');
}

const listText = (list: Readonly<Record<string, number>>) =>
  Object.entries(list)
    .map(([name, value]) => `${value} ${name}`)
    .join(', ');
