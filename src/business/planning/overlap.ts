// Finds which appointments and which absences share a time. Both come in the order of their starts; only those that
// last are kept, so work and memory depend on what overlaps and not on the product of both.
import type { Pieces } from '../../core/model/statements/piece.ts';
import type { Interval } from '../../core/trade/time/interval.ts';
import { BOOKED, type Booked, type BookedField, isOfGarage } from './booked.ts';

export type Times = Booked & Interval & { readonly id: number };

/** An employee, a workplace, or the whole garage. */
interface Whose {
  readonly field: BookedField | 'garage';
  readonly id: number;
}
const GARAGE: Whose = { field: 'garage', id: 0 };

const whoseOf = (one: Booked): Whose[] =>
  BOOKED.flatMap((field) => {
    const id = one[field];
    return id === null ? [] : { field, id };
  });

/** A list that is shorter is not worth a look for what is over. */
const SHORT = 32;

/** What lasts at the instant that is looked at, by whom it concerns. */
class Lasting<T extends Interval> {
  private readonly lists = {
    employee_id: new Map<number, { all: T[]; most: number }>(),
    workplace_id: new Map<number, { all: T[]; most: number }>(),
    garage: new Map<number, { all: T[]; most: number }>(),
  };

  /** Adds one that begins no earlier than those before. */
  add(whose: Whose, one: T): void {
    const lists = this.lists[whose.field];
    const list = lists.get(whose.id) ?? { all: [], most: SHORT };
    lists.set(whose.id, list);
    if (list.all.length >= list.most) this.at(whose, one.start);
    list.all.push(one);
  }

  countOf({ field, id }: Whose): number {
    return this.lists[field].get(id)?.all.length ?? 0;
  }

  /** Those that last beyond an instant. The others are forgotten. */
  at({ field, id }: Whose, instant: number): readonly T[] {
    const list = this.lists[field].get(id);
    if (!list) return NONE;
    list.all = list.all.filter(({ end }) => end > instant);
    list.most = Math.max(SHORT, 2 * list.all.length);
    return list.all;
  }
}
const NONE: readonly never[] = [];

/**
 * Calls back with each pair that shares a time. `pieces` counts the appointments and absences that were compared, and
 * `weight` is how much one of them counts.
 */
export async function findPairs<A extends Times>(
  appointments: readonly A[],
  absences: AsyncIterable<readonly Times[]>,
  onPair: (appointment: A, absence: Times) => void,
  { pieces, weight }: { pieces: Pieces; weight: number },
): Promise<void> {
  const [working, away] = [new Lasting<A>(), new Lasting<Times>()];
  const known = {
    employee_id: new Set(appointments.map(({ employee_id }) => employee_id)),
    workplace_id: new Set(appointments.map(({ workplace_id }) => workplace_id)),
  };
  const isKnown = ({ field, id }: Whose) => field === 'garage' || known[field].has(id);

  let next = 0;
  /** Begins the appointments that begin by an instant. */
  const beginUntil = async (instant: number): Promise<void> => {
    for (; next < appointments.length; next += 1) {
      const appointment = appointments[next] as A;
      if (appointment.start > instant) return;
      let work = 1;
      for (const whose of [GARAGE, ...whoseOf(appointment)]) {
        work += away.countOf(whose);
        for (const absence of away.at(whose, appointment.start)) onPair(appointment, absence);
        working.add(whose, appointment);
      }
      const pause = pieces.add(weight * work);
      if (pause) await pause;
    }
  };
  for await (const rows of absences)
    for (const absence of rows) {
      await beginUntil(absence.start);
      let work = 1;
      for (const whose of isOfGarage(absence) ? [GARAGE] : whoseOf(absence)) {
        if (!isKnown(whose)) continue;
        work += working.countOf(whose);
        for (const appointment of working.at(whose, absence.start)) onPair(appointment, absence);
        away.add(whose, absence);
      }
      const pause = pieces.add(weight * work);
      if (pause) await pause;
    }
  await beginUntil(Number.POSITIVE_INFINITY);
}
