// Checks identifiers of people, companies and vehicles. Only form and check digits count; no register is asked.
// A `normalise` function returns the form to store, or undefined. An `is` function judges the text unchanged.

import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { IANAZone } from 'luxon';

/** An IBAN in capitals without spaces and dashes. Undefined if the country, length or check digits are wrong. */
export function normaliseIban(text: string): string | undefined {
  const iban = /^[A-Za-z0-9 -]+$/.test(text) ? electronicFormatIBAN(text) : null;
  return iban !== null && isValidIBAN(iban) ? iban : undefined;
}

/** A vehicle identification number in capitals: 17 letters and digits without I, O and Q. */
export function normaliseVin(text: string): string | undefined {
  return /^[A-HJ-NPR-Z0-9]{17}$/i.test(text) ? text.toUpperCase() : undefined;
}

/** A Dutch trade register (KvK) number: 8 digits. */
export function isKvkNumber(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/** An e-mail address of at most 150 characters. The domain has a dot and may contain letters of any script. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && [...text].length <= 150 && isLocalPart(local) && isDomain(domain);
}

/** A web address with http, https or no scheme (`www.garage.nl`). It has no user, and its host has a dot. */
export function isUrl(text: string): boolean {
  if (/[\s<>"\\]/.test(text)) return false;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // After `http://`, `mailto:anna@garage.nl` parses as a user, a password and a host.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false;
  // URL reads `12345` as the IP address 0.0.48.57. An IP address counts only if the text contains it.
  return isDomain(hostname) || (/^[\d.]+$/.test(hostname) && address.includes(`//${hostname}`));
}

/** The name of a time zone in the IANA database, such as `Europe/Amsterdam`. */
export function isTimezone(text: string): boolean {
  return IANAZone.isValidZone(text);
}

/** A language, with or without a region: `nl`, `en`, `nl-NL`. */
export function isLanguage(text: string): boolean {
  // Made at first use, so that the import computes nothing.
  languages ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  return /^[a-z]{2}(-[A-Z]{2})?$/.test(text) && languages.of(text) !== undefined;
}

let languages: Intl.DisplayNames | undefined;

function isLocalPart(text: string): boolean {
  return text.length <= 64 && text.split('.').every((atom) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(atom));
}

function isDomain(text: string): boolean {
  const labels = text.split('.');
  const top = labels.at(-1) ?? '';
  return labels.length > 1 && labels.every(isLabel) && !/^\d*$/.test(top);
}

function isLabel(text: string): boolean {
  return /^[\p{L}\p{N}]([\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?$/u.test(text);
}
