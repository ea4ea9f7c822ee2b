// Cars with their owners: a car of a customer, or a car that the garage bought, has in stock or sold. Plates and VINs
// are made from the number of a contact, which is never given twice.
import { LicensePlateHistory } from '../../core/resources/license-plate-history.ts';
import { Vehicle } from '../../core/resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../../core/resources/vehicle-advertisement-site.ts';
import { VehicleRoleLine } from '../../core/resources/vehicle-role-line.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { databaseTime } from '../../core/trade/time/timestamp.ts';
import { END, midnight } from './calendar.ts';
import { CARS, COLOURS, TRIMS } from './cars.ts';
import type { ContactRecord } from './contacts.ts';
import type { Draft, Part, RecordOf } from './drafts.ts';
import { belgianPlate, dutchPlate, germanPlate, vin } from './identifiers.ts';
import { ADVERTS, LANDS } from './names.ts';
import type { Random } from './random.ts';

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

/** A car, and who comes with it. A lease company pays for some. */
export interface Pair {
  readonly car: VehicleRecord;
  readonly contact: ContactRecord;
  readonly payer?: ContactRecord;
  /** The car that the buyer of this one traded in. */
  readonly traded?: VehicleRecord;
}

export const isForSale = ({ car }: Pair): boolean => FOR_SALE.includes(car.stock_status);

/** A customer's own car, registered before that year; the `nth` of a slice. The first ones have a mileage. */
export function addOwnCar(part: Part, pair: Omit<Pair, 'car'>, year: number, nth: number): Pair {
  const models = nth < FEWEST_OWN ? SALEABLE : CARS;
  const { car } = newCar(part.random, serialOf(pair.contact), year - 1, models);
  return add(part, pair, { ...car, stock_status: CUSTOMER });
}

/** A car that the garage bought some months ago; the `nth` of a slice. Two in three of those for sale are published. */
export function addBoughtCar(part: Part, contact: ContactRecord, nth: number): Pair {
  const { drafts, random } = part;
  const stock_status = BOUGHT[nth % BOUGHT.length] ?? STOCK;
  const isPublished = FOR_SALE.includes(stock_status) && nth % 3 < 2;
  const pair = add(
    part,
    { contact },
    {
      ...garageCar(random, serialOf(contact), END),
      stock_status,
      ...(isPublished && { publish_status: 1, published_at: midnight(-random.whole(0, 19), END) }),
    },
  );
  const { car } = pair;
  if (isForSale(pair))
    // Two sites; the next car has others.
    for (const site of [nth, nth + 1])
      drafts.add(VehicleAdvertisementSite, {
        vehicle_id: car,
        site_kind: SITES[site % SITES.length],
        price: car.sale_price,
        title: `${car.make} ${car.model} ${car.version_name} ✨`,
        deeplink: `https://www.occasions.example/${car.license_plate.replaceAll(' ', '-')}`,
        publish_from: midnight(-60, END),
      });
  if (nth < FIRST_IMPORTED || nth % 4 === 0)
    drafts.add(LicensePlateHistory, {
      vehicle_id: car,
      license_plate: germanPlate(serialOf(contact), random),
      changed_at: car.purchase_date ?? undefined,
    });
  return pair;
}

/** A car that the garage buys at that time. A private person sells under the margin scheme, a company with VAT. */
export function addPurchasedCar(part: Part, contact: ContactRecord, at: Date, serial: number): Pair {
  const tax_kind = contact.contact_kind === LISTS.contactkinds.PERSON ? MARGIN : VAT;
  const car = garageCar(part.random, serial, END, databaseTime(at));
  return add(part, { contact }, { ...car, stock_status: STOCK, tax_kind });
}

/** A car that the garage sells at that time; abroad with VAT. */
export function addSoldCar(
  part: Part,
  pair: Omit<Pair, 'car'>,
  at: Date,
  isAbroad: boolean,
  serial: number,
): Pair {
  const car = { ...garageCar(part.random, serial, at), stock_status: SOLD };
  return add(part, pair, isAbroad ? { ...car, tax_kind: VAT } : car, at);
}

/** One owner. A sold car has it since the sale, and a bought car had it until the garage bought the car. */
function add({ drafts }: Part, pair: Omit<Pair, 'car'>, draft: Draft<typeof Vehicle>, soldAt?: Date): Pair {
  const car = drafts.add(Vehicle, draft);
  const { contact, payer } = pair;
  const line = {
    vehicle_id: car,
    start_date: soldAt ? databaseTime(soldAt) : (car.first_registration_date ?? undefined),
    end_date: soldAt ? null : car.purchase_date,
  };
  const owner = { ...line, contact_id: payer ?? contact, role_kind: OWNER };
  drafts.add(VehicleRoleLine, owner);
  if (payer) {
    const contract_number = `LC-${car.engine_number ?? 'zonder motor'}`;
    drafts.add(VehicleRoleLine, { ...line, contact_id: payer, role_kind: LEASE_COMPANY, contract_number });
    const notes = 'Winterbanden inbegrepen ❄️';
    drafts.add(VehicleRoleLine, { ...line, contact_id: contact, role_kind: DRIVER, notes });
  }
  return { ...pair, car };
}

export const serialOf = ({ contact_number }: ContactRecord): number => Number(contact_number);

/** A car that the garage bought, some months before `until` unless the date is given. */
function garageCar(
  random: Random,
  serial: number,
  until: Date,
  purchase_date = midnight(-random.whole(20, 120), until),
) {
  // Old enough that the owner before the garage had it for a while.
  const { car, price } = newCar(random, serial, Number(purchase_date.slice(0, 4)) - 2, SALEABLE);
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

/** A car of that year or an earlier one, and its worth in whole euros. One in twenty is a classic. */
function newCar(random: Random, serial: number, latestYear: number, all: typeof CARS) {
  const { make, maker, model, since, kind, power_kw, price, fuels } = random.pick(
    all.filter((one) => one.since <= latestYear),
  );
  const year = random.whole(random.chance(0.05) ? since : Math.max(since, 2005), latestYear);
  const age = END.getUTCFullYear() - year;
  const isDriven = fuels.length > 0;
  const two = (most: number) => String(random.whole(1, most)).padStart(2, '0');
  const car = {
    ...plate(random, serial, year, kind === MOPED),
    vin: year > 1980 ? vin(serial, maker, year) : null,
    vehicle_kind: kind,
    make,
    model,
    version_name: random.pick(TRIMS),
    fuel_kind: isDriven ? random.pick(fuels) : null,
    transmission_kind: isDriven ? random.pick(Object.values(LISTS.transmissionkinds)) : null,
    color: random.pick(COLOURS),
    first_registration_date: `${year}-${two(12)}-${two(28)} 00:00:00.000`,
    apk_expiry_date: kind === MOPED ? null : midnight(random.whole(-20, 400), END),
    mileage: isDriven ? Math.min(age, 16) * random.whole(4000, 19_000) : null,
    engine_number: isDriven ? `${maker}${random.digits(6)}` : null,
    power_kw: power_kw || null,
  };
  return { car, price: Math.max(900, Math.round((price * 0.86 ** age) / 50) * 50) };
}

/** One in twenty-five comes from abroad. */
function plate(random: Random, serial: number, year: number, isMoped: boolean) {
  const land = random.chance(0.04) ? random.pick(['BE', 'DE'] as const) : 'NL';
  const plates = {
    NL: dutchPlate(serial, year, isMoped),
    BE: belgianPlate(serial),
    DE: germanPlate(serial, random),
  };
  return { license_plate: plates[land], plate_country_id: LANDS[land].countryId };
}
