// Finds the lines of a sale that have the cost of their car from before the garage bought it last. The sale takes the
// price of that purchase out of the stock, and its margin counts from there.
import type { Garage } from '../../model/statements/garage.ts';
import type { OrderRow } from '../../resources/order.ts';
import type { VehicleRow } from '../../resources/vehicle.ts';
import { purchasesOf } from '../../trade/order-case/car-history.ts';
import { costOf, takesCost, vehicleOf } from '../../trade/order-case/margin.ts';
import type { Line } from '../case.ts';
import { eventsOf, readMoving } from '../credit/car-history.ts';

/**
 * The IDs of these lines. A line that nobody has changed since the purchase has an older cost, and so has one with the
 * price of an earlier purchase. Any other cost was typed by a user who knew the purchase. The cars are locked.
 */
export async function readOlderCosts(
  garage: Garage,
  order: OrderRow,
  lines: readonly Line[],
  cars: ReadonlyMap<number, VehicleRow>,
): Promise<ReadonlySet<number>> {
  const differing = lines.flatMap((line) => {
    const car = takesCost(line, order) ? cars.get(vehicleOf(line, order) ?? 0) : undefined;
    const isSame = line.purchase_price === null || line.purchase_price === costOf(car, line.vat_code);
    return car && !isSame ? { line, car } : [];
  });
  if (differing.length === 0) return new Set();
  const moving = await readMoving(garage, [...new Set(differing.map(({ car }) => car.id))]);
  const older = differing.filter(({ line, car }) => {
    const { last, earlier } = purchasesOf(eventsOf(car.id, moving));
    const invoice = moving.find(({ order: { id } }) => id === last);
    if (!invoice) return false;
    const costs = earlier.map((purchase_price) => costOf({ ...car, purchase_price }, line.vat_code));
    const isUntouched = String(line.modified_at) < String(invoice.order.invoice_date);
    return isUntouched || costs.includes(line.purchase_price);
  });
  return new Set(older.map(({ line }) => line.id));
}
