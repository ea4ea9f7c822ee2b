// Registers a test under a row of the specification, with the row as its title, and remembers which rows have a test.
import { CASES, type Names, type Reason, ROWS, type Table } from './rows.ts';

type Values = readonly (string | number)[];
/** The answer of a row: its status, and its text with these values as its placeholders. */
type Says = (...values: Values) => [status: number, text: string];
type Case = (says: Says) => Promise<void>;

const PLACEHOLDER = /\.{3,4}(?: , \.{3})?/g;
const casesOf = new Map<string, number>();

/** `row('PUT', 'Blocked record', async (says) => …)`; a row with CASES takes the name of a case before the test. */
export function row<T extends Table>(
  table: T,
  reason: Reason<T>,
  ...rest: [test: Case] | [name: string, test: Case]
): void {
  const [name, test] = rest.length === 2 ? rest : [undefined, rest[0]];
  const key = keyOf(table, reason, name);
  if (!allKeys().includes(key)) throw new Error(`The specification has no row ${key}`);
  casesOf.set(key, (casesOf.get(key) ?? 0) + 1);
  it(`${key}: ${textOf(table, reason, name)}`, () => test((...values) => fill(table, reason, name, values)));
}

/** The answer of a row, for a case of another row. */
export const says = <T extends Table>(table: T, reason: Reason<T>, ...values: Values) =>
  fill(table, reason, undefined, values);

/** How many rows and cases there are, and which rows lack a test. */
export function account(): { rows: number; cases: number; missing: string[] } {
  return {
    rows: Object.values(ROWS).reduce((sum, rows) => sum + Object.keys(rows).length, 0),
    cases: [...casesOf.values()].reduce((sum, count) => sum + count, 0),
    missing: allKeys().filter((key) => !casesOf.has(key)),
  };
}

const keyOf = (table: string, reason: string | number, name?: string) =>
  [table, reason, ...(name === undefined ? [] : [name])].join(' | ');

function allKeys(): string[] {
  return Object.entries(ROWS).flatMap(([table, rows]) =>
    Object.keys(rows).flatMap((reason) => {
      const names = namesOf(table, reason);
      if (names === undefined) return [keyOf(table, reason)];
      return (Array.isArray(names) ? names : Object.keys(names)).map((name: string) =>
        keyOf(table, reason, name),
      );
    }),
  );
}

const namesOf = (table: string, reason: string | number): Names | undefined =>
  (CASES as Record<string, Record<string, Names> | undefined>)[table]?.[reason];

function textOf(table: Table, reason: string | number, name = ''): string {
  const names = namesOf(table, reason);
  const own = (ROWS[table] as Record<string, string>)[reason] ?? '';
  return names && !Array.isArray(names) ? ((names as Record<string, string>)[name] ?? own) : own;
}

function fill(
  table: Table,
  reason: string | number,
  name: string | undefined,
  values: Values,
): [number, string] {
  const [, ownStatus, template = ''] = /^(?:(\d{3}) )?(.*)$/.exec(textOf(table, reason, name)) ?? [];
  const status = ownStatus ?? /all (\d{3})/.exec(table)?.[1];
  const left = values.map(String);
  const text = template.replace(PLACEHOLDER, (gap) => left.shift() ?? gap);
  if ((template.match(PLACEHOLDER)?.length ?? 0) !== values.length)
    throw new Error(`${values.length} values for ${template}`);
  return [Number(status), text];
}
