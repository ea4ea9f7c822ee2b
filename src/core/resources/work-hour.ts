// The weekly hours of an employee or a workplace: one row for each stretch of a day.
import { int4, reference, timestamp, varchar } from '../model/fields/field.ts';
import { CLOCK_TIME } from '../model/fields/validation.ts';
import { record } from '../model/records/record.ts';

export class WorkHour extends record(
  'workhour',
  {
    employee_id: reference('employee'),
    workplace_id: reference('workplace', { description: 'Either an employee or a workplace' }),
    weekday: int4({ required: true, min: 1, max: 7, description: '1 is Monday' }),
    start_time: varchar(5, {
      required: true,
      validation: CLOCK_TIME,
      description: "`HH:MM` on the garage's clock",
    }),
    end_time: varchar(5, {
      required: true,
      validation: CLOCK_TIME,
      description: 'After start_time, at most 24:00',
    }),
    valid_from: timestamp(),
    valid_until: timestamp({ after: 'valid_from', description: 'Not part of the validity' }),
  },
  {
    description: 'Weekly hours of an employee or a workplace',
    needs: { POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
  },
) {}
