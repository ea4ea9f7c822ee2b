// Two people do the same at once: book the same hour, sell the same car, credit or pay the same invoice.
import type { Desk } from '../desk.ts';
import type { Dice } from '../dice.ts';
import { credit, deposit, moveOn, pay } from './changing.ts';
import { sell } from './trading.ts';
import { book, clock, rebook } from './workshop.ts';

export async function rush(desk: Desk, dice: Dice): Promise<void> {
  const action = dice.weigh([
    [book, 3],
    [rebook, 1],
    [sell, 3],
    [credit, 2],
    [pay, 2],
    [moveOn, 2],
    [deposit, 1],
    [clock, 1],
  ] as const);
  await atOnce(action(desk, dice.rest()), action(desk, dice.rest()));
}

/** Waits for both, also if one fails. */
export async function atOnce(...both: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(both)) if (end.status === 'rejected') throw end.reason;
}
