// Compares the tables of a database with what the fields of the resources ask for. The check of the tables reports
// each difference in one sentence, `make migration` writes a migration from the differences, and a start of the service
// demands that no table or column is missing.
import type { Knex } from 'knex';
import type { Index } from '../../core/model/records/index-plan.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { allResources } from '../../core/model/records/registry.ts';
import { type Column, planOf, type Reference, type TablePlan } from '../../core/model/records/table-plan.ts';
import { type FoundColumn, type FoundTable, readColumns, readTables } from './schema.ts';

export type Difference = { readonly table: string; readonly problem: string } & (
  | { readonly kind: 'table'; readonly plan: TablePlan }
  | { readonly kind: 'column'; readonly column: Column }
  | { readonly kind: 'type'; readonly column: Column; readonly found: FoundColumn }
  | { readonly kind: 'untyped' | 'surplus'; readonly name: string }
  | { readonly kind: 'index'; readonly index: Index; readonly replaces: boolean; readonly wasUnique: boolean }
  | { readonly kind: 'reference'; readonly reference: Reference; readonly replaces: boolean }
);

const makeMigration = (table: string) => `run \`make migration NAME=${table}\``;

/** One sentence, which ends with the remedy, for each fault of the tables. Empty: nothing is wrong. */
export async function schemaProblems(
  knex: Knex,
  { resources = allResources(), remedy }: { resources?: readonly Resource[]; remedy?: string } = {},
): Promise<string[]> {
  const differences = schemaDifferences(resources, await readTables(knex));
  return differences.map(({ problem, kind, table }) => {
    if (kind === 'untyped' || kind === 'surplus') return `${problem}.`;
    if (kind === 'table' && remedy === undefined)
      return `The table \`${table}\` has no migration: ${makeMigration(table)}.`;
    return `${problem}; ${remedy ?? makeMigration(table)}.`;
  });
}

/** Throws an Error that names the first table or column that a resource needs and the database lacks. */
export async function demandTables(
  knex: Knex,
  resources: readonly Resource[] = allResources(),
): Promise<void> {
  const tables = await readColumns(knex);
  for (const { name: table, columns, untyped } of resources.map(planOf)) {
    const found = tables.get(table);
    const missing = [...columns.map(({ name }) => name), ...untyped].find((name) => !found?.has(name));
    if (missing === undefined) continue;
    const lack = found
      ? `table \`${table}\` has no column \`${missing}\``
      : `database has no table \`${table}\``;
    throw new Error(`The ${lack}: ${makeMigration(table)}, then start again`);
  }
}

export const schemaDifferences = (
  resources: readonly Resource[],
  tables: ReadonlyMap<string, FoundTable>,
): Difference[] =>
  resources.flatMap((resource): Difference[] => {
    const plan = planOf(resource);
    const found = tables.get(plan.name);
    if (found) return [...columnDifferences(plan, found), ...keyDifferences(plan, found)];
    const problem = `Resource ${resource.name} has no table ${plan.name}`;
    const untyped = plan.untyped.map((name) => withoutType(plan, name));
    return [{ kind: 'table', table: plan.name, plan, problem }, ...untyped];
  });

function columnDifferences(plan: TablePlan, { columns }: FoundTable): Difference[] {
  const table = plan.name;
  const declared = plan.columns.flatMap((column): Difference[] => {
    const found = columns.get(column.name);
    if (!found) {
      const problem = `Table ${table} has no column ${column.name}`;
      return [{ kind: 'column', table, column, problem }];
    }
    const fault = faultOf(column, found);
    if (!fault) return [];
    return [
      { kind: 'type', table, column, found, problem: `Column ${column.name} of table ${table} ${fault}` },
    ];
  });
  const known = new Set([...plan.columns.map(({ name }) => name), ...plan.untyped]);
  const untyped = plan.untyped.filter((name) => !columns.has(name));
  const surplus = [...columns.keys()].filter((name) => !known.has(name));
  return [
    ...declared,
    ...untyped.map((name) => withoutType(plan, name)),
    ...surplus.map((name): Difference => {
      const problem = `Table ${table} has a column ${name} that no field describes: no migration drops a column by itself`;
      return { kind: 'surplus', table, name, problem };
    }),
  ];
}

const withoutType = ({ name: table }: TablePlan, name: string): Difference => ({
  kind: 'untyped',
  table,
  name,
  problem: `Table ${table} has no column ${name}, whose type no field tells: write the column into a migration by hand`,
});

function faultOf(column: Column, found: FoundColumn): string | undefined {
  const { type, nullable, fallback } = column;
  if (!isWideEnough(type, found.type)) return `is ${found.type}, but the field needs ${type}`;
  if (nullable !== found.nullable)
    return nullable ? 'may not be null, but the field is optional' : 'may be null, but the field never is';
  if (fallback !== null && String(fallback) !== found.fallback)
    return `has ${found.fallback === null ? 'no default' : `the default ${found.fallback}`}, but the field needs ${fallback}`;
  return undefined;
}

// A list of modules is short, the copy of a contact is not: either type of text will do.
const isWideEnough = (type: string, found: string) =>
  type === found || [type, found].every((one) => one === 'text' || one === 'mediumtext');

function keyDifferences(plan: TablePlan, found: FoundTable): Difference[] {
  const table = plan.name;
  const references = plan.references.flatMap((reference): Difference[] => {
    const { name, columns, referenced } = reference;
    const there = found.references.get(name);
    const same =
      there?.table === reference.table &&
      isSame(there.columns, columns) &&
      isSame(there.referenced, referenced);
    if (same) return [];
    const target = `from (${columns.join(', ')}) to ${reference.table} (${referenced.join(', ')})`;
    const problem = there
      ? `Foreign key ${name} of table ${table} is not ${target}`
      : `Table ${table} has no foreign key ${name} ${target}`;
    return [{ kind: 'reference', table, reference, replaces: there !== undefined, problem }];
  });
  const indexes = plan.indexes.flatMap((index): Difference[] => {
    const { name, columns, unique } = index;
    const there = found.indexes.get(name);
    if (there && there.unique === unique && isSame(there.columns, columns)) return [];
    const wanted = `${unique ? 'unique index' : 'index'} ${name} on (${columns.join(', ')})`;
    const problem = there
      ? `Table ${table} has an index ${name}, but on (${there.columns.join(', ')})${there.unique ? ', unique' : ''} in place of the ${wanted}`
      : `Table ${table} has no ${wanted}`;
    const wasUnique = there?.unique === true;
    return [{ kind: 'index', table, index, replaces: there !== undefined, wasUnique, problem }];
  });
  return [...indexes, ...references];
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join() === other.join();
