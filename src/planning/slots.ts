// Free slots: when an employee and a workplace are both free for long enough. The free time of each is a set of
// intervals; the starts that fit into these intervals are points of a grid. A garage that plans without workplaces
// makes one for its yard.
import { emptyLast } from '../model/statements/fragment.ts';
import type { Garage } from '../model/statements/garage.ts';
import { Pieces } from '../model/statements/piece.ts';
import { prepared } from '../model/statements/prepared.ts';
import { Workplace } from '../resources/workplace.ts';
import { MINUTE_MS } from '../trade/time/duration.ts';
import type { Interval } from '../trade/time/interval.ts';
import { Calendar } from '../trade/time/working-time.ts';
import { BookedTimes } from './booked.ts';
import { readContracts } from './employees.ts';
import { type Free, freeEmployees, freeWorkplaces } from './free-time.ts';
import { readTaken } from './occupied.ts';
import { readAbsences, readClock } from './timetable.ts';

/** Slots begin at full quarters of an hour. */
export const GRID_MINUTES = 15;
const GRID = GRID_MINUTES * MINUTE_MS;
const MOST_SLOTS = 100;
/** Starts and intervals that are looked at in one piece. */
const PIECE = 10_000;
/** The rank of no candidate. */
const NOBODY = 2 ** 31 - 1;

export interface SlotQuery {
  readonly within: Interval;
  readonly minutes: number;
  readonly workplaceKind?: number | undefined;
  readonly functionKind?: number | undefined;
}

interface Slot extends Interval {
  readonly employee: number;
  readonly workplace: number;
}

/** The first free slots, by time. `session` should read from one snapshot. */
export async function findSlots(garage: Garage, query: SlotQuery): Promise<Slot[]> {
  const { within, minutes } = query;
  const clock = await readClock(garage);
  const taken = [await readAbsences(garage, within), await readAppointments(garage, within)];
  const asked = { within, calendar: new Calendar(clock.days(within)), taken };
  const contracts = await readContracts(garage, within, query.functionKind);
  const workplaces = await readWorkplaces(garage, query.workplaceKind);

  const starts = new Starts(within, minutes);
  const pieces = new Pieces(PIECE);
  const firstFree = async (candidates: readonly number[], free: AsyncGenerator<Free>) => {
    const found = starts.nobody();
    const ranks = new Map(candidates.map((id, rank) => [id, rank]));
    for await (const { id, time } of free)
      for (const interval of time) {
        const pause = pieces.add(starts.mark(found, interval, ranks.get(id) ?? NOBODY));
        if (pause) await pause;
      }
    return (index: number) => candidates[found[index] ?? NOBODY];
  };
  const employees = [...contracts.keys()].sort((a, b) => a - b);
  const employeeAt = await firstFree(employees, freeEmployees(garage, contracts, asked));
  const workplaceAt = await firstFree(workplaces, freeWorkplaces(garage, workplaces, asked));
  const slots: Slot[] = [];
  for (let index = 0; index < starts.count && slots.length < MOST_SLOTS; index += 1) {
    const [employee, workplace] = [employeeAt(index), workplaceAt(index)];
    if (employee !== undefined && workplace !== undefined)
      slots.push({ ...starts.at(index), employee, workplace });
  }
  return slots;
}

/** The points of the grid on which a slot may begin. */
class Starts {
  readonly count: number;
  private readonly first: number;
  private readonly length: number;

  constructor({ start, end }: Interval, minutes: number) {
    this.length = minutes * MINUTE_MS;
    this.first = Math.ceil(start / GRID);
    this.count = Math.max(0, Math.floor((end - this.length) / GRID) - this.first + 1);
  }

  at(index: number): Interval {
    const start = (this.first + index) * GRID;
    return { start, end: start + this.length };
  }

  /** For each start, the rank of the first candidate that is free from then on. So far nobody is. */
  nobody(): Int32Array {
    return new Int32Array(this.count).fill(NOBODY);
  }

  /** Notes a candidate at the starts within a free interval. Returns how many starts it looked at, and 1. */
  mark(found: Int32Array, { start, end }: Interval, rank: number): number {
    const from = Math.max(0, Math.ceil(start / GRID) - this.first);
    const until = Math.min(this.count - 1, Math.floor((end - this.length) / GRID) - this.first);
    for (let index = from; index <= until; index += 1) if (rank < (found[index] ?? 0)) found[index] = rank;
    return 1 + Math.max(0, until - from + 1);
  }
}

async function readAppointments(garage: Garage, within: Interval): Promise<BookedTimes> {
  const taken = new BookedTimes();
  for await (const rows of readTaken(garage, within)) for (const row of rows) taken.add(row);
  return taken;
}

/** Sorts slots in the order of the answer. */
async function readWorkplaces(garage: Garage, kind: number | undefined): Promise<number[]> {
  const shape = kind === undefined ? 'any' : 'kind';
  const rows = await prepared(`workplaces to book, ${shape}`, (mark) =>
    Workplace.ofMarked(mark)
      .select('id')
      .where({ is_blocked: 0, is_archived: 0, ...(kind !== undefined && { workplace_kind: mark('kind') }) })
      .orderBy(emptyLast('sort_order'))
      .orderBy('sort_order')
      .orderBy('id'),
  ).rows<{ id: number }>(garage, { kind: kind ?? null });
  return rows.map(({ id }) => id);
}
