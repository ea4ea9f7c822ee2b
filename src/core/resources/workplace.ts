// A place of the workshop that one car can take: a lift, a wash bay.
import { choice, int4, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class Workplace extends record(
  'workplace',
  {
    code: varchar(10, { required: true, unique: 'owner' }),
    name: varchar(60, { required: true }),
    workplace_kind: choice('workplacekinds', { required: true, indexed: true }),
    sort_order: int4({ description: 'Free slots take the lowest first, and an empty one last' }),
  },
  {
    description: 'A place of the workshop that one car can take',
    needs: { POST: 'ADMIN', PUT: 'ADMIN', DELETE: 'ADMIN' },
  },
) {}
