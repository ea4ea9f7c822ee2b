// Numbers with check digits, as src/trade/identifiers.ts and banks judge them. They look real and belong,
// but by chance, to nobody.
import type { Random } from './random.ts';

const DUTCH_BANKS = ['INGB', 'RABO', 'RABO', 'ABNA', 'SNSB', 'TRIO', 'BUNQ', 'KNAB'];
const GERMAN_BANKS = ['37040044', '30070010', '39050000'];

export type Land = 'NL' | 'BE' | 'DE';

export function iban(random: Random, land: Land): string {
  const account = ACCOUNTS[land](random);
  const numeric = `${account}${land}00`.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  const check = 98n - (BigInt(numeric) % 97n);
  return `${land}${String(check).padStart(2, '0')}${account}`;
}

export function vatNumber(random: Random, land: Land): string {
  return `${land}${VAT_BODIES[land](random)}`;
}

export const kvkNumber = (random: Random): string => String(random.whole(10_000_000, 89_999_999));

/** An article's bar code: 13 digits, the last one a check of the others. */
export function ean(random: Random): string {
  const body = `87${digits(random, 10)}`;
  const sum = weighted(body, (place) => (place % 2 === 0 ? 1 : 3));
  return `${body}${(10 - (sum % 10)) % 10}`;
}

export function mobile(random: Random, land: Land): string {
  if (land === 'BE')
    return `+32 47${random.whole(0, 9)} ${digits(random, 2)} ${digits(random, 2)} ${digits(random, 2)}`;
  if (land === 'DE') return `+49 15${random.whole(1, 9)} ${digits(random, 7)}`;
  return `+31 6 ${random.whole(1, 5)}${digits(random, 7)}`;
}

/** A line at home or at work, behind the town's own area code. */
export const phone = (random: Random, area: string): string =>
  `${area} ${random.whole(2, 8)}${digits(random, area.length > 6 ? 5 : 6)}`;

const ACCOUNTS: Record<Land, (random: Random) => string> = {
  NL: (random) =>
    random.pick(DUTCH_BANKS) + passing(random, 9, (nine) => mod11(weighted(nine, (place) => 10 - place))),
  BE: (random) => {
    const ten = `${random.whole(1, 9)}${digits(random, 9)}`;
    return ten + String(Number(ten) % 97 || 97).padStart(2, '0');
  },
  DE: (random) => random.pick(GERMAN_BANKS) + digits(random, 10),
};

const VAT_BODIES: Record<Land, (random: Random) => string> = {
  NL: (random) => `${passing(random, 8, (eight) => weighted(eight, (place) => 9 - place) % 11)}B01`,
  BE: (random) => {
    const body = random.whole(2_000_000, 9_999_999);
    return `0${body}${String(97 - (body % 97)).padStart(2, '0')}`;
  },
  DE: (random) => {
    const body = String(random.whole(10_000_000, 99_999_999));
    let product = 10;
    for (const digit of body) product = (2 * ((Number(digit) + product) % 10 || 10)) % 11;
    return `${body}${(11 - product) % 10}`;
  },
};

/** Digits with a check digit behind them; drawn again where that would be 10. */
function passing(random: Random, length: number, checkOf: (body: string) => number): string {
  for (;;) {
    const body = `${random.whole(1, 9)}${digits(random, length - 1)}`;
    const check = checkOf(body);
    if (check < 10) return `${body}${check}`;
  }
}

/** What brings a sum to a multiple of 11, where the check digit counts once. */
const mod11 = (sum: number) => (11 - (sum % 11)) % 11;

const weighted = (body: string, weightOf: (place: number) => number) =>
  [...body].reduce((sum, digit, place) => sum + Number(digit) * weightOf(place), 0);

function digits(random: Random, count: number): string {
  return String(random.whole(0, 10 ** count - 1)).padStart(count, '0');
}
