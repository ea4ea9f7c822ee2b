// The cost of a car, on the lines that sell it. A line takes the cost from its vehicle: under the margin scheme the
// whole price would bear VAT without a cost, and the journal takes the cost out of the stock.
import { about, type Violation, violation } from '../../errors.ts';
import { roundTo } from '../decimal.ts';
import { kindRow } from '../kinds/line-kind.ts';
import { isPurchase } from '../kinds/purchase.ts';
import { LISTS } from '../lists.ts';
import { cents, euros } from '../totals.ts';
import { decimalOf, PLACES, wholeOf } from '../whole.ts';
import { type CaseOrder, isCredit, type LineRow } from './line.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { VEHICLE } = LISTS.linekinds;
const { MARGIN } = LISTS.vatcodes;

type Seller = Pick<CaseOrder, 'order_type' | 'vehicle_id'>;
type Line = Pick<LineRow, 'id' | 'line_kind' | 'vat_code' | 'vehicle_id' | 'purchase_price'>;

interface Car {
  readonly id: number;
  readonly tax_kind: number | null;
  readonly purchase_price: string | null;
  readonly bpm_paid: string | null;
}
type Cars = ReadonlyMap<number, Car>;

const isSale = (order: Seller): boolean => !isPurchase(order.order_type) && !isCredit(order);

/** The vehicle of a line. The margin uses the same rule. */
export const vehicleOf = ({ vehicle_id }: Pick<Line, 'vehicle_id'>, order: Seller): number | null =>
  vehicle_id ?? (order.order_type === VEHICLE_SALES ? order.vehicle_id : null);

const sellsUnderMargin = ({ line_kind, vat_code }: Pick<Line, 'line_kind' | 'vat_code'>): boolean =>
  line_kind === VEHICLE && vat_code === MARGIN;

/** Whether the line sells a car, and so takes its cost. */
export const takesCost = ({ line_kind }: Pick<Line, 'line_kind'>, order: Seller): boolean =>
  isSale(order) && line_kind === VEHICLE;

/**
 * The cost of a car that is sold under this VAT code: under the margin scheme with its BPM. It has as many decimals as
 * the column of the line. Null if nobody knows the price that the garage paid.
 */
export function costOf(
  vehicle: Pick<Car, 'purchase_price' | 'bpm_paid'> | undefined,
  vat_code: number,
): string | null {
  if (vehicle?.purchase_price == null) return null;
  const bpm = vat_code === MARGIN ? (vehicle.bpm_paid ?? '0') : '0';
  return decimalOf(wholeOf(vehicle.purchase_price, PLACES) + wholeOf(bpm, PLACES), PLACES);
}

/**
 * The BPM within the cost of each line that sells a car under the scheme, by the ID of the line: what the cost exceeds
 * the price of the car, and no more than was paid. A user may have typed the cost. Lines without BPM are left out.
 */
export function bpmPaid(
  lines: readonly Line[],
  order: Seller,
  cars: Cars,
): ReadonlyMap<number, { readonly bpm_paid: string }> {
  const found = lines.flatMap((line) => {
    const car = cars.get(vehicleOf(line, order) ?? 0);
    if (!car || !isSale(order) || !sellsUnderMargin(line)) return [];
    const paid = cents(car.bpm_paid ?? '0');
    const beyond = cents(roundTo(line.purchase_price ?? '0', 2)) - cents(car.purchase_price ?? '0');
    const bpm = beyond < paid ? beyond : paid;
    return bpm > 0n ? [[line.id, { bpm_paid: euros(bpm) }] as const] : [];
  });
  return new Map(found);
}

/** The price of the car within the cost of a line that sold it. Null if nobody knows. */
export const priceWithoutBpm = ({
  purchase_price,
  bpm_paid,
}: Pick<LineRow, 'purchase_price'> & { readonly bpm_paid: string | null }): string | null =>
  purchase_price === null ? null : euros(cents(roundTo(purchase_price, 2)) - cents(bpm_paid ?? '0'));

/** The vehicles whose cost the lines may take. `orders`: the order as it becomes, and as it was. */
export const costlyVehicles = (lines: readonly Line[], orders: readonly Seller[]): number[] =>
  orders.flatMap((order) =>
    lines.flatMap((line) => (takesCost(line, order) ? (vehicleOf(line, order) ?? []) : [])),
  );

/** An order that changes, as it becomes and as it was. */
interface Costing {
  readonly next: Seller;
  readonly previous: Seller;
  readonly cars: Cars;
  readonly older?: ReadonlySet<number>;
}

/**
 * The costs that lines take when their order changes, by the ID of the line: if the cost was unknown, if the order has
 * another vehicle now, or if the line is among the `older` ones, whose car the garage has bought since. A cost that a
 * user typed stays.
 */
export function takenCosts(
  lines: readonly Line[],
  { next, previous, cars, older }: Costing,
): ReadonlyMap<number, string> {
  const costFor = (line: Line, order: Seller) => costOf(cars.get(vehicleOf(line, order) ?? 0), line.vat_code);
  return new Map(
    lines.flatMap((line) => {
      if (!takesCost(line, next)) return [];
      const isTaken =
        line.purchase_price === null ||
        line.purchase_price === costFor(line, previous) ||
        older?.has(line.id) === true;
      const cost = costFor(line, next);
      return isTaken && cost !== null && cost !== line.purchase_price ? [[line.id, cost] as const] : [];
    }),
  );
}

/** The lines that sell under the margin scheme, and must not sell a car that was bought with VAT. */
const soldUnderMargin = (lines: readonly Line[], order: Seller): Line[] =>
  lines.filter(
    (line) =>
      line.vat_code === MARGIN &&
      kindRow(line.line_kind).isPrice &&
      (sellsUnderMargin(line) || order.order_type === VEHICLE_SALES),
  );

/** The vehicles of these lines. */
export const marginVehicles = (lines: readonly Line[], order: Seller): number[] =>
  isSale(order) ? soldUnderMargin(lines, order).flatMap((line) => vehicleOf(line, order) ?? []) : [];

/**
 * Finds lines under the margin scheme that can't be invoiced: with an unknown cost, or with a vehicle that was bought
 * with VAT.
 */
export function unfitMargin(lines: readonly Line[], order: Seller, cars: Cars): Violation[] {
  if (!isSale(order)) return [];
  return soldUnderMargin(lines, order).flatMap((line) =>
    about('orderline', line.id, [
      ...(sellsUnderMargin(line) && line.purchase_price === null
        ? [violation('field_empty', { field: 'purchase_price' })]
        : []),
      ...(cars.get(vehicleOf(line, order) ?? 0)?.tax_kind === LISTS.taxkinds.VAT
        ? [violation('value_invalid', { field: 'vat_code', value: MARGIN, validation: 'margin vehicle' })]
        : []),
    ]),
  );
}
