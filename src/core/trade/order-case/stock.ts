// The vehicles that an invoice moves. A sale takes vehicles out of stock; a purchase and a trade-in bring them in.
import { about, type Violation, violation } from '../../errors.ts';
import { isDeposit } from '../deposit.ts';
import { kindRow } from '../kinds/line-kind.ts';
import { isPurchase } from '../kinds/purchase.ts';
import { isOfGarage } from '../kinds/stock-status.ts';
import { LISTS } from '../lists.ts';
import { euros } from '../totals.ts';
import { absolute } from '../whole.ts';
import { type CaseLine, type CaseOrder, isCredit } from './line.ts';

const { VEHICLE_SALES } = LISTS.ordertypes;
const { VEHICLE, TRADE_IN } = LISTS.linekinds;
const { VAT, MARGIN } = LISTS.taxkinds;

type Seller = Pick<CaseOrder, 'order_type' | 'vehicle_id' | 'deposit_of_order_id'>;
type Buyer = Pick<CaseOrder, 'order_type' | 'vehicle_id'>;
type Line = Pick<CaseLine, 'line_kind' | 'vehicle_id' | 'vat_code' | 'net'>;
type KindOfLine = Pick<Line, 'line_kind' | 'vehicle_id' | 'vat_code'>;

/** The price that the garage paid for a vehicle, and the tax on its sale. */
export interface Cost {
  readonly purchase_price: string;
  readonly tax_kind: number;
}

/** The vehicles of an invoice, by ID. */
export interface Trade {
  readonly sold: ReadonlySet<number>;
  /** By ID, with the cost of each vehicle. */
  readonly bought: ReadonlyMap<number, Cost>;
}

export const NO_TRADE: Trade = { sold: new Set(), bought: new Map() };

/** Whether an invoice of the order hands vehicles over. The invoice of a deposit does not. */
export const sells = (order: Seller): boolean => order.order_type === VEHICLE_SALES && !isDeposit(order);

/**
 * The vehicles that the invoice of an order moves: all that it prints, the order's and those of the VEHICLE lines. A
 * credit note moves vehicles back, and settling it tells which.
 */
export function tradeOf(order: Seller, lines: readonly Line[]): Trade {
  if (isCredit(order)) return NO_TRADE;
  const cars = lines.filter(({ line_kind }) => line_kind === VEHICLE).map(({ vehicle_id }) => vehicle_id);
  const sold = new Set<number>();
  if (sells(order)) for (const id of [order.vehicle_id, ...cars]) if (id !== null) sold.add(id);
  return { sold, bought: new Map(boughtLines(order, lines).map(([id, own]) => [id, paidFor(own)])) };
}

export const movedIn = ({ sold, bought }: Trade): number[] => [...new Set([...sold, ...bought.keys()])];

/**
 * The cars of a purchase: the cars of its VEHICLE lines, or the order's car if there are no such lines. A purchase may
 * have no car, or one that is in stock already: garages enter the car first and book its purchase later.
 */
function purchasedLines<L extends KindOfLine>(order: Buyer, lines: readonly L[]): [number, L[]][] {
  if (!isPurchase(order.order_type)) return [];
  const paid = lines.filter(({ line_kind }) => kindRow(line_kind).isPrice);
  const cars = paid.filter(({ line_kind }) => line_kind === VEHICLE);
  const boughtVehicle = (line: L) => line.vehicle_id ?? order.vehicle_id;
  const ids = new Set((cars.length > 0 ? cars : paid).map(boughtVehicle));
  return [...ids].flatMap((id): [number, L[]][] => {
    if (id === null) return [];
    const own = paid.filter((line) => boughtVehicle(line) === id);
    const car = own.find(({ line_kind }) => line_kind === VEHICLE) ?? own[0];
    // As in the margin, a discount with the VAT code of the car lowers its price. Fees with another code do not count.
    return [[id, own.filter(({ vat_code }) => vat_code === car?.vat_code)]];
  });
}

function tradeIns<L extends KindOfLine>(lines: readonly L[]): [number, L[]][] {
  const traded = lines.filter(({ line_kind, vehicle_id }) => line_kind === TRADE_IN && vehicle_id !== null);
  const ids = new Set(traded.map(({ vehicle_id }) => Number(vehicle_id)));
  return [...ids].map((id) => [id, traded.filter(({ vehicle_id }) => vehicle_id === id)]);
}

/** The cars that an invoice of the order buys, by ID, with the lines that make up the price of each. */
export const boughtLines = <L extends KindOfLine>(order: Buyer, lines: readonly L[]): [number, L[]][] => [
  ...purchasedLines(order, lines),
  ...tradeIns(lines),
];

/** The amount of a trade-in on a sale is below 0. */
function paidFor(lines: readonly Line[]): Cost {
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const isMargin = lines.some(({ vat_code }) => vat_code === LISTS.vatcodes.MARGIN);
  return { purchase_price: euros(absolute(net)), tax_kind: isMargin ? MARGIN : VAT };
}

interface Car {
  readonly id: number;
  readonly stock_status: number;
  readonly is_system: number | null;
  readonly is_blocked: number | null;
  readonly is_archived: number | null;
}

/** Why the vehicles of a new invoice can't be moved. The vehicles are sorted by ID. */
export function unfitStock({ sold, bought }: Trade, vehicles: readonly Car[]): Violation[] {
  const both = [...sold].filter((id) => bought.has(id));
  return [
    ...both.map((value) =>
      violation('value_invalid', { field: 'vehicle_id', value, validation: 'another vehicle' }),
    ),
    ...vehicles.flatMap((vehicle) => [
      ...unmovable(vehicle),
      ...(sold.has(vehicle.id) ? unsaleable(vehicle) : []),
    ]),
  ];
}

/**
 * Refuses to move a vehicle that is blocked, archived or a system record: nothing of it may change. If it stayed in
 * stock, it could be sold again.
 */
export function unmovable({ id, is_system, is_blocked, is_archived }: Car): Violation[] {
  const found =
    is_system === 1
      ? violation('record_system')
      : is_blocked === 1
        ? violation('record_blocked')
        : is_archived === 1
          ? violation('record_archived')
          : [];
  return about('vehicle', id, [found].flat());
}

/** Refuses to sell a vehicle that the garage does not have. */
function unsaleable(car: Car): Violation[] {
  if (isOfGarage(car.stock_status)) return [];
  const refused = { field: 'stock_status', value: car.stock_status, validation: 'in stock' };
  return about('vehicle', car.id, [violation('value_invalid', refused)]);
}
