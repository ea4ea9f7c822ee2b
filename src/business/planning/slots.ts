// Free slots: when an employee and a workplace are both free for long enough. The free time of each is a set of
// intervals; the starts that fit into these intervals are points of a grid.
import type { Garage } from '../../core/model/statements/garage.ts';
import { IntervalSet, visitWithout } from '../../core/trade/time/interval.ts';
import type { AtWork } from './at-work.ts';
import {
  type Board,
  employeesAtWork,
  MOST_SLOTS,
  readBoard,
  type Slot,
  type SlotQuery,
  workplacesAtWork,
} from './board.ts';
import type { BookedField } from './booked.ts';
import { NOBODY } from './grid.ts';
import { findOverBreaks } from './slots-over-breaks.ts';

const NO_TIME = new IntervalSet();

/** The first free slots, by time, and whether there are more. `garage` should read from one snapshot. */
export async function findSlots(
  garage: Garage,
  query: SlotQuery,
): Promise<{ slots: Slot[]; hasMore: boolean }> {
  const board = await readBoard(garage, query);
  const found = await (query.overBreaks ? findOverBreaks(board) : findUnbroken(board));
  return { slots: found.slice(0, MOST_SLOTS), hasMore: found.length > MOST_SLOTS };
}

/** One slot more than are answered, if there are so many. */
async function findUnbroken(board: Board): Promise<Slot[]> {
  const { starts, workplaces } = board;
  const employeeAt = await firstFree(board, 'employee_id', employeesAtWork(board), (id) => id);
  const ranks = new Map(workplaces.map((id, rank) => [id, rank]));
  const workplaceAt = await firstFree(
    board,
    'workplace_id',
    workplacesAtWork(board, workplaces),
    (id) => ranks.get(id) ?? NOBODY,
  );
  const slots: Slot[] = [];
  for (let index = 0; index < starts.count && slots.length <= MOST_SLOTS; index += 1) {
    const [employee = NOBODY, rank = NOBODY] = [employeeAt[index], workplaceAt[index]];
    const workplace = workplaces[rank];
    if (employee === NOBODY || workplace === undefined) continue;
    slots.push({ start: starts.at(index), end: starts.at(index) + starts.length, employee, workplace });
  }
  return slots;
}

/** For each start, the lowest rank of those who are free for the length of a slot. */
async function firstFree(
  { starts, booked, asked: { pieces } }: Board,
  field: BookedField,
  all: AsyncGenerator<AtWork>,
  rankOf: (id: number) => number,
): Promise<Int32Array> {
  const found = starts.nobody();
  for await (const { id, times } of all) {
    const rank = rankOf(id);
    let work = times.length;
    visitWithout(times, booked.of(field, id) ?? NO_TIME, (start, end) => {
      const until = starts.notAfter(end - starts.length);
      for (let index = starts.notBefore(start); index <= until; index += 1) {
        if (rank < (found[index] as number)) found[index] = rank;
        work += 1;
      }
    });
    const pause = pieces.add(work);
    if (pause) await pause;
  }
  return found;
}
