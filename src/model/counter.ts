// Numbers that count up per owner from 1. The counter's row stays locked until the transaction ends, so
// a number that was not used is given again: no gap, no double.
import { counted, countedUp } from './fragment.ts';
import { prepared, Table } from './prepared.ts';
import type { Resource } from './record.ts';
import type { Session } from './session.ts';

export class Counter extends Table {
  static override tableName = 'counters';
  static override idColumn = ['owner_id', 'name'];
  declare owner_id: number;
  declare name: string;
  /** The number that was given last. */
  declare value: number;
}

/** Takes `count` numbers and returns the first. */
export async function nextNumber(session: Session, owner: number, name: string, count = 1): Promise<number> {
  const statement = prepared('count up', (mark) =>
    Counter.query()
      .insert({ owner_id: mark('owner'), name: mark('name'), value: counted(mark('count')) })
      .onConflict()
      .merge({ value: countedUp(mark('count')) }),
  );
  const { insertId } = await statement.write(session, owner, { name, count });
  return insertId - count + 1;
}

/** Starts a counter behind `last`. */
export async function startCounter(
  session: Session,
  owner: number,
  name: string,
  last: number,
): Promise<void> {
  await Counter.query(session.knex).insert({ owner_id: owner, name, value: last });
}

/** Starts a counter behind the highest number that the owner's records have in `field`. */
export async function continueCounter(
  session: Session,
  owner: number,
  { name, model }: Resource,
  field: string,
): Promise<void> {
  const row = await model.query(session.knex).modify('owned', owner).max(`${field} as last`).first();
  if (row?.last != null) await startCounter(session, owner, name, Number(row.last));
}
