// Formats amounts, quantities, dates and addresses for Dutch and English readers. Decimals stay text: no
// amount is computed here.
import { LRUCache } from 'lru-cache';
import { DateTime } from 'luxon';
import { roundTo } from '../../../core/trade/decimal.ts';
import { DEFAULT_TIMEZONE } from '../../../core/trade/time/day.ts';
import type { Address, Decimal, Instant, Seller } from './data.ts';
import type { Language, Words } from './words/words.ts';

const LOCALES: Readonly<Record<Language, string>> = { nl: 'nl', en: 'en-GB' };

/** `1234.5` → `€ 1.234,50` or `€ 1,234.50`. */
export const euros = (amount: Decimal, language: Language): string => `€ ${money(amount, language)}`;

/** An amount without the euro sign, with 2 to 4 decimals. Only unit prices have more than 2. */
export function money(amount: Decimal, language: Language): string {
  const [whole = '', fraction = ''] = roundTo(amount, 4).split('.');
  return grouped(whole, fraction.replace(/0{1,2}$/, ''), language);
}

/** A quantity or a percentage, without trailing zeros. */
export function number(value: Decimal, language: Language): string {
  const [whole = '', fraction = ''] = roundTo(value, 4).split('.');
  return grouped(whole, fraction.replace(/0+$/, ''), language);
}

function grouped(whole: string, fraction: string, language: Language): string {
  const [thousands, point] = language === 'nl' ? ['.', ','] : [',', '.'];
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return fraction === '' ? digits : digits + point + fraction;
}

type Zone = Pick<Seller, 'timezone'>;

/** A day on the owner's calendar: `5 mei 2026`. */
export const day = (instant: Instant, { timezone }: Zone, language: Language): string =>
  dates(language, timezone).format(instantOf(instant).toMillis());

/** The day that many days later on the owner's calendar. */
export const dayAfter = (instant: Instant, days: number, zone: Zone, language: Language): string =>
  dates(language, zone.timezone).format(localOf(instant, zone).plus({ days }).toMillis());

export const dayAndTime = (instant: Instant, zone: Zone, language: Language): string =>
  `${day(instant, zone, language)}, ${localOf(instant, zone).toFormat('HH:mm')}`;

/** Text of the database has no time zone, and means UTC. */
export const instantOf = (instant: Instant): DateTime =>
  DateTime.fromISO(instant.replace(' ', 'T'), { zone: 'utc' });

/** A day on the owner's calendar, `2026-05-06`. */
export const isoDay = (instant: Instant, zone: Zone): string => localOf(instant, zone).toFormat('yyyy-MM-dd');

/** The instant on the owner's calendar. */
const localOf = (instant: Instant, { timezone }: Zone): DateTime =>
  instantOf(instant).setZone(timezone || DEFAULT_TIMEZONE);

const formats = new LRUCache<string, Intl.DateTimeFormat>({ max: 50 });

/** Made once for a language and a time zone: to format a date by it takes a tenth of the time. */
function dates(language: Language, timezone: string | null): Intl.DateTimeFormat {
  const timeZone = timezone || DEFAULT_TIMEZONE;
  const key = `${language} ${timeZone}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone,
  });
  formats.set(key, made);
  return made;
}

/** `IBAN NL91 ABNA 0417 1643 00 (BIC ABNANL2A)`; empty without an account. */
export function accountOf({ iban, bic }: Seller, words: Words): string {
  return iban ? `${words.iban} ${iban.replace(/.{4}(?=.)/g, '$& ')}${bic ? ` (BIC ${bic})` : ''}` : '';
}

/** Who the seller is by law. */
export const legalNameOf = ({ legal_name, name }: Seller): string => (legal_name?.trim() ? legal_name : name);

/** The lines of an address. `country` is given only if the other party is in another country. */
export function addressLines(address: Address, country: string | undefined, language: Language): string[] {
  const { street, huisnummer, toevoeging, postcode, city } = address;
  const house = `${huisnummer ?? ''}${separator(toevoeging)}${toevoeging ?? ''}`;
  const name = country && new Intl.DisplayNames([language], { type: 'region' }).of(country);
  return [joined(street, house), joined(postcode, city), name ?? ''].filter((line) => line !== '');
}

const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(' ');

/** 7A, 7-2, 7 bis. */
function separator(toevoeging: string | null): string {
  if (!toevoeging || /^[A-Za-z]$/.test(toevoeging)) return '';
  return /^\d/.test(toevoeging) ? '-' : ' ';
}
