// The time that an employee works, on an order or in the workshop.
import { quantity, reference, text, timestamp } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';
import { frozenState } from '../trade/kinds/order-status.ts';

export class TimeEntry extends record(
  'timeentry',
  {
    employee_id: reference('employee', { required: true }),
    order_id: reference('order', { description: 'If absent: the order of the line' }),
    orderline_id: reference('orderline', { description: 'A line of that order' }),
    started_at: timestamp({ required: true, indexed: true }),
    ended_at: timestamp({
      indexed: true,
      after: 'started_at',
      description: 'null while the employee works on it; an employee has one such entry at most',
    }),
    hours: quantity({ readonly: true, description: 'null until the entry has ended' }),
    notes: text({ personal: true }),
  },
  {
    table: 'timeentries',
    description: 'The time that an employee works',
    // Whether an employee works on something is asked at each start.
    indexes: [['employee_id', 'ended_at']],
    parent: 'order_id',
    // Time is booked by a request of its own, not together with its order.
    frozenBy: ({ order_status }) => frozenState(Number(order_status)),
    about: {
      through: ['order_id', 'orderline_id'],
      anonymised: 'emptied',
      title: { nl: 'Gewerkte uren', en: 'Hours worked' },
    },
    personalKey: false,
  },
) {}

export type TimeEntryRow = RowIn<typeof TimeEntry>;
export type TimeEntryChange = ChangeOf<typeof TimeEntry>;
