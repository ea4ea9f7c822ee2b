// A resource as an import of old records (`history=1`) may give it: with the readonly fields that the earlier system
// made.
import type { Field } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';
import { remembered } from '../statements/remembered.ts';

export const historyShape = remembered((resource: Resource): Resource => {
  const fields = [...resource.fields].map(([name, field]): [string, Field] => [
    name,
    // Readonly fields are required of the service, and not of the row.
    field.history ? { ...field, readonly: false, required: false } : field,
  ]);
  return { ...resource, fields: new Map(fields), takesHistory: true };
});
