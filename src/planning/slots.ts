// Free slots: when an employee and a workplace are both free for long enough. The free time of each is a set of
// intervals; the starts that fit into these intervals are points of a grid.
import { emptyLast } from '../model/fragment.ts';
import type { Garage } from '../model/garage.ts';
import { prepared } from '../model/prepared.ts';
import { Workplace } from '../resources/workplace.ts';
import { type Interval, without } from '../trade/interval.ts';
import { readEmployees } from './employees.ts';
import { readTaken } from './occupied.ts';
import { Timetable, timesBy } from './timetable.ts';

/** Slots begin at full quarters of an hour. */
export const GRID_MINUTES = 15;
const GRID = GRID_MINUTES * 60_000;
const MOST_SLOTS = 100;

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

/** An employee or a workplace with its free time. */
interface Candidate {
  readonly id: number;
  readonly free: readonly Interval[];
}

/** The first free slots, by time. `session` should read from one snapshot. */
export async function findSlots(garage: Garage, query: SlotQuery): Promise<Slot[]> {
  const { within, minutes } = query;
  const { employees, workplaces } = await readCandidates(garage, query);
  const length = minutes * 60_000;
  const employeeAt = firstFree(employees, within, length);
  const workplaceAt = firstFree(workplaces, within, length);
  const slots: Slot[] = [];
  const first = Math.ceil(within.start / GRID);
  for (const [index, employee] of employeeAt.entries()) {
    const workplace = workplaceAt[index];
    if (employee === undefined || workplace === undefined) continue;
    const start = (first + index) * GRID;
    slots.push({ start, end: start + length, employee, workplace });
    if (slots.length === MOST_SLOTS) break;
  }
  return slots;
}

/** For each point of the grid the ID of the first candidate that is free from there on; undefined: none is. */
function firstFree(
  candidates: readonly Candidate[],
  within: Interval,
  length: number,
): (number | undefined)[] {
  const first = Math.ceil(within.start / GRID);
  const last = Math.floor((within.end - length) / GRID);
  const found = new Array<number | undefined>(Math.max(0, last - first + 1)).fill(undefined);
  for (const { id, free } of candidates) {
    for (const { start, end } of free) {
      const until = Math.min(last, Math.floor((end - length) / GRID));
      for (let point = Math.max(first, Math.ceil(start / GRID)); point <= until; point += 1)
        found[point - first] ??= id;
    }
  }
  return found;
}

async function readCandidates(garage: Garage, query: SlotQuery) {
  const { within } = query;
  const timetable = await Timetable.read(garage, within);
  const taken = await readTaken(garage, within);
  const ofEmployees = timesBy('employee_id', taken);
  const ofWorkplaces = timesBy('workplace_id', taken);
  const employees = await readEmployees(garage, query.functionKind);
  const workplaces = await readWorkplaces(garage, query.workplaceKind);
  return {
    employees: employees.map((employee) => ({
      id: employee.id,
      free: without(timetable.ofEmployee(employee), ofEmployees.get(employee.id) ?? []),
    })),
    workplaces: workplaces.map(({ id }) => ({
      id,
      free: without(timetable.ofWorkplace(id), ofWorkplaces.get(id) ?? []),
    })),
  };
}

/** Sorts slots in the order of the answer. */
async function readWorkplaces(garage: Garage, kind: number | undefined): Promise<{ id: number }[]> {
  const shape = kind === undefined ? 'any' : 'kind';
  return prepared(`workplaces to book, ${shape}`, (mark) =>
    Workplace.ofMarked(mark)
      .select('id')
      .where({ is_blocked: 0, is_archived: 0, ...(kind !== undefined && { workplace_kind: mark('kind') }) })
      .orderBy(emptyLast('sort_order'))
      .orderBy('sort_order')
      .orderBy('id'),
  ).rows<{ id: number }>(garage, { kind: kind ?? null });
}
