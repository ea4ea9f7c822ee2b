// The time of the newest change, for a look at the clock. For each owner, the change with the last place counts: a
// change that was made while the clock ran ahead is followed by others.

import { Counter } from '../../core/model/records/counter.ts';
import { columns, selected } from '../../core/model/statements/selected.ts';
import type { Session } from '../../core/model/statements/session.ts';
import { changesIn, LoggedChange, OutboxEntry } from '../../core/model/writes/change-log.ts';
import { formatTimestamp } from '../../core/trade/time/timestamp.ts';
import { COUNTER } from './place.ts';

/** Undefined: nothing has changed, or the log has lost it. */
export async function newestChange(session: Session): Promise<Date | undefined> {
  const lastPlaced = Counter.ofAllOwners('doctor', session)
    .alias('last')
    .join(`${LoggedChange.tableName} as c`, (on) =>
      on.on('c.owner_id', 'last.owner_id').on('c.seq', 'last.value'),
    )
    .where('last.name', COUNTER);
  const placed = await selected(lastPlaced, columns(LoggedChange, 'c', 'at'));
  const lastEntries = OutboxEntry.ofAllOwners('part').max('id').groupBy('owner_id');
  const unplaced = await OutboxEntry.ofAllOwners('doctor', session).whereIn('id', lastEntries);
  const times = [...placed, ...unplaced.flatMap((entry) => changesIn(entry).slice(-1))].map(({ at }) => at);
  const newest = times.sort().at(-1);
  return newest === undefined ? undefined : new Date(formatTimestamp(newest));
}
