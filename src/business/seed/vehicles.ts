// Cars with their owners: a car of a customer, or a car that the garage bought, has in stock or sold. Plates and VINs
// are made from the number of a contact, which is never given twice.
import { LicensePlateHistory } from '../../core/resources/license-plate-history.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../../core/resources/vehicle-advertisement-site.ts';
import { VehicleRoleLine } from '../../core/resources/vehicle-role-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { END, midnight } from './calendar.ts';
import { type ContactRecord, isPerson } from './contacts.ts';
import type { Draft, Part, RecordOf } from './drafts.ts';
import { CARS } from './goods.ts';
import { belgianPlate, dutchPlate, germanPlate, someLand, vin } from './identifiers.ts';
import { ADVERTS, COLOURS, LANDS, TRIMS } from './names.ts';
import { inTurn, type Random } from './random.ts';

const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD, DELIVERED, EXPORTED, SCRAPPED } = LISTS.stockstatuses;
const { OWNER, DRIVER, LEASE_COMPANY } = LISTS.vehicleroles;
const { MOPED } = LISTS.vehiclekinds;
const { MARGIN, VAT } = LISTS.taxkinds;
/** The states of bought cars, in turn. */
const BOUGHT = [STOCK, STOCK, STOCK, STOCK, STOCK, EXPECTED, DEMO, DELIVERED, EXPORTED, SCRAPPED];
const FOR_SALE: readonly number[] = [STOCK, DEMO];
const SITES = Object.values(LISTS.advertisementsites);
/** The own cars of a slice of few orders. Each has a mileage, so that even these orders have readings. */
export const FEWEST_OWN = 4;
/** The first bought cars and every fourth one had a plate abroad. */
const FIRST_IMPORTED = 3;
const SALEABLE = CARS.filter(({ kind, fuels }) => kind !== MOPED && fuels.length > 0);

export type VehicleRecord = RecordOf<typeof Vehicle>;

/** A car, and who comes with it. */
export interface Pair {
  readonly car: VehicleRecord;
  readonly contact: ContactRecord;
  /** The lease company that pays for the car. */
  readonly payer?: ContactRecord;
  /** The car that the buyer of this one traded in. */
  readonly traded?: VehicleRecord;
}
type Person = Omit<Pair, 'car'>;

/** The contact who gets the invoices. */
export const buyerOf = ({ contact, payer }: Person): ContactRecord => payer ?? contact;
export const isForSale = ({ car }: Pair): boolean => FOR_SALE.includes(car.stock_status);
export const isUnderMargin = ({ tax_kind }: VehicleRecord): boolean => tax_kind === MARGIN;

/** A customer's own car, registered before that year; the `nth` of a slice. The first ones have a mileage. */
export function addOwnCar(part: Part, person: Person, year: number, nth: number): Pair {
  const { car } = newCar(part.random, person.contact, year - 1, nth < FEWEST_OWN ? SALEABLE : CARS);
  return add(part, person, { ...car, stock_status: CUSTOMER });
}

/** A car that the garage bought some months ago; the `nth` of a slice. Two in three of those for sale are published. */
export function addBoughtCar(part: Part, contact: ContactRecord, nth: number): Pair {
  const { drafts, random } = part;
  const draft = { ...garageCar(random, contact, END), stock_status: inTurn(BOUGHT, nth) };
  const pair = add(part, { contact }, draft);
  const { car } = pair;
  if (isForSale(pair) && nth % 3 < 2)
    Object.assign(car, { publish_status: 1, published_at: midnight(-random.whole(0, 19), END) });
  // Two sites; the next car has others.
  for (const site of isForSale(pair) ? [nth, nth + 1] : [])
    drafts.add(VehicleAdvertisementSite, {
      vehicle_id: car,
      site_kind: inTurn(SITES, site),
      price: car.sale_price,
      title: `${car.make} ${car.model} ${car.version_name} ✨`,
      deeplink: `https://www.occasions.example/${car.license_plate.replaceAll(' ', '-')}`,
      publish_from: midnight(-60, END),
    });
  if (nth < FIRST_IMPORTED || nth % 4 === 0)
    drafts.add(LicensePlateHistory, {
      vehicle_id: car,
      license_plate: germanPlate(serialOf(contact), random),
      changed_at: draft.purchase_date,
    });
  return pair;
}

/**
 * A car that the garage buys at that time, numbered after `newcomer`. A private person sells under the margin scheme, a
 * company with VAT.
 */
