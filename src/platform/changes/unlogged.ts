// Finds records that were changed past the log, by hand in SQL: their versions differ from their last logged change, or
// they came or went without one. To be called in a snapshot, so that records and log are of one moment.

import type { Row } from '../../core/model/fields/field.ts';
import { ownerColumn, type Resource } from '../../core/model/records/record.ts';
import { allResources } from '../../core/model/records/registry.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import { selected, whole } from '../../core/model/statements/selected.ts';
import type { Session } from '../../core/model/statements/session.ts';
import {
  changesIn,
  isLogged,
  LoggedChange,
  type OutboxEntry,
  type Unplaced,
} from '../../core/model/writes/change-log.ts';
import { Owner } from '../../core/resources/owner.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { entriesOf } from './place.ts';

const PORTION = 1_000;
const ENTRIES = 100;

export interface Unlogged {
  readonly resource: string;
  readonly owner: number;
  readonly id: number;
  readonly fault: 'changed' | 'missing' | 'back' | 'unlogged';
}

/** The last change of a record in the log. */
type Last = Pick<LoggedChange, 'record_id' | 'version' | 'action'>;
/** The last changes that have no place yet, by resource and ID. */
type Unplacing = ReadonlyMap<string, ReadonlyMap<number, Last>>;

/**
 * Yields all records of all owners whose state differs from their last logged change. A record without a logged change
 * is `unlogged` if it is younger than the log.
 */
export async function* findUnlogged(session: Session): AsyncGenerator<Unlogged> {
  const oldest = await beginningOf(session);
  if (oldest === undefined) return;
  const logs = new Map<number, Log>();
  for (const owner of await ownersOf(session)) logs.set(owner, await logOf(garageOf(session, owner)));
  for (const resource of allResources().filter((one) => isLogged(one) && one.ownership !== 'none')) {
    for (const [owner, { logged, unplaced }] of logs) {
      // A thousand garages have tens of thousands of logs of a resource that are empty.
      if (!logged.has(resource.name) && !unplaced.has(resource.name)) continue;
      const garage = garageOf(session, owner);
      for await (const lasts of lastChanges(garage, resource, unplaced)) {
        const rows = await rowsOf(garage, resource, lasts);
        const versions = new Map(rows.map(({ id, version }) => [id, version]));
        for (const last of lasts) {
          const fault = faultOf(last, versions.get(last.record_id));
          if (fault) yield { resource: resource.name, owner, id: last.record_id, fault };
        }
      }
    }
    for await (const { owner, id } of addedWithout(session, resource, oldest)) {
      if (!logs.get(owner)?.unplaced.get(resource.name)?.has(id))
        yield { resource: resource.name, owner, id, fault: 'unlogged' };
    }
  }
}

/** The part of the log that is about one owner. */
interface Log {
  /** The names of the resources with changes that have a place. */
  readonly logged: ReadonlySet<string>;
  readonly unplaced: Unplacing;
}

async function logOf(garage: Garage): Promise<Log> {
  const logged = await LoggedChange.of(garage).distinct('resource');
  return { logged: new Set(logged.map(({ resource }) => resource)), unplaced: await unplacedOf(garage) };
}

/** The time of the oldest kept change. Undefined: no change is kept. */
async function beginningOf(session: Session): Promise<string | undefined> {
  const times: string[] = [];
  for (const owner of await ownersOf(session)) {
    const log = LoggedChange.of(garageOf(session, owner));
    const first =
      (await log.select('at').orderBy('seq').first()) ?? (await firstUnplaced(garageOf(session, owner)));
    if (first) times.push(first.at);
  }
  return times.sort()[0];
}

async function firstUnplaced(garage: Garage): Promise<Unplaced | undefined> {
  const entry = await entriesOf(garage).orderBy('id').first();
  return entry && changesIn(entry)[0];
}

async function unplacedOf(garage: Garage): Promise<Unplacing> {
  const unplaced = new Map<string, Map<number, Last>>();
  for (let behind: number | undefined = 0; behind !== undefined; ) {
    const entries: OutboxEntry[] = await entriesOf(garage)
      .where('id', '>', behind)
      .orderBy('id')
      .limit(ENTRIES);
    behind = entries.at(-1)?.id;
    for (const { resource, record_id, version, action } of entries.flatMap(changesIn)) {
      const lasts = unplaced.get(resource) ?? new Map<number, Last>();
      unplaced.set(resource, lasts.set(record_id, { record_id, version, action }));
    }
  }
  return unplaced;
}

function faultOf({ action, version }: Last, there: Row[string] | undefined): Unlogged['fault'] | undefined {
  const isDeleted = action === LISTS.changeactions.DELETED;
  if (there === undefined) return isDeleted ? undefined : 'missing';
  if (isDeleted) return 'back';
  return there === version ? undefined : 'changed';
}

async function ownersOf(session: Session): Promise<number[]> {
  const owners = await Owner.ofAllOwners('doctor', session).select('id').orderBy('id');
  return owners.map(({ id }) => id);
}

const rowsOf = (garage: Garage, { model }: Resource, lasts: readonly Last[]) =>
  model
    .of(garage)
    .select('id', 'version')
    .whereIn(
      'id',
      lasts.map(({ record_id }) => record_id),
    );

/** The last change of each record, in portions. */
async function* lastChanges(
  garage: Garage,
  { name }: Resource,
  unplaced: Unplacing,
): AsyncGenerator<readonly Last[]> {
  const newer = new Map(unplaced.get(name));
  const logged = () => LoggedChange.of(garage).where('resource', name);
  for (let behind: number | undefined = 0; behind !== undefined; ) {
    const ends: { record_id: number; seq: number }[] = await logged()
      .select('record_id')
      .max('seq as seq')
      .where('record_id', '>', behind)
      .groupBy('record_id')
      .orderBy('record_id')
      .limit(PORTION);
    behind = ends.length < PORTION ? undefined : ends.at(-1)?.record_id;
    const places = ends.map(({ seq }) => seq);
    const lasts = await LoggedChange.of(garage)
      .select('record_id', 'version', 'action')
      .whereIn('seq', places);
    yield lasts.map((last) => newer.get(last.record_id) ?? last);
    for (const { record_id } of lasts) newer.delete(record_id);
  }
  yield* portionsOf([...newer.values()], PORTION);
}

/** The records of all owners that were added after `since` and have no change with a place. */
async function* addedWithout(
  session: Session,
  resource: Resource,
  since: string,
): AsyncGenerator<{ owner: number; id: number }> {
  const column = ownerColumn(resource);
  if (column === undefined) return;
  const ownerOf = `r.${column}`;
  for (let behind = { owner: 0, id: 0 }; ; ) {
    const { owner, id } = behind;
    const added = resource.model
      .ofAllOwners('doctor', session)
      .alias('r')
      .where('r.created_at', '>', since)
      .where((later) =>
        later
          .where(ownerOf, '>', owner)
          .orWhere({ [ownerOf]: owner })
          .where('r.id', '>', id),
      )
      .whereNotExists(
        LoggedChange.ofAllOwners('part')
          .alias('c')
          .whereColumn('c.owner_id', ownerOf)
          .where('c.resource', resource.name)
          .whereColumn('c.record_id', 'r.id'),
      )
      .orderBy([ownerOf, 'r.id'])
      .limit(PORTION);
    const rows = await selected(added, { owner: whole(ownerOf), id: whole('r.id') });
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PORTION) return;
    behind = last;
  }
}
