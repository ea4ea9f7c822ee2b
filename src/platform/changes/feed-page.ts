// Reads a page of an owner's feed. The last place is read before the rows, so that the next cursor skips changes of
// other resources, but no change that gets its place later.
import { problem } from '../../core/errors.ts';
import { inPortionsByKey } from '../../core/model/lists/portion.ts';
import type { Resource } from '../../core/model/records/record.ts';
import { allResources, resourceNamed } from '../../core/model/records/registry.ts';
import { serializer } from '../../core/model/records/serialize.ts';
import { onIndex } from '../../core/model/statements/fragment.ts';
import { type Garage, garageOf } from '../../core/model/statements/garage.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { actionName } from '../../core/model/writes/change-action.ts';
import { isLogged, LoggedChange } from '../../core/model/writes/change-log.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { placesOf } from './place.ts';

/** Places that one statement looks at. Without a limit, a rare resource would make it read the log of years. */
const WINDOW = 10_000;
/** After this time the page ends at the last place that was read. */
const MOST_MS = 1_000;
/** Changes whose records are read and sent together. */
const BATCH = 100;

/** The resources of the feed: their changes are logged, and somebody may GET them. */
export const feedResources = (): Resource[] =>
  allResources().filter((resource) => isLogged(resource) && resource.methods.includes('GET'));

export interface FeedQuery {
  readonly owner: number;
  /** The place behind which the page begins; undefined: the first that is kept. */
  readonly after: number | 'now' | undefined;
  readonly resources: readonly string[];
  readonly pageSize: number;
}

export interface FeedPage {
  readonly changes: readonly LoggedChange[];
  /** Behind it the next page begins. */
  readonly place: number;
  readonly hasMore: boolean;
}

/** Throws Problem: 410 if changes behind `after` have left the feed. */
export async function readFeedPage(session: Session, query: FeedQuery): Promise<FeedPage> {
  const { last, gone } = await placesOf(garageOf(session, query.owner));
  const after = query.after === 'now' ? last : (query.after ?? gone);
  // A cursor of a later time than the database: the database was restored from a dump.
  if (after < gone || after > last) throw problem('cursor_expired');
  const end = performance.now() + MOST_MS;
  const found: LoggedChange[] = [];
  let place = after;
  while (place < last && found.length <= query.pageSize && performance.now() < end) {
    const to = Math.min(last, place + WINDOW);
    const limit = query.pageSize + 1 - found.length;
    found.push(...(await readWindow(session, query, { from: place, to, limit })));
    place = to;
  }
  const changes = found.slice(0, query.pageSize);
  if (found.length > query.pageSize) place = changes.at(-1)?.seq ?? place;
  return { changes, place, hasMore: place < last };
}

async function readWindow(
  { knex }: Session,
  { owner, resources }: FeedQuery,
  { from, to, limit }: { from: number; to: number; limit: number },
): Promise<LoggedChange[]> {
  const { tableName } = LoggedChange;
  // With 10,000 places in the window MySQL would sometimes read all of one employee's changes.
  return LoggedChange.of({ knex, owner })
    .from(onIndex(tableName, tableName, 'PRIMARY'))
    .where('seq', '>', from)
    .where('seq', '<=', to)
    .whereIn('resource', resources)
    .orderBy('seq')
    .limit(limit);
}

/** Changes with their records as JSON, separated by commas, in chunks. */
export async function* feedJson(garage: Garage, changes: readonly LoggedChange[]): AsyncGenerator<Buffer> {
  let comma = '';
  for (const batch of portionsOf(changes, BATCH)) {
    const records = await recordsOf(garage, batch);
    const json = batch.map(
      (change) => `${changeJson(change).slice(0, -1)},"record":${records(change) ?? 'null'}}`,
    );
    yield Buffer.from(`${comma}${json.join()}`);
    comma = ',';
  }
}

/** One change as JSON. */
export const changeJson = (change: LoggedChange): string =>
  JSON.stringify({
    seq: change.seq,
    resource: change.resource,
    id: change.record_id,
    external_id: change.external_id,
    action: actionName(change.action),
    version: change.version,
    changed_at: formatTimestamp(change.at),
    fields: Object.keys(JSON.parse(change.changes ?? '{}')),
  });

/** Finds the current records of changes, resource by resource. */
async function recordsOf(
  garage: Garage,
  changes: readonly LoggedChange[],
): Promise<(change: LoggedChange) => string | undefined> {
  const found = new Map<string, string>();
  for (const name of new Set(changes.map(({ resource }) => resource))) {
    const resource = resourceNamed(name);
    const ids = changes.filter((change) => change.resource === name).map(({ record_id }) => record_id);
    const toJson = serializer(resource);
    for await (const rows of inPortionsByKey(garage, resource, [...new Set(ids)]))
      for (const row of rows) if (row) found.set(`${name} ${row.id}`, toJson(row));
  }
  return ({ resource, record_id }) => found.get(`${resource} ${record_id}`);
}
