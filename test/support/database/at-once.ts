// Makes requests meet: a row stays locked until all of them wait for it.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import type { Client } from '../client/client.ts';
import { database } from '../service/service.ts';
import { until } from '../service/until.ts';
import { select } from './sql.ts';

/** Few enough to meet: the service, its jobs and the test share the connections of one pool. */
export const AT_ONCE = 4;

/**
 * Starts `act` so many times while a record is locked, unlocks it when each of them waits, and answers their answers.
 */
export async function atOnce<T>(
  client: Client,
  record: readonly [name: string, id: number],
  act: (index: number) => Promise<T>,
): Promise<T[]> {
  const started = await locked(client, record, async (waiting) => {
    const answers = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)));
    await waiting(AT_ONCE);
    return { answers };
  });
  return started.answers;
}

/**
 * Calls `begin` while a record is locked, and then unlocks the record. `waiting(2)` ends when two requests wait for a
 * row of its table. `begin` must not await these requests, but answer their promises within an object.
 */
export async function locked<T extends object>(
  { garage: { owner } }: Client,
  [resource, id]: readonly [name: string, id: number],
  begin: (waiting: (count: number) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  return database().transaction(async (session) => {
    const { table } = resourceNamed(resource);
    await select(session, `SELECT id FROM ${table} WHERE owner_id = ? AND id = ? FOR UPDATE`, [owner, id]);
    return begin((count) => until(async () => (await waitingFor(table)) >= count));
  });
}

/**
 * How many wait for a row of the table, by the text of the monitor: the tables about transactions repeat old rows if
 * they are asked often.
 */
export async function waitingFor(table: string): Promise<number> {
  const [[monitor]] = await database().knex.raw('SHOW ENGINE INNODB STATUS');
  // The section before tells of the latest deadlock, also long after it.
  const [, present = ''] = String(monitor.Status).split('\nTRANSACTIONS\n');
  const waits = present.matchAll(/^RECORD LOCKS .* of table `\w+`\.`(\w+)` .* waiting/gm);
  return [...waits].filter(([, of]) => of === table).length;
}
