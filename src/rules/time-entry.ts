// An employee works on one thing at a time, and only on an order that can still change.
import { about, violation } from '../errors.ts';
import { lockRecord } from '../model/lists/find.ts';
import { rulesOf } from '../model/records/record.ts';
import { refuseParent } from '../model/writes/state.ts';
import { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { TimeEntry, type TimeEntryChange } from '../resources/time-entry.ts';
import { hoursBetween } from '../trade/time/hours.ts';
import { claimRunning, keepHoursWorked } from '../workshop/time-entry.ts';

const RUNNING = violation('record_frozen', { resource: 'employee', state: 'running' });
const OF_THE_ORDER = 'line of the order';

rulesOf(TimeEntry, {
  rules: [lineIsOfItsOrder, orderMayChange, oneRuns],
  refuses: {
    write: [
      violation('value_invalid', { field: 'orderline_id', value: 5, validation: OF_THE_ORDER }),
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

/**
 * The order that the body names was judged before its fields, and so was the order of the entry as it is. Throws
 * Problem for the state of another order.
 */
async function orderMayChange({ next, previous, parent, garage }: TimeEntryChange): Promise<undefined> {
  const { order_id } = next;
  if (order_id === null || order_id === previous?.order_id || order_id === parent?.id) return;
  const order = await lockRecord(garage, Order.resource, order_id);
  if (order) refuseParent({ resource: Order.resource, row: order }, TimeEntry.resource);
}

async function oneRuns({ next, previous, garage }: TimeEntryChange) {
  const ranBefore = previous?.ended_at === null && previous.employee_id === next.employee_id;
  if (next.ended_at !== null || ranBefore) return [];
  const running = await claimRunning(garage, next.employee_id);
  return running && running.id !== previous?.id ? about('employee', next.employee_id, [RUNNING]) : [];
}
