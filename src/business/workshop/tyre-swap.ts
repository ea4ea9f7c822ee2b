// Swaps the tyres of a vehicle: the mounted set goes into the storage, and a stored one leaves it, in one transaction.
import { type Violation, violation } from '../../core/errors.ts';
import { refuse } from '../../core/model/bodies/check.ts';
import { findRecord, lockRecords } from '../../core/model/lists/find.ts';
import type { Garage } from '../../core/model/statements/garage.ts';
import { changeRecord } from '../../core/model/writes/store.ts';
import { TyreSet, type TyreSetRow } from '../../core/resources/tyre-set.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { LISTS } from '../../core/trade/lists.ts';

const { STORED, MOUNTED } = LISTS.tyresetstatuses;

interface Swap {
  readonly vehicle_id: number;
  /** Comes off the car. */
  readonly out_tyreset_id: number;
  /** Leaves the storage. */
  readonly in_tyreset_id: number;
  /** The location for the set that comes off; null: the location of the other set. */
  readonly location: string | null;
}

/** Both sets as they are then. Throws Problem: unknown 404, a wrong set 403, a blocked set or a taken location 409. */
export async function swapSets(garage: Garage, swap: Swap): Promise<{ off: TyreSetRow; on: TyreSetRow }> {
  const { vehicle_id, out_tyreset_id, in_tyreset_id } = swap;
  const sets = await lockRecords(garage, TyreSet.resource, 'id', [out_tyreset_id, in_tyreset_id]);
  const [out, into] = [out_tyreset_id, in_tyreset_id].map((id) => sets.find((one) => one.id === id));
  const vehicle = await findRecord(garage, Vehicle.resource, vehicle_id, ['id']);
  refuse([
    ...(vehicle ? [] : [unknown('vehicle_id', vehicle_id)]),
    ...(out ? [] : [unknown('out_tyreset_id', out_tyreset_id)]),
    ...(into ? [] : [unknown('in_tyreset_id', in_tyreset_id)]),
  ]);
  refuse([
    ...(isOf(out, swap, MOUNTED) ? [] : [WRONG_SETS.out(out_tyreset_id)]),
    ...(isOf(into, swap, STORED) ? [] : [WRONG_SETS.in(in_tyreset_id)]),
  ]);
  const change = (id: number, body: object) => changeRecord(garage, TyreSet.resource, id, { ...body });
  // First, because it frees the location.
  const on = await change(in_tyreset_id, { tyreset_status: MOUNTED });
  // An empty text is no location.
  const location = swap.location || (into?.location ?? null);
  return { on, off: await change(out_tyreset_id, { tyreset_status: STORED, location }) };
}

const unknown = (field: string, value: number): Violation => violation('reference_unknown', { field, value });

const isOf = (set: TyreSetRow | undefined, { vehicle_id }: Swap, status: number): boolean =>
  set?.vehicle_id === vehicle_id && set.tyreset_status === status;

/** The refusals of sets that can't be swapped. */
export const WRONG_SETS = {
  out: (value: number) =>
    violation('value_invalid', { field: 'out_tyreset_id', value, validation: 'mounted set of the vehicle' }),
  in: (value: number) =>
    violation('value_invalid', { field: 'in_tyreset_id', value, validation: 'stored set of the vehicle' }),
};
