// Moves vehicles into the stock of the garage and out of it, with their owners. The caller has locked and judged the
// vehicles. Each of them is written: see "Locks" in docs/architecture.md.
import { claimRecords } from '../../core/model/lists/find.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { changeRow } from '../../core/model/writes/write.ts';
import { Vehicle, type VehicleRow } from '../../core/resources/vehicle.ts';
import { LISTS } from '../../core/trade/lists.ts';
import type { Undo } from '../../core/trade/order-case/car-history.ts';
import type { Cost, Trade } from '../../core/trade/order-case/stock.ts';
import { beginOwner, endOwners, lockOwners, type OwnerLine } from './ownership.ts';

const { STOCK, SOLD, DELIVERED } = LISTS.stockstatuses;
/** The BPM that a car bore was part of the cost of its sale. A garage that buys the car back pays none. */
const WITHOUT_BPM = { bpm_paid: null };
/** A buyer must not find a car that the garage no longer has. A credit note does not publish the car again. */
const TAKEN_OFF = { publish_status: LISTS.publishstatuses.NOT_PUBLISHED, published_at: null };

/** Where and when vehicles change hands. */
interface Handover {
  readonly garage: Garage;
  /** The contact who is on the other side. */
  readonly party: number;
  /** The date of supply, in the form of the database. */
  readonly at: string;
  /** The date of the invoice. A clock that is behind it does not count. */
  readonly now: string;
}

/** A vehicle that moves, with the open lines of its owners. */
interface Moved {
  readonly vehicle: VehicleRow;
  readonly owners: readonly OwnerLine[];
}

/** Moves the vehicles of a new invoice. */
export const moveStock = (trade: Trade, vehicles: readonly VehicleRow[], handover: Handover): Promise<void> =>
  moveAll(vehicles, handover, (moved) => {
    const cost = trade.bought.get(moved.vehicle.id);
    return cost ? buy(moved, cost, handover) : sell(moved, handover);
  });

/**
 * Moves the vehicles of an invoice back, which a credit note takes back as a whole. Vehicles without an entry in
 * `undos` stay as they are.
 */
export const moveStockBack = (
  undos: ReadonlyMap<number, Undo>,
  vehicles: readonly VehicleRow[],
  handover: Handover,
): Promise<void> =>
  moveAll(vehicles, handover, async (moved) => {
    const undo = undos.get(moved.vehicle.id);
    return undo !== undefined && moveBack(moved, undo, handover);
  });

/** `move` returns whether it wrote the row of the vehicle. */
async function moveAll(
  vehicles: readonly VehicleRow[],
  { garage, now }: Handover,
  move: (moved: Moved) => Promise<boolean>,
): Promise<void> {
  if (vehicles.length === 0) return;
  const ids = vehicles.map(({ id }) => id);
  const owners = await lockOwners(garage, ids, now);
  const unwritten: number[] = [];
  for (const vehicle of vehicles) {
    const own = owners.filter(({ vehicle_id }) => vehicle_id === vehicle.id);
    if (!(await move({ vehicle, owners: own }))) unwritten.push(vehicle.id);
  }
  if (unwritten.length > 0) await claimRecords(garage, Vehicle.resource, unwritten);
}

/** The garage sells: the party owns the vehicle. */
async function sell({ vehicle, owners }: Moved, { garage, party, at, now }: Handover): Promise<boolean> {
  const isWritten = await put(garage, vehicle, { stock_status: SOLD, ...TAKEN_OFF });
  // Only one owner may be left, also if the date of supply lies ahead. A second owner would be refused.
  await endOwners(garage, owners, at < now ? at : now);
  await beginOwner(garage, { vehicle_id: vehicle.id, contact_id: party, start_date: at });
  return isWritten;
}

/**
 * The garage buys: nobody else owns the vehicle. The seller and the registered owner often differ, so any owner ends.
 */
async function buy({ vehicle, owners }: Moved, cost: Cost, { garage, at }: Handover): Promise<boolean> {
  const { stock_status } = vehicle;
  const wasSold = stock_status === SOLD || stock_status === DELIVERED;
  const isWritten = await put(garage, vehicle, {
    stock_status: STOCK,
    purchase_date: at,
    ...cost,
    ...(wasSold && WITHOUT_BPM),
  });
  await endOwners(garage, owners, at);
  return isWritten;
}

/**
 * The vehicle is again what the invoice before left. The buyer of a sale owns the vehicle no more, nor does the seller
 * if the garage has the vehicle by an earlier purchase. Another contact who registered as the owner since stays.
 */
async function moveBack(
  { vehicle, owners }: Moved,
  { stock_status, owner, paid, bpm, isOfSale }: Undo,
  { garage, party, at }: Handover,
): Promise<boolean> {
  const isWritten = await put(garage, vehicle, {
    stock_status,
    ...paid,
    ...(bpm === undefined ? {} : { bpm_paid: bpm }),
    ...(stock_status === STOCK ? {} : TAKEN_OFF),
  });
  const left = isOfSale || owner === null ? owners.filter(({ contact_id }) => contact_id === party) : [];
  await endOwners(garage, left, at);
  if (owner !== null && owners.length === left.length)
    await beginOwner(garage, { vehicle_id: vehicle.id, contact_id: owner, start_date: at });
  return isWritten;
}

/** Writes the vehicle if it changes, and returns whether it does. */
async function put(garage: Garage, previous: VehicleRow, changes: Partial<VehicleRow>): Promise<boolean> {
  const next = { ...previous, ...changes };
  const isSame = (Object.keys(changes) as (keyof VehicleRow)[]).every(
    (field) => next[field] === previous[field],
  );
  if (!isSame) await changeRow(garage, Vehicle.resource, { previous, next });
  return !isSame;
}
