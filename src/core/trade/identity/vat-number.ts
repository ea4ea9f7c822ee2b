// Checks VAT numbers by their country prefix. jsvat checks the EU except the Netherlands and Belgium: jsvat accepts
// Dutch numbers with remainder 10 and refuses Belgian numbers that begin with 1. This file checks those two.

import { type Country, checkVAT, countries } from 'jsvat';

// jsvat refuses every number that begins with GR: Greek numbers begin with EL.
const EU_PREFIXES = new Set(
  'AT BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT PL PT RO SE SI SK'.split(' '),
);

/**
 * A VAT number with its country prefix, in capitals without spaces, dots and dashes. A Dutch number passes
 * mod 11 or mod 97 (specification, "Custom validations"); another EU number passes the check of its country.
 * A number of any other country that exists has two letters and 2 to 12 letters or digits. Undefined for other text.
 */
export function normaliseVatNumber(text: string): string | undefined {
  if (!/^[A-Za-z0-9 .-]+$/.test(text)) return undefined;
  const number = text.replace(/[ .-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}[A-Z0-9]{2,12}$/.test(number)) return undefined;
  return fitsCountry(number) ? number : undefined;
}

/** Whether the number is one of an EU country other than `home`, an ISO code. Northern Ireland counts for goods. */
export function isEuVatNumber(number: string, home: string): boolean {
  const prefix = number.slice(0, 2);
  const isEu = EU_PREFIXES.has(prefix) || prefix === 'NL' || prefix === 'BE' || prefix === 'XI';
  return isEu && prefix !== (home === 'GR' ? 'EL' : home);
}

function fitsCountry(number: string): boolean {
  const prefix = number.slice(0, 2);
  if (prefix === 'NL') return isDutch(number);
  if (prefix === 'BE') return isBelgian(number);
  return EU_PREFIXES.has(prefix) ? checkVAT(number, [countryOf(prefix)]).isValid : isCountry(prefix);
}

/** Northern Ireland has a prefix of its own; ZZ and EU are names of no country. */
function isCountry(prefix: string): boolean {
  // Made at first use, so that the import computes nothing.
  regions ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return prefix === 'XI' || (!['ZZ', 'EU', 'EZ', 'UN'].includes(prefix) && regions.of(prefix) !== undefined);
}

let regions: Intl.DisplayNames | undefined;

function isDutch(number: string): boolean {
  const [, digits] = /^NL(?!0{9})(\d{9})B(?!00)\d{2}$/.exec(number) ?? [];
  return digits !== undefined && (passesMod11(digits) || passesMod97(number));
}

/** The digits have the weights 9 down to 2, and the last digit has the weight −1. */
function passesMod11(digits: string): boolean {
  const weighted = [...digits].map((digit, place) => Number(digit) * (place === 8 ? -1 : 9 - place));
  return weighted.reduce((sum, one) => sum + one) % 11 === 0;
}

/** As in an IBAN: letters count 10 (A) to 35 (Z), and the remainder is 1. Sole traders have such numbers since 2020. */
function passesMod97(number: string): boolean {
  const numeric = number.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(numeric) % 97n === 1n;
}

function isBelgian(number: string): boolean {
  const [, body, check] = /^BE(0?[1-9]\d{6}|1\d{7})(\d{2})$/.exec(number) ?? [];
  return body !== undefined && 97 - (Number(body) % 97) === Number(check);
}

function countryOf(prefix: string): Country {
  const country = countries.find((one) => codesOf(one).includes(prefix));
  if (country === undefined) throw new Error(`jsvat does not know ${prefix}`);
  return country;
}

function codesOf(country: Country): readonly string[] {
  return country.name === 'Greece' ? ['GR', 'EL'] : country.codes;
}
