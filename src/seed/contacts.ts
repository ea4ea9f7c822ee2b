// Customers, suppliers and lease companies, each with a full address, and the ways to reach them.
import { LISTS } from '../trade/lists.ts';
import { daysAfterStart } from './calendar.ts';
import { iban, kvkNumber, type Land, mobile, phone, vatNumber } from './identifiers.ts';
import type { Draft } from './insert.ts';
import { idOf } from './insert.ts';
import { CONTACT_NOTES, FIRST_NAMES, LANGUAGES, LAST_NAMES, LEGAL_FORMS, TOWNS, TRADES } from './names.ts';
import { addressIn, COUNTRY_IDS, emailOf, personName, plain } from './people.ts';
import type { Random } from './random.ts';

const LANDS: readonly Land[] = [...Array<Land>(18).fill('NL'), 'BE', 'DE'];
const { PERSON, COMPANY } = LISTS.contactkinds;
const { PHONE, MOBILE, FAX, EMAIL, WEBSITE } = LISTS.communicationtypes;

/** A customer: mostly people, mostly Dutch. A person may belong to one of the `companies`. */
export function customer(random: Random, contactNumber: number, companies: readonly Draft[]): Draft {
  const land = random.pick(LANDS);
  const isCompany = random.chance(0.28);
  const draft = isCompany
    ? company(random, land, companyName(random, land))
    : person(random, land, companies);
  return {
    ...draft,
    contact_number: contactNumber,
    debtor_number: `D${String(contactNumber).padStart(6, '0')}`,
    is_customer: 1,
    notes: random.chance(0.12) ? random.pick(CONTACT_NOTES) : null,
  };
}

export function supplier(random: Random, name: string, contactNumber: number): Draft {
  const land = name.endsWith('GmbH') ? 'DE' : 'NL';
  return {
    ...company(random, land, name),
    contact_number: contactNumber,
    creditor_number: `C${String(contactNumber).padStart(6, '0')}`,
    is_supplier: 1,
    is_vat_shifted: 0,
  };
}

export function leaseCompany(random: Random, name: string, contactNumber: number): Draft {
  return {
    ...company(random, 'NL', name),
    contact_number: contactNumber,
    debtor_number: `D${String(contactNumber).padStart(6, '0')}`,
    is_customer: 1,
    is_lease_company: 1,
    payment_days: 30,
  };
}

/** To be called once the contact is written. One e-mail address is the preferred one. */
export function communicationsOf(random: Random, contact: Draft): Draft[] {
  const land = landOf(contact);
  const area = TOWNS[land].find(({ city }) => city === contact.city)?.area ?? '+31 30';
  const line = (communication_type: number, value: string, description: string | null = null): Draft => ({
    contact_id: idOf(contact),
    communication_type,
    value,
    description,
    is_prefered_email: 0,
  });
  if (contact.contact_kind === PERSON) {
    const { first_name, prefix, last_name } = contact;
    const name = {
      first_name: String(first_name),
      prefix: prefix as string | null,
      last_name: String(last_name),
    };
    return [
      { ...line(EMAIL, emailOf(name, 'post.example')), is_prefered_email: 1 },
      line(MOBILE, mobile(random, land)),
      ...(random.chance(0.25) ? [line(PHONE, phone(random, area), 'thuis')] : []),
    ];
  }
  const domain = `${plain(String(contact.company_name)).slice(0, 40)}.example`;
  return [
    { ...line(EMAIL, `info@${domain}`), is_prefered_email: 1 },
    line(PHONE, phone(random, area), 'receptie'),
    ...(random.chance(0.4) ? [line(EMAIL, `facturen@${domain}`, 'crediteurenadministratie')] : []),
    ...(random.chance(0.6) ? [line(WEBSITE, `https://www.${domain}`)] : []),
    ...(random.chance(0.05) ? [line(FAX, phone(random, area), 'alléén op werkdagen')] : []),
  ];
}

function person(random: Random, land: Land, companies: readonly Draft[]): Draft {
  return {
    contact_kind: PERSON,
    ...personName(random, land, FIRST_NAMES[land]),
    date_of_birth: random.chance(0.5) ? daysAfterStart(-random.whole(19 * 365, 84 * 365)) : null,
    ...addressIn(random, land).columns,
    iban: random.chance(0.3) ? iban(random, land) : null,
    parent_contact_id: random.chance(0.04) ? idOf(random.pick(companies)) : null,
    language: random.pick(LANGUAGES[land]),
  };
}

function company(random: Random, land: Land, name: string): Draft {
  return {
    contact_kind: COMPANY,
    company_name: name,
    ...addressIn(random, land).columns,
    kvk_number: land === 'NL' ? kvkNumber(random) : null,
    vat_number: vatNumber(random, land),
    iban: iban(random, land),
    payment_days: random.pick([null, 8, 14, 30]),
    is_vat_shifted: land === 'NL' ? 0 : 1,
    language: random.pick(LANGUAGES[land]),
  };
}

function companyName(random: Random, land: Land): string {
  const [prefix = '', last = ''] = random.pick(LAST_NAMES[land]).split('|');
  const name = prefix === '' ? last : `${prefix.charAt(0).toUpperCase()}${prefix.slice(1)} ${last}`;
  return `${random.pick(TRADES)} ${name} ${random.pick(LEGAL_FORMS[land])}`;
}

function landOf({ country_id }: Draft): Land {
  return country_id === COUNTRY_IDS.BE ? 'BE' : country_id === COUNTRY_IDS.DE ? 'DE' : 'NL';
}
