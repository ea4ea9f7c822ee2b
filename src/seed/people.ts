// Names of people and the addresses they live at. A name and its e-mail address belong together.
import type { Stored } from '../model/field.ts';
import type { Land } from './identifiers.ts';
import { LAST_NAMES, STREETS, TOWNS, type Town } from './names.ts';
import type { Random } from './random.ts';

const POSTCODE_LETTERS = 'ABCDEGHJKLMNPRTVWXZ';
const ADDITIONS = ['A', 'B', 'bis', '2 hoog', 'zw'];
export const COUNTRY_IDS: Readonly<Record<Land, number>> = { NL: 1, BE: 2, DE: 3 };

export interface PersonName {
  first_name: string;
  prefix: string | null;
  last_name: string;
}

export function personName(random: Random, land: Land, firstNames: readonly string[]): PersonName {
  const [prefix = '', last_name = ''] = random.pick(LAST_NAMES[land]).split('|');
  return { first_name: random.pick(firstNames), prefix: prefix || null, last_name };
}

/** `j.vandenberg@post.example`: no accents, since many mail servers refuse them. */
export function emailOf({ first_name, prefix, last_name }: PersonName, domain: string): string {
  return `${plain(first_name.charAt(0))}.${plain(`${prefix ?? ''}${last_name}`)}@${domain}`;
}

/** Small ASCII letters and digits only. */
export function plain(text: string): string {
  return text
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i')
    .replaceAll('œ', 'oe')
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');
}

/** The columns of an address, and the town for what else depends on it. */
export function addressIn(random: Random, land: Land): { columns: Record<string, Stored>; town: Town } {
  const town = random.pick(TOWNS[land]);
  const number = random.whole(town.from, town.to);
  const letter = () => POSTCODE_LETTERS.charAt(random.whole(0, POSTCODE_LETTERS.length - 1));
  return {
    town,
    columns: {
      street: random.pick(STREETS[land]),
      huisnummer: random.whole(1, 240),
      toevoeging: random.chance(0.12) ? random.pick(ADDITIONS) : null,
      postcode: land === 'NL' ? `${number} ${letter()}${letter()}` : String(number),
      city: town.city,
      country_id: COUNTRY_IDS[land],
    },
  };
}
