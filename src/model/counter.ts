// Numbers that count up per owner from 1. The counter's row stays locked until the transaction ends, so that
// a number that is not used is given again: no gap, no double.
import type { Session } from './session.ts';

export async function nextNumber(session: Session, owner: number, name: string): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO counters (owner_id, name, value) VALUES (?, ?, LAST_INSERT_ID(1)) ' +
      'ON DUPLICATE KEY UPDATE value = LAST_INSERT_ID(value + 1)',
    [owner, name],
  );
  return insertId;
}

/** Lets a counter that has not counted yet go on after `last`. */
export async function startCounter(
  session: Session,
  owner: number,
  name: string,
  last: number,
): Promise<void> {
  await session.run('INSERT INTO counters (owner_id, name, value) VALUES (?, ?, ?)', [owner, name, last]);
}

/** Lets a counter that has not counted yet go on after the numbers that the owner's rows have. */
export async function continueCounter(
  session: Session,
  owner: number,
  name: string,
  { table, column }: { table: string; column: string },
): Promise<void> {
  const [row] = await session.rows(`SELECT MAX(${column}) AS last FROM ${table} WHERE owner_id = ?`, [owner]);
  if (row?.last != null) await startCounter(session, owner, name, Number(row.last));
}
