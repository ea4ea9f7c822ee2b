// VAT identification numbers, judged by their country prefix: Dutch and Belgian ones here, since jsvat passes
// Dutch numbers with remainder 10 and refuses Belgian ones that begin with 1; the rest of the EU by jsvat.

import { type Country, checkVAT, countries } from 'jsvat';

// GR stands here to be refused: Greek numbers begin with EL.
const EU_PREFIXES = 'AT BG CY CZ DE DK EE EL ES FI FR GR HR HU IE IT LT LU LV MT PL PT RO SE SI SK'.split(
  ' ',
);

const CHECKS = new Map<string, (number: string) => boolean>([
  ...EU_PREFIXES.map((prefix) => [prefix, checkOf(prefix)] as const),
  ['NL', isDutch],
  ['BE', isBelgian],
]);

/**
 * A VAT number with its country prefix, in capitals without spaces, dots and dashes. Dutch numbers pass
 * mod 11 or mod 97 (specification, "Custom validations"), others of the EU their country's check; a number of
 * another country is two letters and 2 to 12 letters or digits. Undefined where it does not fit.
 */
export function normaliseVatNumber(text: string): string | undefined {
  if (!/^[A-Za-z0-9 .-]+$/.test(text)) return undefined;
  const number = text.replace(/[ .-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}[A-Z0-9]{2,12}$/.test(number)) return undefined;
  const check = CHECKS.get(number.slice(0, 2));
  return check === undefined || check(number) ? number : undefined;
}

function isDutch(number: string): boolean {
  const [, digits] = /^NL(?!0{9})(\d{9})B(?!00)\d{2}$/.exec(number) ?? [];
  return digits !== undefined && (passesMod11(digits) || passesMod97(number));
}

/** Weights 9 down to 2, and the last digit counts −1. */
function passesMod11(digits: string): boolean {
  const weighted = [...digits].map((digit, place) => Number(digit) * (place === 8 ? -1 : 9 - place));
  return weighted.reduce((sum, one) => sum + one) % 11 === 0;
}

/** The whole number with A as 10 to Z as 35 leaves 1, as in an IBAN; private traders have it since 2020. */
function passesMod97(number: string): boolean {
  const numeric = number.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return BigInt(numeric) % 97n === 1n;
}

function isBelgian(number: string): boolean {
  const [, body, check] = /^BE(0?[1-9]\d{6}|1\d{7})(\d{2})$/.exec(number) ?? [];
  return body !== undefined && 97 - (Number(body) % 97) === Number(check);
}

function checkOf(prefix: string): (number: string) => boolean {
  const country = countries.find((one) => codesOf(one).includes(prefix));
  if (country === undefined) throw new Error(`jsvat does not know ${prefix}`);
  return (number) => checkVAT(number, [country]).isValid;
}

function codesOf(country: Country): readonly string[] {
  return country.name === 'Greece' ? ['GR', 'EL'] : country.codes;
}
