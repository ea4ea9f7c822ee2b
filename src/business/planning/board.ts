// All that decides about free slots, read once: who may be offered, when they are at work, and what takes their time. A
// garage that plans without workplaces makes one for its yard.
import { type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import type { Row } from '../../core/model/fields/field.ts';
import { findRecord } from '../../core/model/lists/find.ts';
import { emptyLast } from '../../core/model/statements/fragment.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Pieces } from '../../core/model/statements/piece.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { Appointment } from '../../core/resources/appointment.ts';
import { Employee } from '../../core/resources/employee.ts';
import { Workplace } from '../../core/resources/workplace.ts';
import { MINUTE_MS } from '../../core/trade/time/duration.ts';
import { common, type Interval, setOf } from '../../core/trade/time/interval.ts';
import { Calendar } from '../../core/trade/time/working-time.ts';
import { type Asked, type AtWork, atWork, withoutHours } from './at-work.ts';
import type { BookedTimes } from './booked.ts';
import { readContracts } from './employees.ts';
import { Starts } from './grid.ts';
import { readBooked } from './occupied.ts';
import { readAbsences, readClock } from './timetable.ts';

export const MOST_SLOTS = 100;
/** Days, starts and intervals that are looked at in one piece. */
const PIECE = 10_000;

export interface SlotQuery {
  readonly within: Interval;
  readonly minutes: number;
  readonly workplaceKind?: number | undefined;
  readonly functionKind?: number | undefined;
  /** Only this one. */
  readonly employee?: number | undefined;
  readonly workplace?: number | undefined;
  /** The appointment whose own time counts as free. */
  readonly withoutAppointment?: number | undefined;
  /** Whether a slot may pass breaks of a day. */
  readonly overBreaks?: boolean;
}

export interface Slot extends Interval {
  readonly employee: number;
  readonly workplace: number;
}

export interface Board {
  readonly garage: Garage;
  readonly asked: Asked;
  readonly starts: Starts;
  /** What appointments take. */
  readonly booked: BookedTimes;
  /** The employees who may be offered, with the time of their contracts. */
  readonly contracts: ReadonlyMap<number, Interval>;
  /** The only employee who is asked for. */
  readonly employee: number | undefined;
  /** The workplaces that may be offered, in the order of the answer. */
  readonly workplaces: readonly number[];
}

/** Throws Problem: a record that the query names is unknown. */
export async function readBoard(garage: Garage, query: SlotQuery): Promise<Board> {
  const { within, minutes, employee, workplace } = query;
  await refuseUnknown(garage, query);
  const clock = await readClock(garage);
  const asked = {
    within,
    calendar: new Calendar(clock.days(within)),
    absences: await readAbsences(garage, within),
    pieces: new Pieces(PIECE),
    ...(!query.overBreaks && { shortest: minutes * MINUTE_MS }),
  };
  const contracts = await readContracts(garage, within, query.functionKind);
  const workplaces = await readWorkplaces(garage, query.workplaceKind);
  return {
    garage,
    asked,
    starts: new Starts(within, minutes),
    booked: await readBooked(garage, within, query.withoutAppointment),
    contracts: employee === undefined ? contracts : only(contracts, employee),
    employee,
    workplaces: workplace === undefined ? workplaces : workplaces.filter((id) => id === workplace),
  };
}

async function refuseUnknown(garage: Garage, query: SlotQuery): Promise<void> {
  const named = [
    ['employee_id', Employee.resource, query.employee],
    ['workplace_id', Workplace.resource, query.workplace],
    ['without_appointment', Appointment.resource, query.withoutAppointment],
  ] as const;
  const found: Violation[] = [];
  for (const [field, resource, value] of named)
    if (value !== undefined && !(await findRecord<Row>(garage, resource, value, ['id'])))
      found.push(violation('reference_unknown', { field, value }));
  refuse(found);
}

const only = <T>(map: ReadonlyMap<number, T>, id: number): Map<number, T> =>
  new Map([...map].filter(([key]) => key === id));

/** The employees with weekly hours, by their IDs: nobody is offered without them. */
export async function* employeesAtWork({
  garage,
  asked,
  contracts,
  employee,
}: Board): AsyncGenerator<AtWork> {
  const isWanted = (id: number) => contracts.has(id);
  for await (const { id, times } of atWork(garage, 'employee_id', asked, { only: employee, isWanted })) {
    const contract = contracts.get(id) ?? asked.within;
    const isWhole = contract.start <= asked.within.start && contract.end >= asked.within.end;
    yield { id, times: isWhole ? times : common(times, setOf(contract)) };
  }
}

/** These workplaces in any order. A workplace without weekly hours is free at any time. */
export async function* workplacesAtWork(
  { garage, asked }: Board,
  ids: readonly number[],
): AsyncGenerator<AtWork> {
  const wanted = new Set(ids);
  yield* withoutHours(garage, 'workplace_id', ids, asked);
  yield* atWork(garage, 'workplace_id', asked, {
    only: ids.length === 1 ? ids[0] : undefined,
    isWanted: (id) => wanted.has(id),
  });
}

/** The IDs of the workplaces that may be offered, in the order of the answer. */
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
