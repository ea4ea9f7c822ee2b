// The one writer of rows. Each row that a transaction adds, changes or deletes passes here, so versions, times and the
// log always follow; test/architecture.test.ts lets no other file log a change.

import { databaseNow } from '../../trade/time/timestamp.ts';
import { isNullable, type Row } from '../fields/field.ts';
import { ownerColumn, type Resource } from '../records/record.ts';
import { foldedColumns, keepsFolded } from '../records/search-text.ts';
import { planOf } from '../records/table-plan.ts';
import { onTable } from '../statements/base-model.ts';
import { opposite } from '../statements/fragment.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import { insertMany } from '../statements/insert-many.ts';
import { prepared } from '../statements/prepared.ts';
import { remembered } from '../statements/remembered.ts';
import { logCreated, noteChange } from './change-log.ts';
import { demandOwnRecords } from './self-reference.ts';

/**
 * Inserts a row in stored form and answers its ID. Columns without a value get their defaults. Sets `id`, `version`,
 * `created_at` and `modified_at` of the row, unless it has times. Throws the errors of the database's keys.
 */
export async function insertRow(
  garage: Garage,
  resource: Resource,
  row: Row,
  { references = 'checked' }: Pick<Inserting, 'references'> = {},
): Promise<number> {
  complete(resource, [row]);
  if (references === 'checked') await demandOwnRecords(garage, resource, [row]);
  const folded = foldedColumns(resource, row);
  const hidden = presentHidden(resource, row);
  const statement = prepared(`insert ${resource.name} ${hidden} ${Object.keys(folded)}`, (mark) => {
    const columns = [...presentColumns(resource, row), ...Object.keys(folded)];
    const marks = columns.map((column) => [column, mark(column)]);
    return onTable(resource.model).insert({
      ...(isOwned(resource) && { owner_id: mark('owner') }),
      ...Object.fromEntries(marks),
    });
  });
  row.id = (await statement.write(garage, { ...row, ...folded })).insertId;
  noteChange(garage, resource, { owner: ownerOf(resource, garage.owner, row), after: row });
  return row.id;
}

interface Inserting {
  /** `now`: at once, because a transaction keeps changes in memory that are logged at its end. */
  readonly logged?: 'now' | 'at the end';
  /** `known`: the caller has locked the records of the same resource that the rows refer to, or their parents. */
  readonly references?: 'checked' | 'known';
}

/** Inserts rows with one statement, as `insertRow` does. All rows must have the same hidden columns. */
export async function insertRows(
  garage: Garage,
  resource: Resource,
  rows: readonly Row[],
  { logged = 'at the end', references = 'checked' }: Inserting = {},
): Promise<void> {
  complete(resource, rows);
  const columns = presentColumns(resource, rows[0] ?? {});
  if (references === 'checked') await demandOwnRecords(garage, resource, rows);
  const ids = await insertMany(
    garage,
    resource.table,
    rows.map((row): Row => {
      const written: Row = isOwned(resource) ? { owner_id: garage.owner } : {};
      for (const column of columns) written[column] = row[column] ?? null;
      return Object.assign(written, foldedColumns(resource, row));
    }),
  );
  rows.forEach((row, index) => {
    row.id = ids[index] ?? null;
  });
  const [first] = rows;
  if (!first) return;
  // All rows of a statement have one owner, and a new owner comes alone.
  const whose = ownerOf(resource, garage.owner, first);
  if (logged === 'now') await logCreated(garageOf(garage, whose), resource, rows);
  else for (const row of rows) noteChange(garage, resource, { owner: whose, after: row });
}

interface Changing {
  /** The locked row. */
  readonly previous: Row;
  readonly next: Row;
  /** The columns that may differ; all, if nothing is said. */
  readonly among?: readonly string[];
  /** Fields that the log names without their values. */
  readonly secrets?: readonly string[];
}

/** Each change gives the row a time and a version. */
const OF_EACH_CHANGE = ['modified_at', 'version'];

/**
 * Writes the columns in which `next` differs from `previous`, with a new `modified_at` and version: at once if a key
 * may refuse the row, else with the transaction's next statement.
 */
