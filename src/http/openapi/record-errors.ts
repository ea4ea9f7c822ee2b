// The refusals of a resource's operations and of forms. They follow from fields, states and references; a resource's
// own rules add theirs by `Hooks.refuses`.
import { inside, type Violation, violation } from '../../core/errors.ts';
import { changeOfFixed, ownReference } from '../../core/model/bodies/check.ts';
import type { Field } from '../../core/model/fields/field.ts';
import { MOST_CHILDREN } from '../../core/model/lists/expand.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { linksTo } from '../../core/model/records/registry.ts';
import type { Relation } from '../../core/model/records/relation.ts';
import { childrenOf, childShape } from '../../core/model/writes/children.ts';
import { parentOf } from '../../core/model/writes/state.ts';
import { LISTS } from '../../core/trade/lists.ts';

const { READY } = LISTS.orderstatuses;

type NamedFields = ReadonlyMap<string, Field>;

export function errorsOfAdding(resource: Resource): Violation[] {
  const own = errorsOfOne(resource);
  return [...own, ...others(own, childrenOf(resource).flatMap(childErrors))];
}

/** The refusals of an upsert that a PUT with an ID does not have. */
export function errorsOfUpserting(resource: Resource): Violation[] {
  const ofChildren = childrenOf(resource).flatMap((kind) => [
    ...childErrors(kind),
    ...(kind.other.hooks.refuses?.change ?? []).map((one) => inside(one, `${kind.name}[0]`)),
  ]);
  return others(errorsOfChanging(resource), [...errorsOfOne(resource), ...ofChildren]);
}

/** The violations of `more` whose codes are not in `known`, one for each code. */
function others(known: readonly Violation[], more: readonly Violation[]): Violation[] {
  const codes = new Set(known.map(({ code }) => code));
  return more.filter(({ code }) => !codes.has(code) && codes.add(code));
}

/** The refusals of the children in a body. */
function childErrors(kind: Relation): Violation[] {
  const { name: field, other } = kind;
  const ofOne = [...bodyErrors(childShape(other).fields), ...(other.hooks.refuses?.write ?? [])];
  return [
    violation('array_empty', { field }),
    violation('value_invalid', {
      field,
      value: MOST_CHILDREN + 1,
      validation: `at most ${MOST_CHILDREN}`,
    }),
    ...ofOne.map((one) => inside(one, `${field}[0]`)),
  ];
}

function errorsOfOne(resource: Resource): Violation[] {
  return [
    ...(parentOf(resource) ? changeStates : []),
    ...frozenErrors(resource),
    ...bodyErrors(resource.fields),
    violation('field_primary', { field: 'id' }),
    ...duplicateErrors(resource, 'value_duplicate'),
    ...(resource.hooks.refuses?.write ?? []),
    ...(resource.hooks.refuses?.add ?? []),
  ];
}

export function errorsOfChanging(resource: Resource): Violation[] {
  const { fields } = resource;
  const fixed = [...fields].find(([, field]) => field.fixed);
  const own = [...fields].find(([, { reference }]) => reference === resource.name);
  return [
    ...addressErrors,
    ...changeStates,
    ...frozenErrors(resource),
    ...bodyErrors(fields),
    ...requiredErrors(fields, 'field_empty'),
    ...(fixed ? [changeOfFixed(...fixed)] : []),
    ...(own ? [ownReference(resource, own[0], 5)] : []),
    ...duplicateErrors(resource, 'value_duplicate_on_put'),
    ...(resource.hooks.refuses?.write ?? []),
    ...(resource.hooks.refuses?.change ?? []),
  ];
}

export function errorsOfDeleting(resource: Resource): Violation[] {
  const [link] = linksTo(resource);
  const [, ...otherStates] = changeStates;
  return [
    ...addressErrors,
    violation('record_system_delete'),
    ...otherStates,
    ...frozenErrors(resource),
    ...(resource.hooks.refuses?.delete ?? []),
    ...(link ? [violation('record_in_use', { field: 'id', resource: link.from.name })] : []),
  ];
}

