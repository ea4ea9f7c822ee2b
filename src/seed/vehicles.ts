// The cars that come with the customers of a slice, one for each: a car that the garage sold to them, one that it
// bought, or their own. Plates and VINs are made from the contact number, which is never given twice.
import { LicensePlateHistory } from '../resources/license-plate-history.ts';
import { Vehicle } from '../resources/vehicle.ts';
import { VehicleAdvertisementSite } from '../resources/vehicle-advertisement-site.ts';
import { VehicleRoleLine } from '../resources/vehicle-role-line.ts';
import { LISTS } from '../trade/lists.ts';
import { databaseTime } from '../trade/time/timestamp.ts';
import { END, midnight } from './calendar.ts';
import { CARS, COLOURS, TRIMS } from './cars.ts';
import type { ContactRecord } from './contacts.ts';
import { ADVERTS, LANDS } from './names.ts';
import { belgianPlate, dutchPlate, germanPlate, vin } from './plates.ts';
import type { Random } from './random.ts';
import type { Draft, RecordOf, Writer } from './writer.ts';

const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD, DELIVERED, EXPORTED, SCRAPPED } = LISTS.stockstatuses;
const { OWNER, DRIVER, LEASE_COMPANY } = LISTS.vehicleroles;
const { MOPED } = LISTS.vehiclekinds;
const { PERSON, COMPANY } = LISTS.contactkinds;
/** The states of bought cars, in turn. */
const BOUGHT = [STOCK, STOCK, STOCK, STOCK, STOCK, EXPECTED, DEMO, DELIVERED, EXPORTED, SCRAPPED];
const FOR_SALE: readonly number[] = [STOCK, DEMO];
const SITES = Object.values(LISTS.advertisementsites);
const FEWEST_BOUGHT = 3;
const LEASED = 0.06;

export type VehicleRecord = RecordOf<typeof Vehicle>;

/** A car, and who comes with it. A lease company pays for some. */
export interface Pair {
  readonly car: VehicleRecord;
  readonly contact: ContactRecord;
  readonly payer?: ContactRecord;
  /** The car that the buyer of this one traded in. */
  readonly traded?: VehicleRecord;
}

export interface Fleet {
  /** A pair for each sale. */
  readonly sold: readonly Pair[];
  /** A pair for each purchase, with the seller. */
  readonly purchased: readonly Pair[];
  /** The other cars that the garage bought. Some are for sale. */
  readonly bought: readonly Pair[];
  readonly own: readonly Pair[];
}

interface Need {
  readonly customers: readonly ContactRecord[];
  readonly leaseCompanies: readonly ContactRecord[];
  readonly dealers: readonly ContactRecord[];
  /** When a car is sold to a customer. */
  readonly sales: readonly Date[];
  /** When the garage buys a car. */
  readonly purchases: readonly Date[];
  /** The year in which the first of the customers comes. */
  readonly year: number;
}

export async function writeFleet(writer: Writer, random: Random, need: Need): Promise<Fleet> {
  const { customers, leaseCompanies, dealers, sales, year } = need;
  const tradeIns = tradeInsOf(customers, sales);
  const invoiced = [...purchasesOf(random, need), ...tradeIns];
  const firstBought = sales.length + invoiced.length;
  const firstOwn = firstBought + Math.max(FEWEST_BOUGHT, Math.round(customers.length / 4));
  const drafts = customers.map(({ contact_number }, index) => {
    const serial = Number(contact_number);
    const soldAt = sales[index];
    if (soldAt) {
      const car = garageCar(random, serial, SOLD, soldAt);
      return isAbroad(index) ? { ...car, tax_kind: LISTS.taxkinds.VAT } : car;
    }
    const purchase = invoiced[index - sales.length];
    if (purchase) return purchasedCar(random, serial, purchase);
    if (index < firstOwn) return boughtCar(random, serial, index - firstBought);
    return { ...newCar(random, serial, year - 1, CARS).car, stock_status: CUSTOMER };
  });
  const cars = await writer.write(Vehicle, drafts);
  const pairs = cars.map((car, index): Pair => {
    // A lease company pays for the first car that a customer brings along, and for some others.
    const isLeased = index === firstOwn || (index > firstOwn && random.chance(LEASED));
    const payer = isLeased ? random.pick(leaseCompanies) : undefined;
    const buyer = index < sales.length && isAbroad(index) ? dealers[placeOf(index)] : customers[index];
    const contact = invoiced[index - sales.length]?.seller ?? (buyer as ContactRecord);
    const tradeIn = tradeIns.findIndex(({ sale }) => sale === index);
    const traded = tradeIn < 0 ? undefined : cars[firstBought - tradeIns.length + tradeIn];
    return { car, contact, payer, traded };
  });
  const bought = pairs.slice(firstBought, firstOwn);
  await writer.write(
    VehicleRoleLine,
    pairs.flatMap((pair, index) => roleLines(pair, sales[index])),
  );
  await writer.write(VehicleAdvertisementSite, bought.filter(isForSale).flatMap(adverts));
  const imported = bought.slice(0, Math.max(FEWEST_BOUGHT, bought.length / 4)).map(({ car, contact }) => ({
    vehicle_id: car.id,
    license_plate: germanPlate(Number(contact.contact_number), random),
    changed_at: car.purchase_date ?? undefined,
  }));
  await writer.write(LicensePlateHistory, imported);
  return {
    sold: pairs.slice(0, sales.length),
    purchased: pairs.slice(sales.length, firstBought - tradeIns.length),
    bought,
    own: pairs.slice(firstOwn),
  };
}

