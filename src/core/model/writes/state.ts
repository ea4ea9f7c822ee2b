// Which changes the state of a record forbids: a system record, a blocked or archived record, an invoice. A child can't
// change either while its parent is such a record.
import { about, type Violation, violation } from '../../errors.ts';
import { type Body, refuse } from '../bodies/check.ts';
import type { Row } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import { resourceNamed } from '../records/registry.ts';
import type { Traits } from '../records/traits.ts';

/** The locked parent of a child. */
export interface Parent {
  readonly resource: Resource;
  readonly row: Row;
}

/** The resource of the parent. */
export function parentOf({ fields, traits }: Resource): Resource | undefined {
  const { reference } = fields.get(traits.parent ?? '') ?? {};
  return reference === undefined ? undefined : resourceNamed(reference);
}

/** Refuses changes that the state of the record forbids. Only the field that lifts the state may change. */
export function refuseState(resource: Resource, row: Row, body: Body): void {
  refuse(stateRefusal(resource, row, body));
}

/** Refuses a new child if the state of its parent forbids it. */
export function refuseParent({ resource, row }: Parent, child: Resource): void {
  refuseOf({ resource, row }, stateRefusal(resource, row, {}, frozenBy(child)));
}

/** Refuses the change of a child whose parent is frozen. A child of a blocked parent may change. */
export function refuseFrozenParent({ resource, row }: Parent, child: Resource): void {
  refuseOf({ resource, row }, frozenRefusal(resource, row, {}, frozenBy(child)));
}

/** The refusal is about a record that the request does not address, so it names the record. */
function refuseOf({ resource, row }: Parent, found: Violation | undefined): void {
  refuse(found && about(resource.name, Number(row.id), [found]));
}

/** Why the state of a record forbids a change. `frozen`: see `Traits.frozen` and `Traits.frozenBy`. */
export function stateRefusal(
  resource: Resource,
  row: Row,
  body: Body,
  frozen?: Traits['frozen'],
): Violation | undefined {
  const only = (field: string) =>
    Object.keys(body)
      .filter((name) => name !== 'id')
      .every((name) => name === field) && Object.hasOwn(body, field);
  if (row.is_system === 1) return violation('record_system');
  // A cancelled order that is blocked can be unblocked, and then reopened.
  if (row.is_blocked === 1) return only('is_blocked') ? undefined : violation('record_blocked');
  if (row.is_archived === 1) return only('is_archived') ? undefined : violation('record_archived');
  return frozenRefusal(resource, row, body, frozen);
}

/** The states of its parent in which a child can't change. Undefined: those of the parent itself. */
const frozenBy = ({ traits }: Resource): Traits['frozen'] =>
  traits.frozenBy === 'nothing' ? () => undefined : traits.frozenBy;

function frozenRefusal(
  { name, traits }: Resource,
  row: Row,
  body: Body,
  frozen: Traits['frozen'] = traits.frozen,
): Violation | undefined {
  const state = frozen?.(row);
  return state === undefined || traits.thaws?.(row, body)
    ? undefined
    : violation('record_frozen', { resource: name, state });
}
