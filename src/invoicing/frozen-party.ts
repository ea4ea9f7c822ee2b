// The seller and the buyer that an invoice keeps, as they were on its day: the fields that an invoice prints, and no
// others. A key that may read orders reads them with the invoice.
import type { Row } from '../model/field.ts';
import type { Resource } from '../model/record.ts';
import { serializer } from '../model/serialize.ts';

const printed = new WeakMap<Resource, readonly string[]>();

/** The JSON that the invoice keeps of an owner or a contact. */
export function frozenParty(resource: Resource, row: Row): string {
  let columns = printed.get(resource);
  if (!columns) {
    columns = resource.columns.filter((column) => column === 'id' || resource.fields.get(column)?.printed);
    printed.set(resource, columns);
  }
  return serializer(resource, columns)(row);
}
