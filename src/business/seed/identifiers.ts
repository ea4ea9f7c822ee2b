// Numbers with check digits, telephone numbers, license plates and vehicle identification numbers. A number is drawn
// again until the service's own check accepts it. Plates and VINs are made from a serial: no two serials give the same.
import { composeIBAN } from 'ibantools';
import { normaliseIban } from '../../core/trade/identity/identifiers.ts';
import { normaliseVatNumber } from '../../core/trade/identity/vat-number.ts';
import type { Land } from './names.ts';
import type { Random } from './random.ts';

const BANKS = {
  NL: ['INGB', 'RABO', 'ABNA', 'SNSB', 'TRIO', 'BUNQ', 'KNAB'],
  BE: ['001', '063', '310', '733'],
  DE: ['37040044', '30070010', '39050000'],
};
const ACCOUNT_DIGITS = { NL: 10, BE: 9, DE: 10 };

export function iban(random: Random, countryCode: Land): string {
  return drawn(normaliseIban, () => {
    const bban = random.pick(BANKS[countryCode]) + random.digits(ACCOUNT_DIGITS[countryCode]);
    return composeIBAN({ countryCode, bban }) ?? '';
  });
}

export function vatNumber(random: Random, land: Land): string {
  return drawn(normaliseVatNumber, () => {
    if (land === 'NL') return `NL${random.digits(9)}B01`;
    return land === 'BE' ? `BE0${random.digits(9)}` : `DE${random.digits(9)}`;
  });
}

function drawn(normalise: (text: string) => string | undefined, draw: () => string): string {
  for (;;) {
    const text = draw();
    if (normalise(text) === text) return text;
  }
}

/** An article's bar code: 13 digits, the last one is the check digit. */
export function ean(random: Random): string {
  const body = `87${random.digits(10)}`;
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const MOBILE = { NL: '+31 6', BE: '+32 47', DE: '+49 151' };

export const mobile = (random: Random, land: Land): string =>
  `${MOBILE[land]} ${random.whole(1, 5)}${random.digits(land === 'BE' ? 6 : 7)}`;

/** A number behind the area code of a town. */
export const phone = (random: Random, area: string): string =>
  `${area} ${random.whole(2, 8)}${random.digits(area.length > 6 ? 5 : 6)}`;

/** Without letters that could spell a word. */
const LETTERS = 'BDFGHJLNPRTXZ';
/** Shares no divisor with 2, 5 and 13: neighbouring serials lie far apart, and no two meet. */
const STRIDE = 611_953;

/** The shape of new plates up to each year. */
const SHAPES_OF_CARS = [
  [1965, 'XX-99-99'],
  [1973, '99-99-XX'],
  [1978, '99-XX-99'],
  [1991, 'XX-99-XX'],
  [1999, 'XX-XX-99'],
  [2005, '99-XX-XX'],
  [2008, '99-XXX-9'],
  [2015, '9-XXX-99'],
  [2019, 'XX-999-X'],
  [2023, 'X-999-XX'],
  [9999, 'XXX-99-X'],
] as const;
const SHAPES_OF_MOPEDS = ['X-99-XXX', '9-XX-999', '999-XX-9'];
const GERMAN_TOWNS = ['K', 'D', 'AC', 'MS', 'EMD', 'KLE'];
const MODEL_YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const PLANTS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** A Dutch plate in the shape of that year. Serials below 1,690,000 give no plate twice. */
export function dutchPlate(serial: number, year: number, isMoped = false): string {
  const ofMoped = SHAPES_OF_MOPEDS[serial % SHAPES_OF_MOPEDS.length];
  const ofCar = SHAPES_OF_CARS.find(([until]) => year <= until)?.[1];
  return fill((isMoped ? ofMoped : ofCar) ?? 'XXX-99-X', serial);
}

export const belgianPlate = (serial: number): string => fill('1-XXX-999', serial);

export const germanPlate = (serial: number, random: Random): string =>
  `${random.pick(GERMAN_TOWNS)}-${fill('XX 9999', serial).replace(/ 0+(?=\d)/, ' ')}`;

/** 17 characters: maker, type, model year, plant and serial. */
export function vin(serial: number, maker: string, year: number): string {
  const type = `ZZZ${LETTERS.charAt(serial % 13)}${serial % 9}Z`;
  const modelYear = MODEL_YEARS.charAt((year - 1980 + 60) % 30);
  const plant = PLANTS.charAt(Math.floor(serial / 1_000_000) % PLANTS.length);
  return `${maker}${type}${modelYear}${plant}${String(serial % 1_000_000).padStart(6, '0')}`;
}

/** Writes the serial into the free places of a shape; the 1 of a Belgian plate stays. */
function fill(shape: string, serial: number): string {
  const radixOf = (place: string) => (place === 'X' ? LETTERS.length : 10);
  const capacity = (shape.match(/[X9]/g) ?? []).reduce((all, place) => all * radixOf(place), 1);
  let left = (serial * STRIDE) % capacity;
  return shape.replace(/[X9]/g, (place) => {
    const digit = left % radixOf(place);
    left = Math.floor(left / radixOf(place));
    return place === 'X' ? LETTERS.charAt(digit) : String(digit);
  });
}
