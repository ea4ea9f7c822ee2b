// A country of the world, shared by all owners; every row is a system record.
import { flag, varchar } from '../model/fields/field.ts';
import { record } from '../model/records/record.ts';

export class Country extends record(
  'country',
  {
    code: varchar(2, { required: true, unique: 'all', description: 'ISO 3166-1 alpha-2' }),
    name: varchar(80, { required: true }),
    is_eu: flag(),
  },
  {
    table: 'countries',
    ownership: 'none',
    methods: ['GET', 'PUT', 'DELETE'],
    description: 'A country; readonly, the same for all',
  },
) {}
