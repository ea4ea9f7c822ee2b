// References by the integrator's own keys: `contact_external_id` in a row stands for `contact_id`. The keys of a batch are
// looked up together.
import { type Violation, violation } from '../errors.ts';
import type { Body } from '../model/check.ts';
import { childrenIn, childShape } from '../model/children.ts';
import type { Row, Stored } from '../model/field.ts';
import type { Resource, Shape } from '../model/record.ts';
import { resourceNamed } from '../model/registry.ts';
import type { Session } from '../model/session.ts';

/** The reference that a name such as `contact_external_id` stands for; undefined: it is no such name. */
export function referenceByKey(
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

/** The IDs of records by their external_id, for each resource that the rows refer to. */
export type KnownKeys = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A row whose references are IDs. */
export interface Resolved {
  readonly body: Body;
  /** Refusals of the keys themselves. */
  readonly wrong: readonly Violation[];
  /** The refusals of its record, in the names and values of the row. */
  readonly named: (found: readonly Violation[]) => Violation[];
}

/** The keys that a body has, for itself and its children, by the resource that they refer to. */
export function* keysIn(resource: Resource, body: Body): Generator<{ resource: string; key: string }> {
  for (const [name, value] of Object.entries(body)) {
    const reference = referenceByKey(resource, name);
    if (reference && typeof value === 'string') yield { resource: reference.resource, key: value };
  }
  for (const kind of childrenIn(resource, body)) {
    for (const child of elementsOf(body[kind.name])) yield* keysIn(kind.other, child);
  }
}

/** Looks the keys up, those of a resource with one statement. */
export async function findKeys(
  session: Session,
  owner: number,
  keys: Iterable<{ resource: string; key: string }>,
): Promise<Map<string, Map<string, number>>> {
  const wanted = new Map<string, Set<string>>();
  for (const { resource, key } of keys) wanted.set(resource, (wanted.get(resource) ?? new Set()).add(key));
  const found = new Map<string, Map<string, number>>();
  for (const [name, some] of wanted) {
    const rows: Row[] = await resourceNamed(name)
      .model.of(session, owner)
      .select('id', 'external_id')
      .whereIn('external_id', [...some]);
    found.set(name, new Map(rows.map(({ id, external_id }) => [String(external_id), Number(id)])));
  }
  return found;
}

/**
 * Puts IDs in place of keys. `isLater`: the key of a row of this file that has no ID, since the import is a dry run: its
 * reference is left out and not judged.
 */
export function resolveKeys(
  resource: Resource,
  body: Body,
  known: KnownKeys,
  isLater: (key: string) => boolean,
): Resolved {
  const wrong: Violation[] = [];
  const names = new Map<string, { name: string; value: Stored }>();
  const unjudged = new Set<string>();
  const resolve = (shape: Shape, given: Body, place: string): Body => {
    if (!hasKeys(shape, given)) return given;
    const next: Record<string, unknown> = {};
    const at = (name: string) => (place === '' ? name : `${place}.${name}`);
    for (const [name, value] of Object.entries(given)) {
      const reference = referenceByKey(shape, name);
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
        if (id === undefined && place === '' && reference.resource === resource.name && isLater(value))
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
      isBody(child) ? resolve(childShape(kind.other), child, `${kind.name}[${index}]`) : child,
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

const hasKeys = (shape: Shape, body: Body) => Object.keys(body).some((name) => referenceByKey(shape, name));

/** `__proto__` is an unknown field like any other. */
function set(body: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(body, name, { value, enumerable: true, configurable: true, writable: true });
}

const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const elementsOf = (value: unknown): Body[] => (Array.isArray(value) ? value.filter(isBody) : []);
