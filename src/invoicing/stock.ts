// Moves the vehicles of an invoice. A sale takes vehicles out of stock; a purchase and a trade-in bring them in. A
// credit note of the whole invoice undoes both. Each vehicle is locked and written before it is judged, so a car is
// sold only once.

import { type Violation, violation } from '../errors.ts';
import { refuse } from '../model/check.ts';
import { claimRecord, lockRecords } from '../model/find.ts';
import type { Garage } from '../model/garage.ts';
import type { Change, RowIn } from '../model/record.ts';
import type { Order } from '../resources/order.ts';
import { OrderLine } from '../resources/order-line.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { isDeposit } from '../trade/deposit.ts';
import { LISTS } from '../trade/lists.ts';
import { payerOf } from '../trade/payer.ts';
import { isPurchase } from '../trade/posting.ts';
import { cents, euros } from '../trade/totals.ts';
import {
  buy,
  type Cost,
  giveBack,
  type Handover,
  sell,
  takeBack,
  unmovable,
  unsaleable,
} from '../vehicles/stock.ts';
import { isCredit } from './credit.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN, DEPOSIT } = LISTS.linekinds;
const { VAT, MARGIN } = LISTS.taxkinds;

type OrderRow = RowIn<typeof Order>;
type Seller = Pick<Order, 'order_type' | 'vehicle_id' | 'deposit_of_order_id'>;
type Line = Pick<OrderLine, 'line_kind' | 'vehicle_id' | 'vat_code' | 'line_net'>;
type VehicleRow = RowIn<typeof Vehicle>;

/** The vehicles of an invoice, by ID. */
interface Trade {
  readonly sold: ReadonlySet<number>;
  /** By ID, with the cost of each vehicle. */
  readonly bought: ReadonlyMap<number, Cost>;
}

/** The moves of an invoice. Its vehicles are locked. */
interface StockMoves {
  readonly trade: Trade;
  readonly vehicles: readonly VehicleRow[];
  /** Why the vehicles can't be moved. */
  readonly unfit: readonly Violation[];
}

/**
 * Locks the vehicles that an order will move as an invoice, and judges them. A credit note moves none here: see
 * `moveStockBack`.
 */
export async function claimStock({ next, garage }: Change<OrderRow>): Promise<StockMoves> {
  const trade = isCredit(next) ? tradeOf(next, []) : tradeOf(next, await readLines(garage, next.id));
  const vehicles = await claimVehicles(garage, trade);
  const both = [...trade.sold].filter((id) => trade.bought.has(id));
  const unfit = [
    ...both.map((value) =>
      violation('value_invalid', { field: 'vehicle_id', value, validation: 'another vehicle' }),
    ),
    ...vehicles.flatMap((vehicle) => [
      ...unmovable(vehicle),
      ...(trade.sold.has(vehicle.id) ? unsaleable(vehicle) : []),
    ]),
  ];
  return { trade, vehicles, unfit };
}

/** Moves the vehicles of a new invoice. */
export async function moveStock(change: Change<OrderRow>, { trade, vehicles }: StockMoves): Promise<void> {
  const handover = handoverOf(change);
  for (const vehicle of vehicles) {
    const cost = trade.bought.get(vehicle.id);
    if (cost) await buy(vehicle, cost, handover);
    else await sell(vehicle, handover);
  }
}

/**
 * Locks the vehicles of an invoice that a new credit note takes back as a whole. Throws Problem if they can't be moved
 * back.
 */
export async function claimStockBack(
  { garage }: Change<OrderRow>,
  credited: OrderRow,
): Promise<Omit<StockMoves, 'unfit'>> {
  const trade = tradeOf(credited, await readLines(garage, credited.id));
  const vehicles = await claimVehicles(garage, trade);
  refuse(vehicles.flatMap(unmovable));
  return { trade, vehicles };
}

