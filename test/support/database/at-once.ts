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
  { garage: { owner } }: Client,
  [resource, id]: readonly [name: string, id: number],
  act: (index: number) => Promise<T>,
): Promise<T[]> {
  const started = await database().transaction(async (session) => {
    const { table } = resourceNamed(resource);
    await select(session, `SELECT id FROM ${table} WHERE owner_id = ? AND id = ? FOR UPDATE`, [owner, id]);
    const answers = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => act(index)));
    await until(async () => (await waitingFor(table)) >= AT_ONCE);
    // Not awaited here: they end when this transaction has.
    return { answers };
  });
  return started.answers;
}

/**
 * How many wait for a row of the table, by the text of the monitor: the tables about transactions repeat old rows if
 * they are asked often.
 */
export async function waitingFor(table: string): Promise<number> {
  const [[monitor]] = await database().knex.raw('SHOW ENGINE INNODB STATUS');
  const waits = String(monitor.Status).matchAll(/^RECORD LOCKS .* of table `\w+`\.`(\w+)` .* waiting/gm);
  return [...waits].filter(([, of]) => of === table).length;
}
