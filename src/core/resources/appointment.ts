// An employee, a workplace or both are booked for a time. Neither the employee nor the workplace has two at once.
import { choice, flag, reference, text, timestamp } from '../model/fields/field.ts';
import { type ChangeOf, type RowIn, record } from '../model/records/record.ts';
import { LISTS } from '../trade/lists.ts';

export class Appointment extends record(
  'appointment',
  {
    order_id: reference('order'),
    contact_id: reference('contact', { description: 'The contact of the order, if none is given' }),
    vehicle_id: reference('vehicle', { description: 'The vehicle of the order, if none is given' }),
    employee_id: reference('employee'),
    workplace_id: reference('workplace', { description: 'An employee, a workplace or both' }),
    starts_at: timestamp({ required: true, indexed: true }),
    ends_at: timestamp({
      required: true,
      indexed: true,
      after: 'starts_at',
      description: 'Not part of the appointment',
    }),
    appointment_status: choice('appointmentstatuses', {
      indexed: true,
      fallback: LISTS.appointmentstatuses.PLANNED,
    }),
    is_overtime: flag({ description: '1: the appointment may lie outside the working hours' }),
    is_over_breaks: flag({
      description:
        '1: the work goes on after a break or a night, so only start and end lie within working hours',
    }),
    description: text({ personal: true }),
  },
  {
    description: 'A time for which an employee, a workplace or both are booked',
    parent: 'order_id',
    // The workshop also moves appointments of invoiced orders, and a customer may still come for a cancelled order.
    frozenBy: 'nothing',
    about: {
      contact: 'contact_id',
      through: ['order_id', 'vehicle_id'],
      anonymised: 'emptied',
      title: { nl: 'Afspraken', en: 'Appointments' },
    },
    // The key of an appointment is its number elsewhere.
    personalKey: false,
    // Overlaps with a time are found by the ends of appointments, because the future is shorter than the past.
    indexes: [
      ['employee_id', 'ends_at'],
      ['workplace_id', 'ends_at'],
    ],
  },
) {}

export type AppointmentRow = RowIn<typeof Appointment>;
export type AppointmentChange = ChangeOf<typeof Appointment>;
