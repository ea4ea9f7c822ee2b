// Makes requests meet: a row is held until all of them wait, so that none is done before the last one comes.
import { resourceNamed } from '../../src/model/registry.ts';
import type { Client } from './client.ts';
import { database } from './service.ts';
import { until } from './until.ts';

/** As many as can meet: the service and the test share the connections of one pool. */
export const AT_ONCE = 6;

/** Starts `act` so many times while a record is locked, lets go when each waits for a lock, and answers the answers. */
export async function atOnce<T>(
  { garage: { owner } }: Client,
  [resource, id]: readonly [name: string, id: number],
  act: (index: number) => Promise<T>,
): Promise<T[]> {
  const started = await database().transaction(async (session) => {
    const { table } = resourceNamed(resource);
    await session.rows(`SELECT id FROM ${table} WHERE owner_id = ? AND id = ? FOR UPDATE`, [owner, id]);
    const answers = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)));
    await until(async () => (await waiting()) === AT_ONCE);
    // Not awaited here: they end when this transaction has.
    return { answers };
  });
  return started.answers;
}

/** Of the monitor's text, since the tables about transactions show nothing new to whoever asks often. */
async function waiting(): Promise<number> {
  const [[monitor]] = await database().knex.raw('SHOW ENGINE INNODB STATUS');
  return String(monitor.Status).match(/^LOCK WAIT /gm)?.length ?? 0;
}
