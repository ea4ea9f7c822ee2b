// Reads single records for requests. A statement of its own is the most that such a request would cost, so that
// those that arrive at the same moment share one.
import DataLoader from 'dataloader';
import type { Row } from './field.ts';
import { findRecords } from './find.ts';
import type { Resource } from './record.ts';
import type { Session } from './session.ts';

const MOST_TOGETHER = 32;

/**
 * One whole record and its `version`, or undefined where the owner has none of that ID. Who asks for the same record
 * at the same moment is given the same row.
 */
export type Finder = (resource: Resource, owner: number, id: number) => Promise<Readonly<Row> | undefined>;

interface Wanted {
  readonly resource: Resource;
  readonly owner: number;
  readonly id: number;
}

type Found = Row | Error | undefined;

export function createFinder(session: Session): Finder {
  const loader = new DataLoader((wanted: readonly Wanted[]) => readTogether(session, wanted), {
    // What was read is never answered to who asks later.
    cache: false,
    maxBatchSize: MOST_TOGETHER,
    // When all connections have been looked at on which something had arrived: nobody is waited for.
    batchScheduleFn: setImmediate,
  });
  return (resource, owner, id) => loader.load({ resource, owner, id });
}

/** What was found of each that is wanted, in their order. */
async function readTogether(session: Session, wanted: readonly Wanted[]): Promise<Found[]> {
  const found = new Map<Wanted, Found>();
  await Promise.all(
    [...ofOneOwner(wanted)].map(async (group) => {
      const rows = await readGroup(session, group).catch((error: Error) => error);
      for (const one of group) found.set(one, rows instanceof Error ? rows : rows.get(one.id));
    }),
  );
  return wanted.map((one) => found.get(one));
}

/** By resource and owner, since a statement reads records of one owner only. */
function ofOneOwner(wanted: readonly Wanted[]): Iterable<[Wanted, ...Wanted[]]> {
  const groups = new Map<string, [Wanted, ...Wanted[]]>();
  for (const one of wanted) {
    const key = `${one.resource.name} ${one.owner}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups.values();
}

async function readGroup(session: Session, group: [Wanted, ...Wanted[]]): Promise<Map<unknown, Row>> {
  const [{ resource, owner }] = group;
  const ids = group.map(({ id }) => id);
  const rows = await findRecords(session, resource, owner, ids);
  return new Map(rows.map((row) => [row.id, row]));
}
