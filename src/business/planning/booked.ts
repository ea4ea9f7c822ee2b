// Who is booked by a record of the workshop: an employee, a workplace, both or neither.
import { type Violation, violation } from '../../core/errors.ts';
import { type Claimed, claimRecord } from '../../core/model/lists/find.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { Employee } from '../../core/resources/employee.ts';
import { Workplace } from '../../core/resources/workplace.ts';
import { IntervalSet } from '../../core/trade/time/interval.ts';
import { milliseconds } from '../../core/trade/time/working-time.ts';

export type Booked = {
  readonly employee_id: number | null;
  readonly workplace_id: number | null;
};

/** When somebody is booked or away. */
export type Timed = Booked & { readonly starts_at: string; readonly ends_at: string };

/** The fields in the order in which rows are claimed. */
export const BOOKED = ['employee_id', 'workplace_id'] as const;
export type BookedField = (typeof BOOKED)[number];

export const BOOKED_RESOURCES = { employee_id: Employee.resource, workplace_id: Workplace.resource };

/** The states of the claimed employees and workplaces, by their IDs. */
export type ClaimedBooked = Readonly<Record<BookedField, ReadonlyMap<number, Claimed>>>;

/**
 * Writes the rows of the employees and then of the workplaces, the lowest ID first, before a rule decides by their
 * other records.
 */
export async function claimBooked(garage: Garage, ...all: readonly Booked[]): Promise<ClaimedBooked> {
  const claimed = { employee_id: new Map<number, Claimed>(), workplace_id: new Map<number, Claimed>() };
  for (const field of BOOKED) {
    const ids = new Set(all.flatMap((booked) => booked[field] ?? []));
    for (const id of [...ids].sort((a, b) => a - b))
      claimed[field].set(id, await claimRecord(garage, BOOKED_RESOURCES[field], id));
  }
  return claimed;
}

/** Whether the whole garage is meant. */
export const isOfGarage = ({ employee_id, workplace_id }: Booked): boolean =>
  employee_id === null && workplace_id === null;

/** The times of employees, of workplaces and of the whole garage. */
export class BookedTimes {
  private readonly times = {
    employee_id: new Map<number, IntervalSet>(),
    workplace_id: new Map<number, IntervalSet>(),
  };
  readonly ofGarage = new IntervalSet();

  /** Adds a time that ends no earlier than those before. */
  add(row: Timed): void {
    const [start, end] = [milliseconds(row.starts_at), milliseconds(row.ends_at)];
    for (const field of BOOKED) {
      const id = row[field];
      if (id === null) continue;
      let set = this.times[field].get(id);
      if (!set) {
        set = new IntervalSet();
        this.times[field].set(id, set);
      }
      set.append(start, end);
    }
    if (isOfGarage(row)) this.ofGarage.append(start, end);
  }

  /** The times of one of them, without those of the whole garage. */
  of(field: BookedField, id: number): IntervalSet | undefined {
    return this.times[field].get(id);
  }

  /** The times of one of them, and those of the whole garage, where there are any. */
  all(field: BookedField, id: number): IntervalSet[] {
    return [this.ofGarage, this.of(field, id)].flatMap((set) => (set && set.length > 0 ? set : []));
  }

  /** The employees, or the workplaces, that have times. */
  whose(field: BookedField): readonly number[] {
    return [...this.times[field].keys()];
  }
}

/** Refuses a record that names both an employee and a workplace: it must belong to one. */
export const refuseBoth = ({ employee_id, workplace_id }: Booked): Violation | undefined =>
  employee_id !== null && workplace_id !== null
    ? violation('value_invalid', { field: 'workplace_id', value: workplace_id, validation: 'one of both' })
    : undefined;

/** Refuses a record of nobody. */
export const refuseNeither = ({ employee_id, workplace_id }: Booked): Violation | undefined =>
  employee_id === null && workplace_id === null
    ? violation('field_required', { field: 'employee_id' })
    : undefined;
