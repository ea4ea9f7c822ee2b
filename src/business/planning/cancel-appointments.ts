// A cancelled order needs no time: its planned appointments are cancelled with it.
import { lockRecords } from '../../core/model/lists/find.ts';
import { logMany } from '../../core/model/writes/change-log.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Appointment } from '../../core/resources/appointment.ts';
import type { OrderChange } from '../../core/resources/order.ts';
import { portionsOf } from '../../core/trade/grouped.ts';
import { LISTS } from '../../core/trade/lists.ts';

const { PLANNED, CANCELLED } = LISTS.appointmentstatuses;

/** Whole rows with long texts are in memory, and a statement takes 65,535 values at most. */
const ROWS_AT_ONCE = 200;

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
  const ids = planned.map(({ id }) => id);
  for (const some of portionsOf(ids, ROWS_AT_ONCE)) {
    for (const row of await lockRecords(garage, Appointment.resource, 'id', some)) {
      if (row.appointment_status === PLANNED)
        await changeRow(garage, Appointment.resource, {
          previous: row,
          next: { ...row, appointment_status: CANCELLED },
        });
    }
    await logMany(garage);
  }
}
