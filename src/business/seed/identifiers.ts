// Numbers with check digits, telephone numbers, license plates and vehicle identification numbers. A number is drawn
// again until the service's own check accepts it. Plates and VINs are made from a serial: no two serials give the same.
import { composeIBAN } from 'ibantools';
import { normaliseIban } from '../../core/trade/identity/identifiers.ts';
import { DUTCH_SHAPES } from '../../core/trade/identity/license-plate.ts';
import { normaliseVatNumber } from '../../core/trade/identity/vat-number.ts';
import { LANDS, type Land } from './names.ts';
import { inTurn, type Random } from './random.ts';

export const iban = (random: Random, land: Land): string =>
  drawn(normaliseIban, () => {
    const bban = random.pick(LANDS[land].banks) + random.filled(LANDS[land].account);
    return composeIBAN({ countryCode: land, bban }) ?? '';
  });

export const vatNumber = (random: Random, land: Land): string =>
  drawn(normaliseVatNumber, () => random.filled(LANDS[land].vatNumber));

function drawn(normalise: (text: string) => string | undefined, draw: () => string): string {
  for (;;) {
    const text = draw();
    if (normalise(text) === text) return text;
  }
}

/** An article's bar code: 13 digits, the last one is the check digit. */
export function ean(random: Random): string {
  const body = random.filled('87##########');
  const sum = [...body].reduce((all, digit, place) => all + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

export const mobile = (random: Random, land: Land): string => random.filled(random.pick(LANDS[land].mobiles));

/** A number behind the area code of a town. */
export const phone = (random: Random, area: string): string =>
  random.filled(`${area} ${random.whole(2, 8)}${area.length > 6 ? '#####' : '######'}`);

/** Dutch, but with this probability from abroad. */
export const someLand = (random: Random, abroad: number): Land =>
  random.chance(abroad) ? random.pick(['BE', 'DE']) : 'NL';

/** Without letters that could spell a word. */
const LETTERS = 'BDFGHJLNPRTXZ';
/** Shares no divisor with 2, 5 and 13: neighbouring serials lie far apart, and no two meet. */
const STRIDE = 611_953;

/** The last years of all shapes of Dutch plates but the newest one; then come the shapes of mopeds. */
const LAST_YEARS = [1965, 1973, 1978, 1991, 1999, 2005, 2008, 2015, 2019, 2023];
const SHAPES_OF_MOPEDS = DUTCH_SHAPES.slice(LAST_YEARS.length + 1);
const GERMAN_TOWNS = ['K', 'D', 'AC', 'MS', 'EMD', 'KLE'];
const MODEL_YEARS = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const PLANTS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** A Dutch plate in the shape of that year. Serials below 1,690,000 give no plate twice. */
export function dutchPlate(serial: number, year: number, isMoped = false): string {
  const ofCar = inTurn(DUTCH_SHAPES, LAST_YEARS.filter((last) => last < year).length);
  return fill(isMoped ? inTurn(SHAPES_OF_MOPEDS, serial) : ofCar, serial);
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
