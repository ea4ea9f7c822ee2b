// The cost of a car, on the lines that sell it under the margin scheme. A line takes the cost from its vehicle: without
// a cost, the whole price would bear VAT.
import { about, type Violation, violation } from '../errors.ts';
import { findRecords, lockRecords } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import { changeRow } from '../model/write.ts';
import type { Order, OrderChange } from '../resources/order.ts';
import { OrderLine, type OrderLineChange } from '../resources/order-line.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { LISTS } from '../trade/lists.ts';
import { isPurchase } from '../trade/posting.ts';
import { decimalOf, PLACES, wholeOf } from '../trade/whole.ts';
import { isCredit } from './credit.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

type Seller = Pick<Order, 'order_type' | 'vehicle_id'>;

const isSale = (order: Seller): boolean => !isPurchase(order.order_type) && !isCredit(order);

/** The vehicle of a line. The margin uses the same rule. */
const vehicleOf = ({ vehicle_id }: Pick<OrderLine, 'vehicle_id'>, order: Seller): number | null =>
  vehicle_id ?? (order.order_type === VEHICLE_SALES ? order.vehicle_id : null);

const sellsUnderMargin = ({ line_kind, vat_code }: Pick<OrderLine, 'line_kind' | 'vat_code'>): boolean =>
  line_kind === VEHICLE && vat_code === MARGIN;

/** Gives a line the cost of its vehicle if the request has no cost. */
export async function takePurchasePrice({
  next,
  previous,
  parent: order,
  given,
  garage,
}: OrderLineChange): Promise<void> {
  if (!order || !isSale(order) || !sellsUnderMargin(next) || given('purchase_price') != null) return;
  const id = vehicleOf(next, order);
  const isOther = !previous || vehicleOf(previous, order) !== id;
  if (!isOther && next.purchase_price !== null) return;
  next.purchase_price = id === null ? next.purchase_price : await readCost(garage, id);
}

async function readCost(garage: Garage, vehicle: number): Promise<string | null> {
  const [row] = await findRecords(garage, Vehicle.resource, [vehicle]);
  return costOf(row);
}

/** With as many decimals as the column of the line. Null if nobody knows the price that the garage paid. */
function costOf(vehicle: Pick<Vehicle, 'purchase_price' | 'bpm_paid'> | undefined): string | null {
  if (vehicle?.purchase_price == null) return null;
  const paid = wholeOf(vehicle.purchase_price, PLACES) + wholeOf(vehicle.bpm_paid ?? '0', PLACES);
  return decimalOf(paid, PLACES);
}

/**
 * Called when an order changes. Gives its lines the cost of their vehicle if the cost was unknown, or if the order has
 * another vehicle now. A cost that a user typed stays. Returns whether a line changed.
 */
export async function takePurchasePrices({ next, previous, garage }: OrderChange): Promise<boolean> {
  if (!previous || !isSale(next)) return false;
  const lines = await OrderLine.of(garage)
    .select('id', 'vehicle_id', 'purchase_price')
    .where({ order_id: next.id, line_kind: VEHICLE, vat_code: MARGIN });
  const ids = lines.flatMap((line) => [vehicleOf(line, next) ?? [], vehicleOf(line, previous) ?? []].flat());
  if (ids.length === 0) return false;
  const vehicles = await findRecords(garage, Vehicle.resource, [...new Set(ids)]);
  const costs = new Map(vehicles.map((vehicle) => [vehicle.id, costOf(vehicle)]));
  const costFor = (line: OrderLine, order: Seller) => costs.get(vehicleOf(line, order) ?? 0) ?? null;
  const taken = new Map(
    lines.flatMap((line) => {
      const isTaken = line.purchase_price === null || line.purchase_price === costFor(line, previous);
      const cost = costFor(line, next);
      return isTaken && cost !== null && cost !== line.purchase_price ? [[line.id, cost] as const] : [];
    }),
  );
  if (taken.size === 0) return false;
  for (const row of await lockRecords(garage, OrderLine.resource, 'id', [...taken.keys()]))
    await changeRow(garage, OrderLine.resource, {
      previous: row,
      next: { ...row, purchase_price: taken.get(row.id) ?? null },
    });
  return true;
}

/**
 * Finds lines under the margin scheme that can't be invoiced: with an unknown cost, or with a vehicle that was bought
 * with VAT.
 */
export async function unfitMargin({ next, garage }: OrderChange): Promise<Violation[]> {
  if (!isSale(next)) return [];
  const lines = await OrderLine.of(garage)
    .select('id', 'line_kind', 'vat_code', 'vehicle_id', 'purchase_price')
    .where({ order_id: next.id, vat_code: MARGIN })
    .whereNotIn('line_kind', [TRADE_IN, DEPOSIT])
    .orderBy('id');
  const sold = lines.filter((line) => sellsUnderMargin(line) || next.order_type === VEHICLE_SALES);
  const ids = sold.flatMap((line) => vehicleOf(line, next) ?? []);
  const vehicles = ids.length === 0 ? [] : await findRecords(garage, Vehicle.resource, [...new Set(ids)]);
  const withVat = new Set(
    vehicles.flatMap(({ id, tax_kind }) => (tax_kind === LISTS.taxkinds.VAT ? [id] : [])),
  );
  return sold.flatMap((line) =>
    about('orderline', line.id, [
      ...(sellsUnderMargin(line) && line.purchase_price === null
        ? [violation('field_empty', { field: 'purchase_price' })]
        : []),
      ...(withVat.has(vehicleOf(line, next) ?? 0)
        ? [violation('value_invalid', { field: 'vat_code', value: MARGIN, validation: 'margin vehicle' })]
        : []),
    ]),
  );
}
