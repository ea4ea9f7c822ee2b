// Working hours belong to one employee or one workplace, and end after they begin. Neither has more than 200 of them.
import { violation } from '../../core/errors.ts';
import { type Change, type RowIn, rulesOf } from '../../core/model/records/record.ts';
import { prepared } from '../../core/model/statements/prepared.ts';
import { WorkHour } from '../../core/resources/work-hour.ts';
import { BOOKED, claimBooked, refuseBoth, refuseNeither } from '../planning/booked.ts';

type HoursChange = Change<RowIn<typeof WorkHour>>;

const MOST_HOURS = 200;

rulesOf(WorkHour, {
  rules: [endsLater, ({ next }) => refuseNeither(next), ({ next }) => refuseBoth(next)],
  // Requests at once must not each find room for one more row. Before the row is written, as for appointments.
  before: async (change) => {
    if (isMoved(change)) await claimBooked(change.garage, change.next);
  },
  lateRules: [notTooMany],
  refuses: {
    write: [
      violation('field_required', { field: 'employee_id' }),
      violation('value_invalid', { field: 'workplace_id', value: 7, validation: 'one of both' }),
      violation('too_many_workhours'),
    ],
  },
});

/** Whether an employee or a workplace gets one more row. */
const isMoved = ({ next, previous }: HoursChange): boolean =>
  !previous || BOOKED.some((field) => next[field] !== previous[field]);

/** An older release, or a restore, may have left more rows: only those that come are refused. */
async function notTooMany(change: HoursChange) {
  const { next, garage } = change;
  if (!isMoved(change)) return undefined;
  for (const field of BOOKED) {
    if (next[field] === null) continue;
    const rows = await prepared(`too many hours of a ${field}`, (mark) =>
      WorkHour.ofMarked(mark)
        .select('id')
        .where(field, mark('id'))
        .limit(MOST_HOURS + 1),
    ).rows(garage, { id: next[field] });
    if (rows.length > MOST_HOURS) return violation('too_many_workhours');
  }
  return undefined;
}

function endsLater({ next: { start_time, end_time } }: HoursChange) {
  if (end_time > start_time) return undefined;
  const other = { other: 'start_time', otherValue: start_time };
  return violation('value_not_after', { field: 'end_time', value: end_time, ...other });
}
