// How a vehicle enters the stock of the garage and leaves it, with its owners. The caller holds the row of the vehicle.
import { about, type Violation, violation } from '../errors.ts';
import type { Row } from '../model/field.ts';
import type { Garage } from '../model/garage.ts';
import type { RowIn } from '../model/record.ts';
import { changeRow } from '../model/write.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { LISTS } from '../trade/lists.ts';
import { beginOwner, endOwners, ownersOf } from './ownership.ts';

const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD } = LISTS.stockstatuses;
const IN_STOCK: readonly number[] = [STOCK, EXPECTED, DEMO];
/** A buyer must not find a car that the garage no longer has. */
const TAKEN_OFF = { publish_status: LISTS.publishstatuses.NOT_PUBLISHED, published_at: null };

type VehicleRow = RowIn<typeof Vehicle>;

/** The price that the garage paid for a vehicle, and the tax on its sale. */
export interface Cost {
  readonly purchase_price: string;
  readonly tax_kind: number;
}

/** Where and when a vehicle changes hands. */
export interface Handover {
  readonly garage: Garage;

  /** The contact who is on the other side. */
  readonly party: number;
  /** The date of supply, in the form of the database. */
  readonly at: string;
  /** The date of the invoice. A clock that is behind it does not count. */
  readonly now: string;
}

/** Refuses to move a vehicle that is blocked, archived or a system record: nothing of it may change. */
export function unmovable(vehicle: VehicleRow): Violation[] {
  const { is_system, is_blocked, is_archived } = vehicle;
  const found =
    is_system === 1
      ? violation('record_system')
      : is_blocked === 1
        ? violation('record_blocked')
        : is_archived === 1
          ? violation('record_archived')
          : [];
  return about('vehicle', vehicle.id, [found].flat());
}

/** Refuses to sell a vehicle that the garage does not have. */
export function unsaleable({ id, stock_status }: VehicleRow): Violation[] {
  if (IN_STOCK.includes(stock_status)) return [];
  const refused = { field: 'stock_status', value: stock_status, validation: 'in stock' };
  return about('vehicle', id, [violation('value_invalid', refused)]);
}

/** The garage sells: the party owns the vehicle. */
export async function sell(vehicle: VehicleRow, { garage, party, at, now }: Handover): Promise<void> {
  await put(garage, vehicle, { stock_status: SOLD, ...TAKEN_OFF });
  // Only one owner may be left, also if the date of supply lies ahead.
  await endOwners(garage, vehicle.id, at < now ? at : now, now);
  await beginOwner(garage, { vehicle_id: vehicle.id, contact_id: party, start_date: at });
}

/** The garage buys: nobody else owns the vehicle. */
export async function buy(vehicle: VehicleRow, cost: Cost, { garage, at, now }: Handover): Promise<void> {
  await put(garage, vehicle, { stock_status: STOCK, purchase_date: at, ...cost });
  await endOwners(garage, vehicle.id, at, now);
}

/** A sale is undone: the vehicle is back, unless somebody else owns it by now. */
export async function takeBack(vehicle: VehicleRow, { garage, party, at, now }: Handover): Promise<void> {
  const others = await ownersOf(garage, vehicle.id, now).whereNot('contact_id', party).select('id');
  if (others.length > 0) return;
  await put(garage, vehicle, { stock_status: STOCK });
  await endOwners(garage, vehicle.id, at, now);
}

/** A purchase is undone: the party has the vehicle again, unless the garage sold it by now. */
export async function giveBack(vehicle: VehicleRow, { garage, party, at, now }: Handover): Promise<void> {
  if (!IN_STOCK.includes(vehicle.stock_status)) return;
  const unpaid = { purchase_date: null, purchase_price: null };
  await put(garage, vehicle, { stock_status: CUSTOMER, ...unpaid, ...TAKEN_OFF });
  const owners = await ownersOf(garage, vehicle.id, now).select('id');
  if (owners.length === 0)
    await beginOwner(garage, { vehicle_id: vehicle.id, contact_id: party, start_date: at });
}

async function put(garage: Garage, previous: VehicleRow, changes: Partial<VehicleRow>): Promise<void> {
  const next: Row = { ...previous, ...changes };
  const before: Row = previous;
  const isSame = Object.keys(changes).every((field) => next[field] === before[field]);
  if (!isSame) await changeRow(garage, Vehicle.resource, { previous, next });
}
