// A time at which an employee does not work, a workplace is out of use, or the garage is closed.
import { reference, timestamp, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class Absence extends record(
  'absence',
  {
    employee_id: reference('employee'),
    workplace_id: reference('workplace', {
      description: 'Neither an employee nor a workplace: the garage is closed',
    }),
    starts_at: timestamp({ required: true, indexed: true }),
    ends_at: timestamp({ required: true, indexed: true, after: 'starts_at' }),
    reason: varchar(120, { personal: true }),
  },
  {
    description: 'A time at which an employee, a workplace or the whole garage is away',
    needs: { POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
  },
) {}
