// An absence belongs to one employee, to one workplace or to the garage.
import { violation } from '../errors.ts';
import { rulesOf } from '../model/records/record.ts';
import { refuseBoth } from '../planning/booked.ts';
import { Absence } from '../resources/absence.ts';

rulesOf(Absence, {
  rules: [({ next }) => refuseBoth(next)],
  refuses: {
    write: [violation('value_invalid', { field: 'workplace_id', value: 7, validation: 'one of both' })],
  },
});
