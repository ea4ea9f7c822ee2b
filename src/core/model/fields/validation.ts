// The custom validations that fields name. Each also brings the value into the form in which it is stored.
import {
  isEmail,
  isKvkNumber,
  isLanguage,
  isTimezone,
  isUrl,
  normaliseIban,
  normaliseVin,
} from '../../trade/identity/identifiers.ts';
import { normaliseDutchPlate, normaliseForeignPlate } from '../../trade/identity/license-plate.ts';
import { normalisePeppolId } from '../../trade/identity/peppol-id.ts';
import { normaliseDutchPostcode } from '../../trade/identity/postcode.ts';
import { isPrintable } from '../../trade/identity/printable.ts';
import { normaliseUsername, usernamesOf } from '../../trade/identity/username.ts';
import { normaliseVatNumber } from '../../trade/identity/vat-number.ts';
import { parseWebhookUrl } from '../../trade/identity/webhook-url.ts';
import { isVatCodes } from '../../trade/package-vat-codes.ts';
import { looksLikePicture, PICTURE } from '../../trade/picture/picture.ts';
import { isClockTime } from '../../trade/time/wall-clock.ts';
import type { Row } from './field.ts';
import type { Validation } from './options.ts';

/** The country of Dutch plates and postcodes, also if no country is given. */
export const NETHERLANDS = 1;

const isDutch = (country: Row[string] | undefined) => country == null || country === NETHERLANDS;
const check = (holds: (value: string) => boolean) => (value: string) => (holds(value) ? value : undefined);

export const EMAIL: Validation = { name: 'email', normalise: check(isEmail) };
export const WEB_ADDRESS: Validation = { name: 'url', normalise: check(isUrl) };
/** Checks the form only. The caller also checks where the address leads. */
export const WEBHOOK_URL: Validation = {
  name: 'https, publicly accessible',
  normalise: check((value) => parseWebhookUrl(value) !== undefined),
};
/** Refuses every address, as WEBHOOK_URL refuses a malformed one: for an address that leads to no public place. */
export const NO_WEBHOOK_URL: Validation = { ...WEBHOOK_URL, normalise: () => undefined };
export const TIMEZONE: Validation = { name: 'timezone', normalise: check(isTimezone) };
export const LANGUAGE: Validation = { name: 'language', normalise: check(isLanguage) };
/** Documents can print every character. */
export const PRINTABLE: Validation = { name: 'printable', normalise: check(isPrintable) };
export const KVK_NUMBER: Validation = { name: 'kvk_number', normalise: check(isKvkNumber) };
export const IBAN: Validation = { name: 'iban', normalise: normaliseIban };
export const VAT_NUMBER: Validation = { name: 'vat_number', normalise: normaliseVatNumber };
export const PEPPOL_ID: Validation = { name: 'peppol_id', normalise: normalisePeppolId };
/** The text of a JSON object, such as `{"1": "VH"}`. */
export const VAT_CODES: Validation = { name: 'vat codes', normalise: check(isVatCodes) };
/** The description of the fields that PEPPOL_ID checks. */
export const PEPPOL_ADDRESS = 'Address on the Peppol network, `scheme:value`, such as `0106:12345678`';
/** Checks only how the file begins. The caller also decodes the file. */
export const LOGO: Validation = { name: PICTURE, normalise: check(looksLikePicture) };
export const COLOR: Validation = {
  name: '#rrggbb',
  normalise: (value) => (/^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : undefined),
};
/** A time of a day, 00:00 to 24:00. */
export const CLOCK_TIME: Validation = { name: 'HH:MM', normalise: check(isClockTime) };
/** The week, 01 to 53, and the year in which a tyre was made. */
export const DOT: Validation = {
  name: 'dot',
  normalise: check((value) => /^(?:0[1-9]|[1-4]\d|5[0-3])\d\d$/.test(value)),
};
export const VIN: Validation = { name: 'vin', normalise: normaliseVin };

const foreignPostcode = (value: string) => value.trim().toUpperCase();

export const POSTCODE: Validation = {
  name: 'postcode',
  dependsOn: 'country_id',
  normalise: (value, { country_id }) =>
    isDutch(country_id) ? normaliseDutchPostcode(value) : foreignPostcode(value),
  otherForms: (text) => [foreignPostcode(text)],
};

export const LICENSE_PLATE: Validation = {
  name: 'license_plate',
  dependsOn: 'plate_country_id',
  normalise: (value, { plate_country_id }) =>
    isDutch(plate_country_id) ? normaliseDutchPlate(value) : normaliseForeignPlate(value),
  otherForms: (text) => [normaliseForeignPlate(text) ?? text],
};

export const PASSWORD: Validation = {
  name: 'minimum 12 characters',
  normalise: check((value) => Array.from(value).length >= 12),
};

/** An empty username is none. */
export const USERNAME: Validation = {
  name: 'username',
  normalise: (value) => (value === '' ? '' : normaliseUsername(value)),
  formsOf: usernamesOf,
};
