// The customers of a slice of orders and their cars, and the cars of the garage. Customers and cars of
// earlier slices stay known for a while, so that people come back.
import type { Row } from '../model/field.ts';
import { Contact } from '../resources/contact.ts';
import { ContactCommunication } from '../resources/contact-communication.ts';
import { LicensePlateHistory } from '../resources/license-plate-history.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../resources/vehicle-advertisement-site.ts';
import { VehicleRoleLine } from '../resources/vehicle-role-line.ts';
import { databaseTime } from '../trade/timestamp.ts';
import { advertisementsOf, formerPlateOf } from './adverts.ts';
import type { Catalogue } from './catalogue.ts';
import { communicationsOf, customer } from './contacts.ts';
import type { Draft, Writer } from './insert.ts';
import type { Plan } from './plan.ts';
import type { Random } from './random.ts';
import * as cars from './vehicles.ts';

/** A car and who comes in with it; `payer` is its lease company. */
export interface Pair {
  readonly car: Draft;
  readonly contact: Draft;
  readonly payer?: Draft;
}

/** In the order of time, those of earlier slices first. */
export interface Fleet {
  readonly customers: readonly Draft[];
  readonly pairs: readonly Pair[];
}

/** What an order may refer to. `carried` are how many of the fleet come from earlier slices. */
export interface World extends Fleet {
  readonly catalogue: Catalogue;
  readonly carried: { readonly customers: number; readonly pairs: number };
  /** Cars of the garage, each with its owner before. */
  readonly unsold: readonly Pair[];
  /** The car and the buyer of each invoiced sale. */
  readonly sold: ReadonlyMap<Plan, Pair>;
}

export interface Quota {
  readonly customers: number;
  readonly customerCars: number;
  readonly unsoldCars: number;
  /** The number of the first car, in a series that never comes back. */
  readonly firstSerial: number;
  readonly firstContactNumber: number;
}

const MOST_CARRIED = 600;
const FIRST_CARS = 5;
const FEWEST_KNOWN = 3;
const FEWEST_IMPORTED = 3;
const LEASED = 0.06;

/** What the fleet of a slice is made for. */
export interface Need {
  readonly catalogue: Catalogue;
  readonly earlier: Fleet;
  readonly plans: readonly Plan[];
  /** The plans of the invoiced sales. */
  readonly sales: readonly Plan[];
  readonly quota: Quota;
}

/** Writes the contacts and vehicles of a slice, with all that belongs to them. */
export async function makeFleet(writer: Writer, random: Random, need: Need): Promise<World> {
  const { catalogue, earlier, sales, quota } = need;
  const fresh = await writeCustomers(writer, random, need);
  const customers = [...earlier.customers, ...fresh];
  const carried = { customers: earlier.customers.length, pairs: earlier.pairs.length };
  const someone = (progress: number) => known(random, customers, carried.customers, progress);

  let serial = quota.firstSerial;
  const own = Array.from({ length: quota.customerCars }, (_, index): Pair => {
    const progress = Math.max(0, index - FIRST_CARS) / quota.customerCars;
    const car = cars.customerVehicle(random, serial++, yearAt(need, progress) - 1);
    const payer = random.chance(LEASED) ? random.pick(catalogue.leaseCompanies) : undefined;
    return { car, contact: someone(progress), payer };
  });
  const sold = new Map<Plan, Pair>();
  for (const plan of sales) {
    sold.set(plan, { car: cars.soldVehicle(random, serial++, plan.at), contact: someone(plan.progress) });
  }
  const unsold = Array.from({ length: quota.unsoldCars }, (_, index) => ({
    car: cars.unsoldVehicle(random, serial++, index),
    contact: someone(0.5),
  }));
  const world = { catalogue, customers, pairs: [...earlier.pairs, ...own], carried, unsold, sold };
  await writeCars(writer, random, world, own);
  return world;
}

/** One of those who are known by then: all of earlier slices, and this slice's as far as it has got. */
export function known<T>(random: Random, all: readonly T[], carried: number, progress: number): T {
  const most = carried + Math.ceil((all.length - carried) * progress);
  return all[random.whole(0, Math.min(all.length, Math.max(FEWEST_KNOWN, most)) - 1)] as T;
}

/** What the next slice still knows. */
export const carry = ({ customers, pairs }: Fleet): Fleet => ({
  customers: customers.slice(-MOST_CARRIED),
  pairs: pairs.slice(-MOST_CARRIED),
});

async function writeCustomers(writer: Writer, random: Random, { catalogue, quota }: Need): Promise<Draft[]> {
  const fresh = Array.from({ length: quota.customers }, (_, index) =>
    customer(random, quota.firstContactNumber + index, catalogue.leaseCompanies),
  );
  await writer.write(Contact.resource, fresh);
  const communications = fresh.flatMap((contact) => communicationsOf(random, contact));
  await writer.write(ContactCommunication.resource, communications);
  return fresh;
}

/** The year in which a slice gets that far; cars that come in then are older. */
const yearAt = ({ plans }: Need, progress: number) =>
  Number(plans[Math.floor(progress * plans.length)]?.at.getUTCFullYear());

async function writeCars(writer: Writer, random: Random, world: World, own: readonly Pair[]): Promise<void> {
  const { sold, unsold } = world;
  const all = [...own, ...sold.values(), ...unsold];
  await writer.write(
    Vehicle.resource,
    all.map(({ car }) => car),
  );

  const roles: Row[] = [
    ...own.flatMap(({ car, contact, payer }) =>
      payer ? cars.leaseLines(random, car, payer, contact) : [cars.ownerLine(random, car, contact)],
    ),
    ...[...sold].map(([{ at }, { car, contact }]) => cars.ownerLine(random, car, contact, databaseTime(at))),
    ...unsold.map(({ car, contact }) => cars.formerOwnerLine(car, contact)),
  ];
  await writer.write(VehicleRoleLine.resource, roles);
  await writer.write(
    VehicleAdvertisementSite.resource,
    unsold.flatMap(({ car }) => advertisementsOf(random, car)),
  );
  const imported = unsold.slice(0, Math.max(FEWEST_IMPORTED, Math.round(unsold.length / 4)));
  await writer.write(
    LicensePlateHistory.resource,
    imported.map(({ car }) => formerPlateOf(random, car)),
  );
}
