// A request body that is not a record (a backup, a password reset), with the same fields and checks.

import type { Field, Fields, RowOf } from '../fields/field.ts';
import type { Shape } from '../records/record.ts';
import { type Body, checkFields } from './check.ts';

export interface Form<F extends Fields> {
  readonly fields: ReadonlyMap<string, Field>;
  /** The values in stored form. Throws Problem with the violations of one stage. */
  readonly read: (body: Body) => RowOf<F>;
}

/** Describes fields that are no record, for the checks of a body. */
export const formShape = (name: string, fields: Fields): Shape => ({
  name,
  fields: new Map(Object.entries(fields)),
  columns: Object.keys(fields),
  unshown: [],
  traits: {},
  hooks: {},
});

export function form<const F extends Fields>(name: string, fields: F): Form<F> {
  const shape = formShape(name, fields);
  return { fields: shape.fields, read: (body) => checkFields(shape, body, undefined) as RowOf<F> };
}
