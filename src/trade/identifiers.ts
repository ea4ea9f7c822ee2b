// What identifies people, firms and vehicles: form and check digits only, nobody is asked whether it exists.
// A normalise function returns the form to store, or undefined; an is function judges the text as it stands.

import { electronicFormatIBAN, isValidIBAN } from 'ibantools';
import { IANAZone } from 'luxon';

export { normaliseVatNumber } from './vat-number.ts';

/** An IBAN in capitals without spaces and dashes; undefined where country, length or check digits fail. */
export function normaliseIban(text: string): string | undefined {
  const iban = /^[A-Za-z0-9 -]+$/.test(text) ? electronicFormatIBAN(text) : null;
  return iban !== null && isValidIBAN(iban) ? iban : undefined;
}

/** A vehicle identification number in capitals: 17 letters and digits without I, O and Q. */
export function normaliseVin(text: string): string | undefined {
  return /^[A-HJ-NPR-Z0-9]{17}$/i.test(text) ? text.toUpperCase() : undefined;
}

/** Whether the text is a vehicle identification number in its stored form, in capitals. */
export function isVin(text: string): boolean {
  return normaliseVin(text) === text;
}

/** A number of the Dutch trade register: 8 digits. */
export function isKvkNumber(text: string): boolean {
  return /^\d{8}$/.test(text);
}

/** An e-mail address of at most 150 characters; the domain has a dot and may hold any letters. */
export function isEmail(text: string): boolean {
  const [local = '', domain = '', ...rest] = text.split('@');
  return rest.length === 0 && [...text].length <= 150 && isLocalPart(local) && isDomain(domain);
}

/** A web address, http, https or without a scheme (`www.garage.nl`), without a user; its host has a dot. */
export function isUrl(text: string): boolean {
  if (/[\s<>"\\]/.test(text)) return false;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return false;
  const { protocol, hostname, username, password } = new URL(address);
  // Without a scheme, `mailto:anna@garage.nl` would pass for a user, a password and a host.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return false;
  // URL reads `12345` as the address 0.0.48.57: an IP address counts only as it was written.
  return isDomain(hostname) || (/^[\d.]+$/.test(hostname) && address.includes(`//${hostname}`));
}

/** The name of a time zone in the IANA database, `Europe/Amsterdam`. */
export function isTimezone(text: string): boolean {
  return IANAZone.isValidZone(text);
}

/** A language, with or without a region: `nl`, `en`, `nl-NL`. */
export function isLanguage(text: string): boolean {
  return /^[a-z]{2}(-[A-Z]{2})?$/.test(text) && LANGUAGES.of(text) !== undefined;
}

const LANGUAGES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

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
