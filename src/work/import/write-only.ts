// Hides the values of write-only fields, such as passwords, in the file of refused rows.
import { stringify } from 'csv-stringify/sync';
import { type Body, isBody } from '../../core/model/bodies/check.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { remembered } from '../../core/model/statements/remembered.ts';
import { HIDDEN_VALUE } from '../../core/model/writes/changed-values.ts';
import { childrenOf } from '../../core/model/writes/children.ts';

/** The names of the write-only fields of the resource and of its children. */
const writeOnlyNames = remembered((resource: Resource): ReadonlySet<string> => {
  const all = [resource, ...childrenOf(resource).map(({ other }) => other)];
  const names = all.flatMap(({ fields }) =>
    [...fields].filter(([, { writeOnly }]) => writeOnly).map(([name]) => name),
  );
  return new Set(names);
});

export const isWriteOnly = (resource: Resource, column: string): boolean =>
  writeOnlyNames(resource).has(column);

/** A row of JSON as the report may show it. `body`: the parsed row. Undefined: its values are unknown. */
export function shownJson(resource: Resource, raw: string, body: Body | undefined): string {
  const names = writeOnlyNames(resource);
  if (names.size === 0) return raw;
  if (!body) return JSON.stringify(HIDDEN_VALUE);
  if (!holds(body, names)) return raw;
  return JSON.stringify(body, (name, value: unknown) =>
    names.has(name) && value !== null ? HIDDEN_VALUE : value,
  );
}

/** Whether the body or one of its children has a field of these names. */
const holds = (body: Body, names: ReadonlySet<string>): boolean =>
  Object.entries(body).some(
    ([name, value]) =>
      names.has(name) ||
      (Array.isArray(value) && value.some((child) => isBody(child) && holds(child, names))),
  );

/** A row of CSV as the report may show it. `hidden`: the columns of write-only fields, from 0. */
export function shownCsv(cells: readonly string[], hidden: ReadonlySet<number>, delimiter: string): string {
  const shown = cells.map((cell, column) => (hidden.has(column) && cell !== '' ? HIDDEN_VALUE : cell));
  return stringify([shown], { delimiter, eof: false, quoted_match: /[\r\n]/ });
}