export async function changeRow(
  garage: Garage,
  resource: Resource,
  { previous, next, among = changeableColumns(resource), secrets }: Changing,
): Promise<void> {
  next.modified_at = databaseNow();
  next.version = Number(previous.version) + 1;
  const folded = foldedColumns(resource, next, previous);
  const changed = [...among.filter((column) => next[column] !== previous[column]), ...OF_EACH_CHANGE];
  const columns = [...changed, ...Object.keys(folded)];
  const statement = prepared(`update ${resource.name} ${columns.join()}`, (mark) =>
    onTable(resource.model)
      .update({
        ...keepsFolded(resource),
        ...Object.fromEntries(columns.map((column) => [column, mark(column)])),
      })
      .where(ownerColumn(resource) ?? 'id', mark('owner'))
      .where('id', mark('id')),
  );
  const values = { ...next, ...folded };
  const mayBeRefused = changed.some((column) => keyedColumns(resource).has(column));
  await (mayBeRefused ? statement.write(garage, values) : statement.writeLater(garage, values));
  noteChange(garage, resource, { owner: garage.owner, before: previous, after: next, changed, secrets });
}

/**
 * Takes the values of a unique field from rows, so that the rows can exchange them. The caller writes each row in the
 * same transaction, so the log notes nothing here. Values of a list are above 0, and their opposites are free.
 */
export async function parkRows(
  garage: Garage,
  { model, fields }: Resource,
  field: string,
  ids: readonly number[],
): Promise<void> {
  const parked = isNullable(fields.get(field)) ? null : opposite(field);
  await model
    .of(garage)
    .patch({ [field]: parked })
    .whereIn('id', [...ids]);
}

/** Deletes rows. Throws the errors of the database's keys. */
export async function deleteRows(garage: Garage, resource: Resource, rows: readonly Row[]): Promise<void> {
  for (const row of rows) {
    await deletion(resource).write(garage, { id: row.id ?? null });
    noteChange(garage, resource, { owner: garage.owner, before: row });
  }
}

/** Deletes a row with the transaction's next statement, which then has the errors of the database's keys. */
export async function deleteRow(garage: Garage, resource: Resource, row: Row): Promise<void> {
  await deletion(resource).writeLater(garage, { id: row.id ?? null });
  noteChange(garage, resource, { owner: garage.owner, before: row });
}

const deletion = ({ name, model }: Resource) =>
  prepared(`delete ${name}`, (mark) => model.ofMarked(mark).delete().where('id', mark('id')));

/** The columns that a unique key or a foreign key of the table looks at. */
const keyedColumns = remembered((resource: Resource): ReadonlySet<string> => {
  const { columns, untyped, references, indexes } = planOf(resource);
  const keyed = [...references, ...indexes.filter(({ unique }) => unique)].flatMap((key) => key.columns);
  const written = new Set(columns.map(({ name }) => name));
  // The server computes any other column, and from any columns.
  return keyed.every((column) => written.has(column)) ? new Set(keyed) : new Set([...written, ...untyped]);
});

const isOwned = ({ ownership }: Resource): boolean => ownership === 'column';

/** The owner in whose log a change stands. An owner's own change stands in its own log. */
const ownerOf = (resource: Resource, owner: number, row: Row): number =>
  isOwned(resource) ? owner : Number(row.id);

/** Gives each row its version, its times and the defaults of its fields. */
function complete({ fields }: Resource, rows: readonly Row[]): void {
  const now = databaseNow();
  for (const row of rows) {
    row.version = 1;
    row.created_at ??= now;
    row.modified_at ??= now;
    for (const [name, { fallback, writeOnly }] of fields) if (!writeOnly) row[name] ??= fallback;
  }
}

/** The columns of an INSERT. */
const presentColumns = (resource: Resource, row: Row): string[] => [
  ...shownColumns(resource),
  ...presentHidden(resource, row),
];

/** A hidden column that the row does not have keeps the default of its table. */
const presentHidden = ({ unshown }: Resource, row: Row): string[] =>
  unshown.filter((column) => row[column] !== undefined);

/** The columns that a caller of `changeRow` may give other values. */
const changeableColumns = remembered((resource: Resource): readonly string[] =>
  [...shownColumns(resource), ...resource.unshown].filter((column) => !OF_EACH_CHANGE.includes(column)),
);

/** The columns of the fields, without the ID. */
const shownColumns = ({ columns }: Resource): string[] => columns.filter((column) => column !== 'id');
