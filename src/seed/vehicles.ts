// Cars of customers and of the stock. Each has one owner line: its owner's, or, for a car that the garage
// has bought, that of the owner before, with an end.
import type { Stored } from '../model/field.ts';
import { LISTS } from '../trade/lists.ts';
import { daysAfterStart, daysBeforeEnd, midnightBefore } from './calendar.ts';
import { CLASSICS, COLOURS, MODELS, type Model } from './cars.ts';
import { type Draft, idOf } from './insert.ts';
import { COUNTRY_IDS } from './people.ts';
import { belgianPlate, dutchPlate, germanPlate, vin } from './plates.ts';
import type { Random } from './random.ts';

const { VAT, MARGIN } = LISTS.taxkinds;
const { CUSTOMER, STOCK, EXPECTED, DEMO, SOLD, DELIVERED, EXPORTED, SCRAPPED } = LISTS.stockstatuses;
const { MOPED, TRAILER } = LISTS.vehiclekinds;
const { PUBLISHED } = LISTS.publishstatuses;
const { MANUAL, AUTOMATIC } = LISTS.transmissionkinds;
const LAST_YEAR = 2026;
/** Each in turn: mostly on the lot, the rest on its way in or gone by another way than a sale seen here. */
const OF_STOCK = [STOCK, STOCK, STOCK, STOCK, STOCK, EXPECTED, DEMO, DELIVERED, EXPORTED, SCRAPPED];
const ON_THE_LOT: readonly number[] = [STOCK, DEMO];
const ADVERTS = [
  'Nette, dealeronderhouden auto met één eigenaar. Rookvrij, trekhaak, cruisecontrol 👍',
  'Zeer complete uitvoering! Apple CarPlay, stoelverwarming & parkeersensoren. Inruil mogelijk 🔁',
  'Première-uitvoering, eerste lak, géén schade. Kom gerust proefrijden — de koffie staat klaar ☕',
];

/** Somebody's car, for work in the garage; registered by the end of that year. */
export function customerVehicle(random: Random, serial: number, notAfter: number): Draft {
  const isClassic = random.chance(0.05);
  const model = random.pick(isClassic ? CLASSICS : MODELS);
  const year = isClassic ? random.whole(1958, 1998) : yearOf(random, model, 1999, notAfter);
  const car = vehicle(random, serial, model, year);
  return { ...car, stock_status: CUSTOMER };
}

/** A car that the garage owned and sold then. */
export function soldVehicle(random: Random, serial: number, soldAt: Date): Draft {
  return stockVehicle(random, serial, SOLD, midnightBefore(soldAt, random.whole(20, 120)));
}

/** The nth car that the garage owns, from 0. Two in three of those for sale are published. */
export function unsoldVehicle(random: Random, serial: number, nth: number): Draft {
  const stock_status = OF_STOCK[nth % OF_STOCK.length] ?? STOCK;
  const car = stockVehicle(random, serial, stock_status, daysBeforeEnd(random.whole(20, 300)));
  return isForSale(car) && nth % 3 < 2
    ? { ...car, publish_status: PUBLISHED, published_at: daysBeforeEnd(random.whole(0, 19)) }
    : car;
}

export const isForSale = ({ stock_status }: Draft): boolean => ON_THE_LOT.includes(Number(stock_status));

/** Whose car it is. To be called once both are written. */
export function ownerLine(random: Random, car: Draft, contact: Draft, since?: Stored): Draft {
  const first = String(car.first_registration_date);
  return {
    vehicle_id: idOf(car),
    contact_id: idOf(contact),
    role_kind: LISTS.vehicleroles.OWNER,
    start_date: since ?? laterOf(first, daysAfterStart(-random.whole(0, 1500))),
    end_date: null,
  };
}

/** Who had the car until the garage bought it. */
export function formerOwnerLine(car: Draft, contact: Draft): Draft {
  return {
    vehicle_id: idOf(car),
    contact_id: idOf(contact),
    role_kind: LISTS.vehicleroles.OWNER,
    start_date: car.first_registration_date ?? null,
    end_date: car.purchase_date ?? null,
  };
}

