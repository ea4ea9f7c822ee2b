// References by external_id: `contact_external_id` in a row stands for `contact_id`. All references of a batch are
// looked up together.
import { type Violation, violation } from '../../core/errors.ts';
import { type Body, isBody } from '../../core/model/bodies/check.ts';
import type { Stored } from '../../core/model/fields/field.ts';
import type { Resource, Shape } from '../../core/model/records/record.ts';
import { resourceNamed } from '../../core/model/records/registry.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { childrenIn, childShapeIn } from '../../core/model/writes/children.ts';

/** The reference that a name such as `contact_external_id` stands for; undefined: it is no such name. */
export function referenceByExternalId(
  { fields }: Pick<Shape, 'fields'>,
  name: string,
): { readonly field: string; readonly resource: string } | undefined {
  if (fields.has(name) || !name.endsWith(SUFFIX)) return undefined;
  const field = `${name.slice(0, -SUFFIX.length)}_id`;
  const resource = fields.get(field)?.reference;
  return resource === undefined ? undefined : { field, resource };
}

const SUFFIX = '_external_id';
/** No record has this ID: the checks refuse it as an unknown reference. */
const NOBODY = -1;

/** A record that a row refers to by its external_id. */
interface Named {
  readonly resource: string;
  readonly externalId: string;
}

/** The IDs of records by their external_id, for each resource that the rows refer to. */
export type KnownIds = Map<string, Map<unknown, number>>;

/** A row whose references are IDs. */
export interface Resolved {
  readonly body: Body;
  /** Refusals of the references themselves. */
  readonly wrong: readonly Violation[];
  /** The refusals of its record, in the names and values of the row. */
  readonly named: (found: readonly Violation[]) => Violation[];
}

/** The records that a body names by external_id, for itself and its children. */
export function* namedIn(resource: Resource, body: Body): Generator<Named> {
  for (const [name, externalId] of Object.entries(body)) {
    const reference = referenceByExternalId(resource, name);
    if (reference && typeof externalId === 'string') yield { resource: reference.resource, externalId };
  }
  for (const { name, other } of childrenIn(resource, body)) {
    const children = body[name];
    if (Array.isArray(children)) for (const child of children.filter(isBody)) yield* namedIn(other, child);
  }
}

/** Looks the records up, with one statement for each resource. */
export async function findIds(garage: Garage, named: readonly Named[]): Promise<KnownIds> {
  const found: KnownIds = new Map();
  for (const name of new Set(named.map(({ resource }) => resource))) {
    const wanted = named.filter(({ resource }) => resource === name).map(({ externalId }) => externalId);
    const rows = await resourceNamed(name)
      .model.of(garage)
      .select('id', 'external_id')
      .whereIn('external_id', [...new Set(wanted)]);
    found.set(name, new Map(rows.map(({ id, external_id }) => [external_id, Number(id)])));
  }
  return found;
}

/**
 * Puts IDs in place of external_ids. `isLater`: whether an external_id belongs to a row of this file that has no ID
 * yet, because of a dry run. Such a reference is left out and not judged.
 */
export function resolveReferences(
  resource: Resource,
  body: Body,
  known: KnownIds,
  isLater: (externalId: string) => boolean,
): Resolved {
  const wrong: Violation[] = [];
  const names = new Map<string, { name: string; value: Stored }>();
  const unjudged = new Set<string>();
  const resolve = (shape: Shape, given: Body, path: string): Body => {
    if (!Object.keys(given).some((name) => referenceByExternalId(shape, name))) return given;
    const next: Record<string, unknown> = {};
    const at = (name: string) => (path === '' ? name : `${path}.${name}`);
    for (const [name, value] of Object.entries(given)) {
      const reference = referenceByExternalId(shape, name);
      if (!reference) {
        if (!Object.hasOwn(next, name)) set(next, name, value);
        continue;
      }
      const { field } = reference;
      if (value === null) {
        if (!Object.hasOwn(given, field)) next[field] = null;
      } else if (typeof value !== 'string') {
        wrong.push(violation('value_wrong_type', { field: at(name), value, datatype: 'varchar' }));
      } else if (given[field] != null) {
        const validation = `${field} or ${name}`;
        wrong.push(violation('value_invalid', { field: at(name), value, validation }));
      } else {
        const id = known.get(reference.resource)?.get(value);
        if (id === undefined && path === '' && reference.resource === resource.name && isLater(value))
          unjudged.add(field);
        else next[field] = id ?? NOBODY;
        names.set(at(field), { name: at(name), value });
      }
    }
    return next;
  };
  const next = { ...resolve(resource, body, '') };
  for (const kind of childrenIn(resource, body)) {
    const children = body[kind.name];
    if (!Array.isArray(children)) continue;
    next[kind.name] = children.map((child: unknown, index) =>
      isBody(child) ? resolve(childShapeIn(resource, kind.other), child, `${kind.name}[${index}]`) : child,
    );
  }
  return {
    body: next,
    wrong,
    named: (found) =>
      found
        .filter(({ field }) => !unjudged.has(field ?? ''))
        .map((one) => {
          const given = one.code === 'reference_unknown' && names.get(one.field ?? '');
          return given ? violation('reference_unknown', { field: given.name, value: given.value }) : one;
        }),
  };
}

/** `__proto__` is an unknown field like any other. */
function set(body: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });
}
