// Addresses on the Peppol network: `scheme:value`. The scheme is a code of the European Commission's list EAS
// (electronic address schemes). The value is checked where Peppol refuses a wrong one, and where it is Dutch.
import { normaliseVatNumber } from './vat-number.ts';

/** The codes of four digits that Peppol takes, of November 2026. */
const SCHEMES = new Set(
  (
    '0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 0195 0196 0198 0199 ' +
    '0200 0201 0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 ' +
    '9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 ' +
    '9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959'
  ).split(' '),
);

export const KVK_SCHEME = '0106';
export const OIN_SCHEME = '0190';

/** The address without blanks around it. Undefined if the scheme is unknown or the value does not fit the scheme. */
export function normalisePeppolId(text: string): string | undefined {
  const [, scheme = '', value = ''] = /^(\d{4}):([!-~]{1,55})$/.exec(text.trim()) ?? [];
  const fits = VALUES[scheme] ?? (() => true);
  return SCHEMES.has(scheme) && fits(value) ? `${scheme}:${value}` : undefined;
}

/** Both halves of an address in its stored form. */
export function splitPeppolId(address: string): { scheme: string; value: string } {
  const [scheme = '', ...rest] = address.split(':');
  return { scheme, value: rest.join(':') };
}

const digits = (count: number) => new RegExp(`^\\d{${count}}$`);

const VALUES: Readonly<Record<string, (value: string) => boolean>> = {
  // Sweden: the number within the Swedish VAT number.
  '0007': (value) => digits(10).test(value) && normaliseVatNumber(`SE${value}01`) !== undefined,
  // GLN of GS1.
  '0088': (value) => /^\d{2,}$/.test(value) && remainder([...value].reverse().join(''), [1, 3], 10) === 0,
  // Denmark: P number, CVR and SE.
  '0096': (value) => digits(10).test(value),
  '0184': (value) => /^(DK)?\d{8}$/.test(value),
  '0198': (value) => /^DK\d{8}$/.test(value),
  // The Netherlands: KvK, OIN and VAT number.
  [KVK_SCHEME]: (value) => digits(8).test(value),
  [OIN_SCHEME]: (value) => digits(20).test(value),
  '9944': (value) => /^NL/i.test(value) && normaliseVatNumber(value) === value.toUpperCase(),
  // Australia: 1 is taken from the first digit.
  '0151': (value) =>
    digits(11).test(value) && remainder(value, [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19], 89) === 10,
  // Norway.
  '0192': (value) => /^(?!0{9})\d{9}$/.test(value) && remainder(value, [3, 2, 7, 6, 5, 4, 3, 2, 1], 11) === 0,
  // Belgium: the number within the Belgian VAT number.
  '0208': (value) => digits(10).test(value) && normaliseVatNumber(`BE${value}`) !== undefined,
};

/** The sum of the digits, each times the weight of its place (the weights repeat), modulo `modulus`. */
const remainder = (value: string, weights: readonly number[], modulus: number): number =>
  [...value].reduce((sum, digit, place) => sum + Number(digit) * (weights[place % weights.length] ?? 0), 0) %
  modulus;
