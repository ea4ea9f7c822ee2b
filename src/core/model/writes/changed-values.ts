// The old and new values of an update, as the log of changes shows them.
import { encode } from '../fields/encode.ts';
import type { Field, Row } from '../fields/field.ts';
import type { Resource } from '../records/record.ts';

const LONGEST_TEXT = 1_000;
/** The log has these as `version` and `at`. */
const UNNAMED = new Set(['id', 'modified_at']);
/** Stands for a value that is not shown: of a write-only field, bytes, or of a person who was anonymised. */
export const HIDDEN_VALUE = '[...]';
const HIDDEN = JSON.stringify(HIDDEN_VALUE);

interface Update {
  readonly before: Row;
  readonly after: Row;
  /** The written columns. A write-only field has none. */
  readonly changed: ReadonlySet<string>;
  /** Fields that were written and are not shown. */
  readonly secrets: ReadonlySet<string>;
}

/** JSON: `{"field": [old, new]}`, of the written fields whose values differ. Values of `secrets` are hidden. */
export function changedValues({ fields }: Resource, { before, after, changed, secrets }: Update): string {
  const found: string[] = [];
  for (const [name, field] of fields) {
    if (secrets.has(name)) {
      found.push(`"${name}":[${HIDDEN},${HIDDEN}]`);
    } else if (changed.has(name) && !UNNAMED.has(name)) {
      const [from, to] = [before[name] ?? null, after[name] ?? null];
      if (from !== to) found.push(`"${name}":[${shown(field, from)},${shown(field, to)}]`);
    }
  }
  return `{${found.join()}}`;
}

function shown({ kind = 'text', datatype }: Field, stored: Row[string]): string {
  const value = stored ?? null;
  // Nobody reads bytes in a log.
  if (datatype === 'bytea' && value !== null) return HIDDEN;
  return typeof value === 'string' && kind === 'text' && value.length > LONGEST_TEXT
    ? JSON.stringify([...value].slice(0, LONGEST_TEXT).join(''))
    : encode(kind, value);
}
