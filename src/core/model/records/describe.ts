// Describes a resource's fields for /model/{name}.
import { type Field, rangeName } from '../fields/field.ts';
import type { Resource } from './record.ts';

/**
 * All fields in the order in which records show them; 1 and 0 are flags, null is "none". Only personal data has
 * `personal`, which is true.
 */
export function describeFields({ fields }: Resource): object[] {
  return [...fields].map(([name, field]) => ({
    name,
    datatype: field.datatype,
    length: field.length ?? null,
    required: flag(field.required && !field.readonly),
    readonly: flag(field.readonly),
    primary: flag(field.primary),
    unique: flag(field.unique !== undefined || field.primary),
    fixed: flag(field.fixed),
    reference: field.reference ?? null,
    list: field.list ?? null,
    validation: validationName(field),
    ...(field.personal ? { personal: true } : {}),
  }));
}

const flag = (holds: unknown) => (holds ? 1 : 0);

function validationName({ validation, list, schema, after }: Field): string | null {
  if (validation) return validation.name;
  if (list) return list;
  if (after) return `after ${after}`;
  if (schema.enum) return schema.enum.join(',');
  return rangeName(schema) ?? null;
}
