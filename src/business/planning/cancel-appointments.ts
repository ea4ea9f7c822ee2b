// A cancelled order needs no time: its planned appointments are cancelled with it.
import { lockRecords } from '../../core/model/lists/find.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Appointment } from '../../core/resources/appointment.ts';
import type { OrderChange } from '../../core/resources/order.ts';
import { LISTS } from '../../core/trade/lists.ts';

const { PLANNED, CANCELLED } = LISTS.appointmentstatuses;

/**
 * Cancels the planned appointments of an order that becomes cancelled. Blocked and archived appointments stay as they
 * are.
 */
export async function cancelAppointments({ next, previous, garage }: OrderChange) {
  const isCancelled = ({ order_status }: { order_status: number }) =>
    order_status === LISTS.orderstatuses.CANCELLED;
  if (!isCancelled(next) || !previous || isCancelled(previous)) return;
  const planned = await Appointment.of(garage)
    .select('id')
    .where({ order_id: next.id, appointment_status: PLANNED, is_blocked: 0, is_archived: 0 });
  if (planned.length === 0) return;
  const ids = planned.map(({ id }) => id);
  for (const row of await lockRecords(garage, Appointment.resource, 'id', ids)) {
    if (row.appointment_status === PLANNED)
      await changeRow(garage, Appointment.resource, {
        previous: row,
        next: { ...row, appointment_status: CANCELLED },
      });
  }
}
