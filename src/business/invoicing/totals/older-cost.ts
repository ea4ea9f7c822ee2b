// Finds the lines of a sale that have the cost of their car from before the garage bought it last. The sale takes the
// price of that purchase out of the stock, and its margin counts from there. A line takes the price before any change,
// which would make the line look younger than the purchase, and on the invoice.
import type { Garage } from '../../../core/model/statements/garage.ts';
import type { OrderRow } from '../../../core/resources/order.ts';
import type { OrderLineRow } from '../../../core/resources/order-line.ts';
import type { VehicleRow } from '../../../core/resources/vehicle.ts';
import { purchasesOf } from '../../../core/trade/order-case/car-history.ts';
import {
  costlyVehicles,
  costOf,
  takenCosts,
  takesCost,
  vehicleOf,
} from '../../../core/trade/order-case/margin.ts';
import { type Line, lockVehicles, writeCosts } from '../case.ts';
import { eventsOf, readMoving } from '../credit/car-history.ts';

/**
 * The IDs of these lines. A line that nobody has changed since the purchase has an older cost, and so has one with the
 * price of an earlier purchase. Any other cost was typed by a user who knew the purchase.
 */
export async function readOlderCosts(
  garage: Garage,
  order: OrderRow,
  lines: readonly OrderLineRow[],
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
    const { last, earlier, bpms } = purchasesOf(eventsOf(car.id, moving));
    const invoice = moving.find(({ order: { id } }) => id === last);
    if (!invoice) return false;
    const costs = earlier.flatMap((purchase_price) =>
      [car.bpm_paid, ...bpms].map((bpm_paid) => costOf({ purchase_price, bpm_paid }, line.vat_code)),
    );
    const isUntouched = String(line.modified_at) < String(invoice.order.invoice_date);
    return isUntouched || costs.includes(line.purchase_price);
  });
  return new Set(older.map(({ line }) => line.id));
}

/** Gives lines with an older cost the cost of now, but for some. Returns all lines of the order as they are then. */
export async function takeOlderCosts(
  garage: Garage,
  order: OrderRow,
  lines: readonly Line[],
  except: ReadonlySet<number | undefined>,
): Promise<readonly Line[]> {
  const others = lines.filter(({ id, purchase_price }) => purchase_price !== null && !except.has(id));
  const cars = await lockVehicles(garage, [], costlyVehicles(others, [order]));
  const older = await readOlderCosts(garage, order, others, cars);
  return writeCosts(garage, lines, takenCosts(others, { next: order, previous: order, cars, older }));
}