/** A car that comes into stock by an invoice. */
interface Purchase {
  readonly seller: ContactRecord;
  readonly at: Date;
}

/** The places of the dealers among six sales in a row. */
const DEALER_PLACES = [1, 3];
const placeOf = (sale: number): number => DEALER_PLACES.indexOf(sale % 6);
const isAbroad = (sale: number): boolean => placeOf(sale) >= 0;

/** A lease company, a company, a private person and the dealers abroad sell in turn. */
function purchasesOf(random: Random, { customers, leaseCompanies, dealers, purchases }: Need): Purchase[] {
  const of = (kind: number) => customers.filter(({ contact_kind }) => contact_kind === kind);
  const groups = [leaseCompanies, of(COMPANY), of(PERSON), ...dealers.map((dealer) => [dealer])];
  const sellers = groups.filter(({ length }) => length > 0);
  return purchases.map((at, nth) => ({
    seller: random.pick(sellers[nth % sellers.length] ?? customers),
    at,
  }));
}

/** Every second buyer trades a car in, if that is a private person. */
const tradeInsOf = (customers: readonly ContactRecord[], sales: readonly Date[]) =>
  sales.flatMap((at, sale): (Purchase & { readonly sale: number })[] => {
    const seller = customers[sale];
    return sale % 2 === 0 && seller?.contact_kind === PERSON ? [{ seller, at, sale }] : [];
  });

export const isForSale = ({ car }: Pair): boolean => FOR_SALE.includes(car.stock_status);

/** One owner. A sold car has it since the sale, and a bought car had it until the garage bought the car. */
function roleLines({ car, contact, payer }: Pair, soldAt?: Date): Draft<typeof VehicleRoleLine>[] {
  const line = {
    vehicle_id: car.id,
    start_date: soldAt ? databaseTime(soldAt) : (car.first_registration_date ?? undefined),
    end_date: soldAt ? null : car.purchase_date,
  };
  const owner = { ...line, contact_id: (payer ?? contact).id, role_kind: OWNER };
  if (!payer) return [owner];
  return [
    owner,
    { ...owner, role_kind: LEASE_COMPANY, contract_number: `LC-${car.engine_number ?? 'zonder motor'}` },
    { ...line, contact_id: contact.id, role_kind: DRIVER, notes: 'Winterbanden inbegrepen ❄️' },
  ];
}

/** Two sites; the next car has others. */
const adverts = ({ car }: Pair, index: number): Draft<typeof VehicleAdvertisementSite>[] =>
  [index, index + 1].map((place) => ({
    vehicle_id: car.id,
    site_kind: SITES[place % SITES.length],
    price: car.sale_price,
    title: `${car.make} ${car.model} ${car.version_name} ✨`,
    deeplink: `https://www.occasions.example/${car.license_plate.replaceAll(' ', '-')}`,
    publish_from: midnight(-60, END),
  }));

/** Two in three of the cars for sale are published. */
function boughtCar(random: Random, serial: number, nth: number): Draft<typeof Vehicle> {
  const stock_status = BOUGHT[nth % BOUGHT.length] ?? STOCK;
  const car = garageCar(random, serial, stock_status, END);
  const isPublished = FOR_SALE.includes(stock_status) && nth % 3 < 2;
  return isPublished ? { ...car, publish_status: 1, published_at: midnight(-random.whole(0, 19), END) } : car;
}

/** A private person sells under the margin scheme, a company with VAT. */
function purchasedCar(random: Random, serial: number, { seller, at }: Purchase): Draft<typeof Vehicle> {
  const tax_kind = seller.contact_kind === PERSON ? LISTS.taxkinds.MARGIN : LISTS.taxkinds.VAT;
  return { ...garageCar(random, serial, STOCK, END, databaseTime(at)), tax_kind };
}

/** A car that the garage bought, some months before `until` unless the date is given. */
function garageCar(
  random: Random,
  serial: number,
  stock_status: number,
  until: Date,
  purchase_date = midnight(-random.whole(20, 120), until),
): Draft<typeof Vehicle> {
  // Old enough that the owner before the garage had it for a while.
  const latestYear = Number(purchase_date.slice(0, 4)) - 2;
  const { car, price } = newCar(random, serial, latestYear, SALEABLE);
  const isMargin = random.chance(0.75);
  return {
    ...car,
    stock_status,
    tax_kind: isMargin ? LISTS.taxkinds.MARGIN : LISTS.taxkinds.VAT,
    purchase_date,
    purchase_price: `${Math.round(price * (0.6 + random.next() * 0.3))}`,
    sale_price: `${price}`,
    bpm_amount: random.chance(0.5) ? `${random.whole(120, 2200)}` : null,
    warranty_end_date: midnight(random.whole(90, 700), until),
    advert_text: random.pick(ADVERTS),
  };
}

const SALEABLE = CARS.filter(({ kind, fuels }) => kind !== MOPED && fuels.length > 0);

/** A car of that year or an earlier one, and its worth in whole euros. One in twenty is a classic. */
function newCar(random: Random, serial: number, latestYear: number, all: typeof CARS) {
  const model = random.pick(all.filter(({ since }) => since <= latestYear));
  const { make, maker, since, kind, power_kw, price, fuels } = model;
  const year = random.whole(random.chance(0.05) ? since : Math.max(since, 2005), latestYear);
  const age = END.getUTCFullYear() - year;
  const isDriven = fuels.length > 0;
  const two = (most: number) => String(random.whole(1, most)).padStart(2, '0');
  const car = {
    ...plate(random, serial, year, kind === MOPED),
    vin: year > 1980 ? vin(serial, maker, year) : null,
    vehicle_kind: kind,
    make,
    model: model.model,
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
