// Numbers with check digits and telephone numbers. A number is drawn again until the service's own check accepts it.
import { composeIBAN } from 'ibantools';
import { normaliseIban } from '../trade/identity/identifiers.ts';
import { normaliseVatNumber } from '../trade/identity/vat-number.ts';
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
