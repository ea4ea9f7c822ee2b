// Who is booked by a record of the workshop: an employee, a workplace, both or neither.
import { type Violation, violation } from '../errors.ts';
import type { Interval } from '../trade/interval.ts';
import { between } from '../trade/working-time.ts';

export type Booked = {
  readonly employee_id: number | null;
  readonly workplace_id: number | null;
};

/** When somebody is booked or away. */
export type Timed = Booked & { readonly time: Interval };

type TimedRow = Booked & { readonly starts_at: string; readonly ends_at: string };

/** A row with its time, read once: a month of a garage has thousands of rows. */
export const timed = ({ employee_id, workplace_id, starts_at, ends_at }: TimedRow): Timed => ({
  employee_id,
  workplace_id,
  time: between(starts_at, ends_at),
});

/** The fields in the order in which rows are claimed. */
export const BOOKED = ['employee_id', 'workplace_id'] as const;

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
