// The BPM on lines of invoices that a process of the release before wrote, or that an older backup has: such lines get
// what their car has now. The migration of the column does the same for older invoices.
import type { Garage } from '../../../core/model/statements/garage.ts';
import { columns, orNull, selected, whole } from '../../../core/model/statements/selected.ts';
import { Order } from '../../../core/resources/order.ts';
import { OrderLine } from '../../../core/resources/order-line.ts';
import { Vehicle } from '../../../core/resources/vehicle.ts';
import { LISTS } from '../../../core/trade/lists.ts';
import { bpmPaid, vehicleOf } from '../../../core/trade/order-case/margin.ts';

const { VEHICLE } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

const LINE = {
  ...columns(OrderLine, 'l', 'id', 'line_kind', 'vat_code', 'vehicle_id', 'purchase_price'),
  ...columns(Order, 'o', 'order_type'),
  order_vehicle: orNull(whole('o.vehicle_id')),
};

/** Completes the lines of these invoices that sold a car under the margin scheme. */
export async function completeBpm(garage: Garage, invoices: readonly number[]): Promise<void> {
  const found = await selected(
    OrderLine.of(garage, 'l')
      .join('orders as o', (on) => on.on('o.owner_id', 'l.owner_id').on('o.id', 'l.order_id'))
      .whereIn('l.order_id', [...invoices])
      .where({ 'l.line_kind': VEHICLE, 'l.vat_code': MARGIN })
      .whereNull('l.bpm_paid'),
    LINE,
  );
  const sales = found.map((line) => ({
    line,
    order: { order_type: line.order_type, vehicle_id: line.order_vehicle },
  }));
  const ids = sales.flatMap(({ line, order }) => vehicleOf(line, order) ?? []);
  if (ids.length === 0) return;
  const cars = await Vehicle.of(garage)
    .select('id', 'tax_kind', 'purchase_price', 'bpm_paid')
    .whereIn('id', ids)
    .where('bpm_paid', '>', 0);
  const byId = new Map(cars.map((car) => [car.id, car]));
  for (const { line, order } of sales)
    for (const [id, paid] of bpmPaid([line], order, byId))
      await OrderLine.of(garage).patch(paid).where({ id });
}