/** A car of a lease company, and who drives it. */
export function leaseLines(random: Random, car: Draft, company: Draft, driver: Draft): Draft[] {
  const owner = ownerLine(random, car, company);
  const contract_number = `LC-${random.whole(100_000, 999_999)}`;
  const { LEASE_COMPANY, DRIVER, INVOICE_PAYER } = LISTS.vehicleroles;
  return [
    owner,
    { ...owner, role_kind: LEASE_COMPANY, contract_number },
    { ...owner, role_kind: INVOICE_PAYER, contract_number },
    { ...owner, role_kind: DRIVER, contact_id: idOf(driver), notes: 'Winterbanden inbegrepen ❄️' },
  ];
}

function stockVehicle(random: Random, serial: number, stock_status: number, purchase_date: string): Draft {
  const model = random.pick(MODELS.filter(({ kind }) => kind !== MOPED && kind !== TRAILER));
  // Two years before it was bought at the latest, so that its owner until then comes before that.
  const year = yearOf(random, model, 2006, Number(purchase_date.slice(0, 4)) - 2);
  const age = LAST_YEAR - year;
  const price = Math.max(900, Math.round((model.price * 0.86 ** age) / 50) * 50);
  const isMargin = random.chance(0.75);
  return {
    ...vehicle(random, serial, model, year),
    stock_status,
    tax_kind: isMargin ? MARGIN : VAT,
    purchase_date,
    purchase_price: `${Math.round(price * ((isMargin ? 0.7 : 0.55) + random.next() * 0.22))}.00`,
    sale_price: `${price}.00`,
    bpm_amount: age < 8 ? `${random.whole(120, 2200)}.00` : null,
    warranty_end_date: random.chance(0.5) ? daysBeforeEnd(-random.whole(90, 700)) : null,
    advert_text: random.pick(ADVERTS),
  };
}

function vehicle(random: Random, serial: number, model: Model, year: number): Draft {
  const isMoped = model.kind === MOPED;
  const isDriven = model.kind !== TRAILER;
  const fuel_kind = isDriven ? random.pick(model.fuels) : null;
  const isElectric = fuel_kind === LISTS.fuelkinds.ELECTRIC;
  const yearsDriven = Math.min(LAST_YEAR - year, 16);
  return {
    ...plate(random, serial, year, isMoped),
    vin: year > 1980 ? vin(serial, model.maker, year) : null,
    vehicle_kind: model.kind,
    make: model.make,
    model: model.model,
    version_name: random.pick(model.versions),
    fuel_kind,
    transmission_kind: !isDriven ? null : isElectric || random.chance(0.35) ? AUTOMATIC : MANUAL,
    color: random.pick(COLOURS),
    first_registration_date: `${year}-${two(random.whole(1, 12))}-${two(random.whole(1, 28))} 00:00:00.000`,
    apk_expiry_date: isMoped ? null : daysBeforeEnd(random.whole(-400, 20)),
    mileage: isDriven ? yearsDriven * random.whole(4000, 19_000) + random.whole(5, 4000) : null,
    engine_number: isDriven && !isElectric ? `${model.maker}${random.whole(100_000, 999_999)}` : null,
    power_kw: model.powerKw || null,
  };
}

function plate(random: Random, serial: number, year: number, isMoped: boolean): Draft {
  const isForeign = random.chance(0.04);
  if (!isForeign) {
    return { license_plate: dutchPlate(serial, year, isMoped), plate_country_id: COUNTRY_IDS.NL };
  }
  return random.chance(0.5)
    ? { license_plate: belgianPlate(serial), plate_country_id: COUNTRY_IDS.BE }
    : { license_plate: germanPlate(serial, random), plate_country_id: COUNTRY_IDS.DE };
}

const yearOf = (random: Random, { since }: Model, from: number, to: number) =>
  random.whole(Math.min(Math.max(since, from), to), to);

/** Instants in the database's form sort as text. */
const laterOf = (one: string, other: string) => (one > other ? one : other);

const two = (value: number) => String(value).padStart(2, '0');
