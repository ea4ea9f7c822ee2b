// Numbers that count up per owner from 1. The counter's row stays locked until the transaction ends, so
// a number that was not used is given again: no gap, no double.

import type { Row } from '../fields/field.ts';
import { OwnedModel } from '../statements/base-model.ts';
import { counted, countedTo, countedUp, latestOf, nextIfSame, sameOrHigher } from '../statements/fragment.ts';
import type { Garage } from '../statements/garage.ts';
import { prepared } from '../statements/prepared.ts';
import { remembered } from '../statements/remembered.ts';
import type { Resource } from './record.ts';

export class Counter extends OwnedModel {
  static override tableName = 'counters';
  static override idColumn = ['owner_id', 'name'];
  declare owner_id: number;
  declare name: string;
  /** The number that was given last. */
  declare value: number;
  /** The latest time of a numbered record. Null: the counter keeps no times. */
  declare last_at: string | null;
  /** The number up to which `last_at` is known. Another value than `value`: an older version has counted since. */
  declare dated_value: number | null;
}

/** Takes `count` numbers and returns the first. */
export async function nextNumber(garage: Garage, name: string, count = 1): Promise<number> {
  const statement = prepared('count up', (mark) =>
    Counter.ofAllOwners('engine')
      .insert({ owner_id: mark('owner'), name: mark('name'), value: counted(mark('count')) })
      .onConflict()
      .merge({ value: countedUp(mark('count')) }),
  );
  const { insertId } = await statement.write(garage, { name, count });
  return insertId - count + 1;
}

/**
 * Takes the next number for a record of that time, and notes the time unless a later one is noted. Both times are in
 * the form of the database.
 */
export async function nextDatedNumber(garage: Garage, name: string, at: string): Promise<number> {
  const statement = prepared('count up with a time', (mark) =>
    Counter.ofAllOwners('engine')
      .insert({
        owner_id: mark('owner'),
        name: mark('name'),
        value: counted(mark('one')),
        last_at: mark('at'),
      })
      .onConflict()
      // In this order: the server assigns one column after the other.
      .merge({
        dated_value: nextIfSame('dated_value', 'value'),
        last_at: latestOf('last_at', mark('at')),
        value: countedUp(mark('one')),
      }),
  );
  return (await statement.write(garage, { name, at, one: 1 })).insertId;
}

/** Lets a counter go on behind `last`, unless the counter is further already. */
export async function raiseCounter(garage: Garage, name: string, last: number): Promise<void> {
  const statement = prepared('raise a counter', (mark) =>
    Counter.ofAllOwners('engine')
      .insert({ owner_id: mark('owner'), name: mark('name'), value: mark('last') })
      .onConflict()
      .merge({
        // A record that brings its own number changes no known time.
        dated_value: sameOrHigher('dated_value', 'value', mark('last')),
        value: countedTo(mark('last')),
      }),
  );
  await statement.write(garage, { name, last });
}

/** The field of a resource that counts up. */
const countedField = remembered(
  (fields: Resource['fields']): string | undefined => [...fields].find(([, { counted }]) => counted)?.[0],
);

/** Gives new records their numbers. Old records keep their own, and the others are numbered behind them. */
export async function numberRecords(
  garage: Garage,
  resource: Pick<Resource, 'name' | 'fields'>,
  records: readonly Row[],
): Promise<void> {
  const field = countedField(resource.fields);
  if (field === undefined) return;
  const given = records.flatMap((row) => row[field] ?? []);
  if (given.length > 0) await raiseCounter(garage, resource.name, Math.max(...given.map(Number)));
  const uncounted = records.filter((row) => row[field] == null);
  if (uncounted.length === 0) return;
  let next = await nextNumber(garage, resource.name, uncounted.length);
  for (const row of uncounted) {
    row[field] = next;
    next += 1;
  }
}

/** Starts the counter of a resource behind the highest number that the owner's records have. */
export async function continueCounter(garage: Garage, { name, model, fields }: Resource): Promise<void> {
  const field = countedField(fields);
  if (field === undefined) return;
  const row = await model.of(garage).max(`${field} as last`).first();
  if (row?.last != null) await raiseCounter(garage, name, Number(row.last));
}
