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