/** Moves the vehicles back. */
export async function moveStockBack(
  change: Change<OrderRow>,
  { trade, vehicles }: Omit<StockMoves, 'unfit'>,
): Promise<void> {
  const handover = handoverOf(change);
  for (const vehicle of vehicles) {
    if (trade.bought.has(vehicle.id)) await giveBack(vehicle, handover);
    else await takeBack(vehicle, handover);
  }
}

/** The other party is the payer. */
const handoverOf = ({ next, garage }: Change<OrderRow>): Handover => ({
  garage,
  party: payerOf(next),
  at: String(next.supply_date),
  now: String(next.invoice_date),
});

const readLines = async (garage: Garage, order_id: number): Promise<Line[]> =>
  OrderLine.of(garage)
    .select('line_kind', 'vehicle_id', 'vat_code', 'line_net')
    .where({ order_id })
    .orderBy('id');

/** Locks the rows sorted by ID, so that two invoices of the same cars wait for each other. */
async function claimVehicles(garage: Garage, { sold, bought }: Trade): Promise<VehicleRow[]> {
  const ids = [...new Set([...sold, ...bought.keys()])].sort((one, other) => one - other);
  for (const id of ids) await claimRecord(garage, Vehicle.resource, id);
  if (ids.length === 0) return [];
  const rows = await lockRecords(garage, Vehicle.resource, 'id', ids);
  return rows.sort((one, other) => one.id - other.id);
}

/** Whether an invoice of the order hands vehicles over. The invoice of a deposit does not. */
export const sells = (order: Seller): boolean => order.order_type === VEHICLE_SALES && !isDeposit(order);

function tradeOf(order: Seller, lines: readonly Line[]): Trade {
  const cars = lines.filter(({ line_kind }) => line_kind === VEHICLE).map(({ vehicle_id }) => vehicle_id);
  const sold = new Set<number>();
  if (sells(order)) for (const id of [order.vehicle_id, ...cars]) if (id !== null) sold.add(id);
  return { sold, bought: new Map([...purchases(order, lines), ...tradeIns(lines)]) };
}

/** The cars of a purchase: the cars of its VEHICLE lines, or the order's car if there are no such lines. */
function purchases(
  order: Pick<Order, 'order_type' | 'vehicle_id'>,
  lines: readonly Line[],
): [number, Cost][] {
  if (!isPurchase(order.order_type)) return [];
  const paid = lines.filter(({ line_kind }) => line_kind !== TRADE_IN && line_kind !== DEPOSIT);
  const cars = paid.filter(({ line_kind }) => line_kind === VEHICLE);
  const vehicleOf = (line: Line) => line.vehicle_id ?? order.vehicle_id;
  const ids = new Set((cars.length > 0 ? cars : paid).map(vehicleOf));
  return [...ids].flatMap((id): [number, Cost][] => {
    if (id === null) return [];
    const own = paid.filter((line) => vehicleOf(line) === id);
    const car = own.find(({ line_kind }) => line_kind === VEHICLE) ?? own[0];
    // As in the margin, a discount with the VAT code of the car lowers its price. Fees with another code do not count.
    return [[id, costOf(own.filter(({ vat_code }) => vat_code === car?.vat_code))]];
  });
}

function tradeIns(lines: readonly Line[]): [number, Cost][] {
  const traded = lines.filter(({ line_kind, vehicle_id }) => line_kind === TRADE_IN && vehicle_id !== null);
  const ids = new Set(traded.map(({ vehicle_id }) => Number(vehicle_id)));
  return [...ids].map((id) => [id, costOf(traded.filter(({ vehicle_id }) => vehicle_id === id))]);
}

/** The amount of a trade-in on a sale is below 0. */
function costOf(lines: readonly Line[]): Cost {
  const net = lines.reduce((sum, { line_net }) => sum + cents(line_net ?? '0'), 0n);
  const isMargin = lines.some(({ vat_code }) => vat_code === LISTS.vatcodes.MARGIN);
  return { purchase_price: euros(net < 0n ? -net : net), tax_kind: isMargin ? MARGIN : VAT };
}
