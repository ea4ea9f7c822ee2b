// The columns of a SELECT, written out once for each resource and selection of fields.
import type { Resource } from './record.ts';

const written = new WeakMap<readonly string[], string>();

/**
 * The columns of the table that is called `t`. Instants come as text of one length, three decimals and all: the
 * driver would put each together from its parts, which takes longer than all else that a row costs, and would
 * leave out a fraction of zero. A statement's ORDER BY must say `t.`, since the text goes by the same name.
 */
export function selection(resource: Resource, columns: readonly string[] = resource.columns): string {
  const known = written.get(columns) ?? columns.map((name) => selected(resource, name)).join(', ');
  written.set(columns, known);
  return known;
}

const selected = ({ fields }: Resource, name: string) =>
  fields.get(name)?.datatype === 'timestamp' ? `CAST(t.${name} AS CHAR) AS ${name}` : `t.${name}`;
