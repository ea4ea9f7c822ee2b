// Working hours belong to one employee or one workplace, and end after they begin.
import { violation } from '../errors.ts';
import { type Change, type RowIn, rulesOf } from '../model/record.ts';
import { refuseBoth, refuseNeither } from '../planning/booked.ts';
import { WorkHour } from '../resources/work-hour.ts';

rulesOf(WorkHour, {
  rules: [endsLater, ({ next }) => refuseNeither(next), ({ next }) => refuseBoth(next)],
  refuses: {
    write: [
      violation('field_required', { field: 'employee_id' }),
      violation('value_invalid', { field: 'workplace_id', value: 7, validation: 'one of both' }),
    ],
  },
});

function endsLater({ next: { start_time, end_time } }: Change<RowIn<typeof WorkHour>>) {
  if (end_time > start_time) return undefined;
  const other = { other: 'start_time', otherValue: start_time };
  return violation('value_not_after', { field: 'end_time', value: end_time, ...other });
}
