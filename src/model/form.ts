// A request body that is no record (a backup, a password reset): the same fields, the same checks.
import { type Body, checkFields } from './check.ts';
import type { Field, Fields, RowOf } from './field.ts';
import type { Resource } from './record.ts';

export interface Form<F extends Fields> {
  readonly fields: F;
  /** The values in stored form. Throws Problem with the violations of one stage. */
  readonly read: (body: Body) => RowOf<F>;
}

export function form<const F extends Fields>(name: string, fields: F): Form<F> {
  const resource: Resource = {
    name,
    table: '',
    fields: new Map<string, Field>(Object.entries(fields)),
    columns: Object.keys(fields),
    unshown: [],
    traits: {},
    ownership: 'none',
    methods: [],
  };
  return { fields, read: (body) => checkFields(resource, body, undefined) as RowOf<F> };
}
