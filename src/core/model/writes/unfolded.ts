// Folds the texts that no statement of this version has written: those of rows from before the upgrade, of a process of
// the release before, or of somebody's SQL. The database notes such rows (UNFOLDED_AT).
import { ref } from 'objection';
import type { Row } from '../fields/field.ts';
import { selection } from '../lists/find.ts';
import type { Resource } from '../records/record.ts';
import { allResources, resourceNamed } from '../records/registry.ts';
import { isFolded, SEARCH_TEXT, searchTextOf, textColumns, UNFOLDED_AT } from '../records/search-text.ts';
import { instant, joinGiven, onIndex } from '../statements/fragment.ts';
import { type Garage, garageOf } from '../statements/garage.ts';
import { LIMIT, prepared } from '../statements/prepared.ts';
import { retried } from '../statements/retried.ts';
import type { Database } from '../statements/session.ts';

/** Each portion commits by itself, and locks its rows briefly. */
const PORTION = 500;

interface Portion {
  /** The last row of the portion before. */
  readonly after?: Unfolded | undefined;
  readonly newestFirst?: boolean;
  readonly most?: number;
}

type Unfolded = Row & { readonly id: number; readonly version: number; readonly noted: string };

const foldedResources = (): Resource[] => allResources().filter(isFolded);

/** Folds what an owner has of a resource, and answers the number of rows. */
async function foldTexts(garage: Garage, resource: Resource): Promise<number> {
  let count = 0;
  for (let rows = await readUnfolded(garage, resource); rows.length > 0; ) {
    await fold(garage, resource, rows);
    count += rows.length;
    rows = await readUnfolded(garage, resource, { after: rows.at(-1) });
    // Rows that somebody has changed meanwhile.
    if (rows.length === 0) rows = await readUnfolded(garage, resource);
  }
  return count;
}

/** The last portion that a search of an owner folds, or waits for. */
const turns = new Map<number, Promise<unknown>>();

/**
 * Before a search: folds what a process of the release before has just written, one portion of each resource, the
 * newest rows first. If many rows are left, the next tidying folds the others. An owner's searches fold one after the
 * other, on one connection.
 */
export async function foldNewest(
  database: Database,
  owner: number,
  resources: readonly Resource[],
): Promise<void> {
  const garage = garageOf(database, owner);
  for (const resource of resources) {
    if ((await readUnfolded(garage, resource, { most: 1 })).length === 0) continue;
    const before = turns.get(owner) ?? Promise.resolve();
    // A search fails by itself if the database is away.
    const turn = before.then(() => foldPortion(garage, resource)).catch(() => {});
    turns.set(owner, turn);
    await turn;
    if (turns.get(owner) === turn) turns.delete(owner);
  }
}

async function foldPortion(garage: Garage, resource: Resource): Promise<void> {
  const rows = await readUnfolded(garage, resource, { newestFirst: true });
  if (rows.length > 0) await fold(garage, resource, rows);
}

/** Folds what all owners have. Runs at start, after the migrations, and at each tidying. */
export async function foldAllTexts(database: Database): Promise<number> {
  let count = 0;
  for (const resource of foldedResources()) {
    const unfolded = resource.model
      .ofAllOwners('part')
      .select('id')
      .whereColumn(`${resource.table}.owner_id`, 'owners.id')
      .whereNotNull(UNFOLDED_AT);
    const owners = await resourceNamed('owner')
      .model.ofAllOwners('upgrade', database)
      .select('id')
      .whereExists(unfolded);
    for (const { id } of owners) count += await foldTexts(garageOf(database, Number(id)), resource);
  }
  return count;
}

/** How many rows wait for it, of all owners. */
export async function countUnfolded(database: Database): Promise<number> {
  const counts = foldedResources().map(({ model }) =>
    model.ofAllOwners('doctor', database).whereNotNull(UNFOLDED_AT).resultSize(),
  );
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

/**
 * The next portion. It begins behind the portion before, because the server keeps the old entries of an index for a
 * while and would read all of them again.
 */
const readUnfolded = (
  garage: Garage,
  resource: Resource,
  { after, newestFirst = false, most = PORTION }: Portion = {},
): Promise<Unfolded[]> =>
  prepared(`unfolded ${resource.name}${after ? ', a later portion' : ''} ${newestFirst}`, (mark) => {
    const noted = `t.${UNFOLDED_AT}`;
    const query = resource.model
      .ofMarked(mark, 't')
      .from(onIndex(resource.table, 't', `${resource.table}__${UNFOLDED_AT}`))
      .select(
        ...selection(resource, ['id', 'version', ...textColumns(resource)]),
        instant(noted).as('noted'),
      );
    if (!after) query.whereNotNull(noted);
    else
      query
        .where(noted, '>=', mark('noted'))
        .where((behind) => behind.where(noted, '>', mark('noted')).orWhere('t.id', '>', mark('id')));
    const order = newestFirst ? 'desc' : 'asc';
    return query.orderBy(noted, order).orderBy('t.id', order).limit(LIMIT);
  }).rows<Unfolded>(garage, { limit: most, noted: after?.noted ?? null, id: after?.id ?? null });

/** A row that somebody has changed since it was read stays for the next portion. */
const fold = (garage: Garage, resource: Resource, rows: readonly Unfolded[]) =>
  retried(() =>
    resource.model
      .of(garage)
      .joinRaw(
        ...joinGiven(
          resource.table,
          rows.map((row) => [row.id, row.version, searchTextOf(resource, row)]),
        ),
      )
      .patch({ [SEARCH_TEXT]: ref('given.folded'), [UNFOLDED_AT]: null }),
  );