/** The refusals of a body with these fields, of a resource or of a form. */
export function bodyErrors(fields: NamedFields): Violation[] {
  const settable = [...fields].filter(([, { readonly }]) => !readonly);
  // The last field that fits. Fields that all resources have come last, so that the document shares the example.
  const ofKinds = KINDS.flatMap(([holds, refuse]) => {
    const found = settable.findLast(([, field]) => holds(field));
    return (found && refuse(...found)) ?? [];
  });
  return [
    violation('field_unknown', { field: 'colour' }),
    ...(settable.length < fields.size ? [violation('field_readonly', { field: 'created_at' })] : []),
    ...requiredErrors(fields, 'field_required'),
    ...ofKinds,
  ];
}

/** The kinds of field that can be refused, each with its refusal. */
const KINDS: readonly (readonly [
  holds: (field: Field) => unknown,
  (name: string, field: Field) => Violation | undefined,
])[] = [
  [({ datatype }) => datatype === 'int4', checking('abc')],
  [
    ({ datatype }) => datatype === 'varchar' || datatype === 'text',
    (field, { datatype }) => violation('value_wrong_type', { field, value: 5, datatype }),
  ],
  [
    ({ datatype, length }) => (datatype === 'varchar' || datatype === 'text') && length,
    (name, field) => field.check(name, 'x'.repeat((field.length ?? 0) + 1), {}).violation,
  ],
  [({ datatype }) => datatype === 'varchar[]', checking('x')],
  [({ schema }) => schema.type === 'array', checking([])],
  [({ list }) => list, checking(99)],
  [({ schema, list }) => schema.enum && schema.type === 'integer' && !list, checking(2)],
  [({ schema }) => schema.enum && schema.type === 'string', checking('x')],
  [({ schema }) => schema.not, (name, field) => field.check(name, field.schema.not?.const, {}).violation],
  [
    ({ validation }) => validation,
    (field, { validation }) =>
      violation('value_invalid', { field, value: 'x', validation: validation?.name ?? '' }),
  ],
  [
    ({ after }) => after,
    (field, { after: other = '' }) =>
      violation('value_not_after', { field, value: '2026-05-01', other, otherValue: '2026-05-02' }),
  ],
  [({ reference }) => reference, (field) => violation('reference_unknown', { field, value: 77 })],
];

/** The violation with which the field refuses this value. */
function checking(value: unknown) {
  return (name: string, field: Field) => field.check(name, value, {}).violation;
}

/** The refusals of an operation on one record. */
export const addressErrors: readonly Violation[] = [
  violation('primary_id_invalid'),
  violation('primary_id_missing'),
  violation('record_unknown', { field: 'id', value: 5 }),
];

/** The states in which a record can't be changed. */
export const changeStates: readonly Violation[] = [
  violation('record_system'),
  violation('record_blocked'),
  violation('record_archived'),
];

function requiredErrors(fields: NamedFields, code: 'field_required' | 'field_empty'): Violation[] {
  const first = [...fields].find(([, field]) => field.required && !field.readonly);
  return first ? [violation(code, { field: first[0] })] : [];
}

const duplicateErrors = (
  { ownership }: Resource,
  code: 'value_duplicate' | 'value_duplicate_on_put',
): Violation[] =>
  ownership === 'column' ? [violation(code, { field: 'external_id', value: 'shop-7' })] : [];

function frozenErrors(resource: Resource): Violation[] {
  const { frozenBy } = resource.traits;
  const parent = frozenBy === 'nothing' ? undefined : parentOf(resource);
  const frozen = [resource, ...(parent ? [parent] : [])].find(({ traits }) => traits.frozen);
  const ofChild = typeof frozenBy === 'function' ? frozenBy({ order_status: READY }) : undefined;
  const state = ofChild ?? 'invoice';
  return frozen ? [violation('record_frozen', { resource: frozen.name, state })] : [];
}