export function addPurchasedCar(part: Part, contact: ContactRecord, at: Date, newcomer: ContactRecord) {
  const tax_kind = isPerson(contact) ? MARGIN : VAT;
  const car = garageCar(part.random, newcomer, END, databaseTime(at));
  return add(part, { contact }, { ...car, stock_status: STOCK, tax_kind });
}

/** A car that the garage sells at that time, numbered after `newcomer`; to a dealer abroad with VAT. */
export function addSoldCar(part: Part, person: Person, at: Date, newcomer: ContactRecord): Pair {
  const car = garageCar(part.random, newcomer, at);
  const tax_kind = person.contact === newcomer ? car.tax_kind : VAT;
  return add(part, person, { ...car, stock_status: SOLD, tax_kind }, at);
}

/** One owner. A sold car has it since the sale, and a bought car had it until the garage bought the car. */
function add({ drafts }: Part, person: Person, draft: Draft<typeof Vehicle>, soldAt?: Date): Pair {
  const car = drafts.add(Vehicle, draft);
  const { contact, payer } = person;
  const start_date = soldAt ? databaseTime(soldAt) : (car.first_registration_date ?? undefined);
  const role = (role_kind: number, contact_id: ContactRecord, more: Draft<typeof VehicleRoleLine> = {}) => {
    const line = { vehicle_id: car, start_date, end_date: soldAt ? null : car.purchase_date };
    drafts.add(VehicleRoleLine, { ...line, contact_id, role_kind, ...more });
  };
  role(OWNER, buyerOf(person));
  if (payer) {
    role(LEASE_COMPANY, payer, { contract_number: `LC-${car.engine_number ?? 'zonder motor'}` });
    role(DRIVER, contact, { notes: 'Winterbanden inbegrepen ❄️' });
  }
  return { ...person, car };
}

const serialOf = ({ contact_number }: ContactRecord): number => Number(contact_number);

/** A car that the garage bought, some months before `until` unless the date is given. */
function garageCar(random: Random, numbered: ContactRecord, until: Date, bought?: string) {
  const purchase_date = bought ?? midnight(-random.whole(20, 120), until);
  // Old enough that the owner before the garage had it for a while.
  const { car, price } = newCar(random, numbered, Number(purchase_date.slice(0, 4)) - 2, SALEABLE);
  return {
    ...car,
    tax_kind: random.chance(0.75) ? MARGIN : VAT,
    purchase_date,
    purchase_price: `${Math.round(price * (0.6 + random.next() * 0.3))}`,
    sale_price: `${price}`,
    bpm_amount: random.chance(0.5) ? `${random.whole(120, 2200)}` : null,
    warranty_end_date: midnight(random.whole(90, 700), until),
    advert_text: random.pick(ADVERTS),
  };
}

/** A car of that year or an earlier one, and its worth in whole euros. One in twenty is a classic, or from abroad. */
function newCar(random: Random, numbered: ContactRecord, latestYear: number, all: typeof CARS) {
  const serial = serialOf(numbered);
  const known = all.filter(({ since }) => since <= latestYear);
  const { make, maker, model, since, kind, power_kw, price, fuels } = random.pick(known);
  const year = random.whole(random.chance(0.05) ? since : Math.max(since, 2005), latestYear);
  const age = END.getUTCFullYear() - year;
  const isDriven = fuels.length > 0;
  const land = someLand(random, 0.04);
  const plates = {
    NL: dutchPlate(serial, year, kind === MOPED),
    BE: belgianPlate(serial),
    DE: germanPlate(serial, random),
  };
  const car = {
    license_plate: plates[land],
    plate_country_id: LANDS[land].countryId,
    vin: year > 1980 ? vin(serial, maker, year) : null,
    vehicle_kind: kind,
    ...{ make, model, version_name: random.pick(TRIMS), color: random.pick(COLOURS) },
    fuel_kind: isDriven ? random.pick(fuels) : null,
    transmission_kind: isDriven ? random.pick(Object.values(LISTS.transmissionkinds)) : null,
    first_registration_date: midnight(random.whole(0, 364), new Date(Date.UTC(year, 0))),
    apk_expiry_date: kind === MOPED ? null : midnight(random.whole(-20, 400), END),
    mileage: isDriven ? Math.min(age, 16) * random.whole(4000, 19_000) : null,
    engine_number: isDriven ? random.filled(`${maker}######`) : null,
    power_kw: power_kw || null,
  };
  return { car, price: Math.max(900, Math.round((price * 0.86 ** age) / 50) * 50) };
}
