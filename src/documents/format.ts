// Amounts, quantities, dates and addresses as a reader of Dutch or English expects them. Decimals stay text:
// nothing here computes.
import { DateTime } from 'luxon';
import { roundTo } from '../trade/decimal.ts';
import type { Address, Buyer, Decimal, Instant, Seller } from './data.ts';
import type { Language } from './words.ts';

const DEFAULT_TIMEZONE = 'Europe/Amsterdam';

/** `1234.5` → `€ 1.234,50` or `€ 1,234.50`. */
export const euros = (amount: Decimal, language: Language): string => `€ ${money(amount, language)}`;

/** As euros, without the sign; a price a piece keeps up to four decimals. */
export function money(amount: Decimal, language: Language): string {
  const [whole = '', fraction = ''] = roundTo(amount, 4).split('.');
  return grouped(whole, fraction.replace(/0{1,2}$/, ''), language);
}

/** A quantity or a percentage, without the zeros at its end. */
export function number(value: Decimal, language: Language): string {
  const [whole = '', fraction = ''] = roundTo(value, 4).split('.');
  return grouped(whole, fraction.replace(/0+$/, ''), language);
}

function grouped(whole: string, fraction: string, language: Language): string {
  const [thousands, point] = language === 'nl' ? ['.', ','] : [',', '.'];
  const digits = whole.replace(/\B(?=(\d{3})+$)/g, thousands);
  return fraction === '' ? digits : digits + point + fraction;
}

/** A day on the owner's calendar: `5 mei 2026`. */
export const day = (instant: Instant, { timezone }: Pick<Seller, 'timezone'>, language: Language): string =>
  local(instant, timezone).setLocale(language).toFormat('d MMMM yyyy');

export const dayAndTime = (
  instant: Instant,
  { timezone }: Pick<Seller, 'timezone'>,
  language: Language,
): string => local(instant, timezone).setLocale(language).toFormat('d MMMM yyyy, HH:mm');

/** What the database has is UTC without saying so. */
export const instantOf = (instant: Instant): DateTime =>
  DateTime.fromISO(instant.replace(' ', 'T'), { zone: 'utc' });

const local = (instant: Instant, timezone: string | null) =>
  instantOf(instant).setZone(timezone || DEFAULT_TIMEZONE);

/** `NL91ABNA0417164300` → `NL91 ABNA 0417 1643 00`. */
export const iban = (text: string): string => text.replace(/.{4}(?=.)/g, '$& ');

/** Who is meant: the company, else the person. */
export const nameOf = (buyer: Buyer): string => buyer.company_name || personOf(buyer);

/** First name, prefix and last name, as far as they are known. */
export const personOf = ({
  first_name,
  prefix,
  last_name,
}: Pick<Buyer, 'first_name' | 'prefix' | 'last_name'>): string =>
  [first_name, prefix, last_name].filter(Boolean).join(' ');

/** The lines of an address; the country only where it is not that of the other party. */
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
