// An absence belongs to one employee, to one workplace or to the garage.
import { violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { Absence } from '../../core/resources/absence.ts';
import { refuseBoth } from '../planning/booked.ts';

rulesOf(Absence, {
  rules: [({ next }) => refuseBoth(next)],
  refuses: {
    write: [violation('value_invalid', { field: 'workplace_id', value: 7, validation: 'one of both' })],
  },
});
