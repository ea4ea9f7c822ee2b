// An employee works on one thing at a time, not before it begins, and only on an order that can still change.
import { about, type Violation, violation } from '../../core/errors.ts';
import { rulesOf } from '../../core/model/records/record.ts';
import { OrderLine } from '../../core/resources/order-line.ts';
import { TimeEntry, type TimeEntryChange } from '../../core/resources/time-entry.ts';
import { hoursBetween } from '../../core/trade/time/hours.ts';
import { instant } from '../../core/trade/time/timestamp.ts';
import { claimRunning, isInFuture, keepHoursWorked } from '../workshop/time-entry.ts';
import { orderMayChange } from './moved-to-order.ts';

const RUNNING = violation('record_frozen', { resource: 'employee', state: 'running' });
const OF_THE_ORDER = 'line of the order';
const NOT_IN_FUTURE = 'not in the future';

rulesOf(TimeEntry, {
  rules: [lineIsOfItsOrder, beginsByNow, orderMayChange(TimeEntry.resource), oneRuns],
  refuses: {
    write: [
      violation('value_invalid', { field: 'orderline_id', value: 5, validation: OF_THE_ORDER }),
      violation('value_invalid', {
        field: 'started_at',
        value: '2099-01-01T08:00:00.000Z',
        validation: NOT_IN_FUTURE,
      }),
      RUNNING,
    ],
  },
  before: ({ next }) => {
    next.hours = next.ended_at === null ? null : hoursBetween(next.started_at, next.ended_at);
  },
  after: keepHoursWorked,
  afterDelete: ({ next: _, ...change }) => keepHoursWorked(change),
});

/** Takes the order of the line if the entry has none. The check of references judges a line that does not exist. */
async function lineIsOfItsOrder({ next, garage }: TimeEntryChange) {
  const { orderline_id: value } = next;
  const line = value && (await OrderLine.of(garage).select('order_id').findOne('id', value));
  if (!line) return undefined;
  next.order_id ??= line.order_id;
  if (next.order_id === line.order_id) return undefined;
  return violation('value_invalid', { field: 'orderline_id', value, validation: OF_THE_ORDER });
}

/** An entry that runs would swallow all work until it begins. An older release accepted such entries. */
function beginsByNow({ next, previous, given }: TimeEntryChange): Violation | undefined {
  const { started_at, ended_at } = next;
  if (ended_at !== null || !isInFuture(started_at)) return undefined;
  if (started_at === previous?.started_at && ended_at === previous.ended_at) return undefined;
  const value = given('started_at') ?? instant(started_at);
  return violation('value_invalid', { field: 'started_at', value, validation: NOT_IN_FUTURE });
}

async function oneRuns({ next, previous, garage }: TimeEntryChange) {
  const ranBefore = previous?.ended_at === null && previous.employee_id === next.employee_id;
  if (next.ended_at !== null || ranBefore) return [];
  const running = await claimRunning(garage, next.employee_id);
  return running && running.id !== previous?.id ? about('employee', next.employee_id, [RUNNING]) : [];
}
