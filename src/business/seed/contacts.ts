// Customers, suppliers and lease companies, with the ways to reach them.
import { Contact } from '../../core/resources/contact.ts';
import { ContactCommunication } from '../../core/resources/contact-communication.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { midnight } from './calendar.ts';
import type { Draft, Part, RecordOf } from './drafts.ts';
import { iban, mobile, phone, vatNumber } from './identifiers.ts';
import { CONTACT_NOTES, LANDS, type Land, TRADES } from './names.ts';
import type { Random } from './random.ts';

export type ContactRecord = RecordOf<typeof Contact>;
type Reach = Draft<typeof ContactCommunication>;

const { PHONE, MOBILE, EMAIL, WEBSITE } = LISTS.communicationtypes;

/** The address on the Peppol network by the number in the register: the Dutch trade register, else of VAT. */
const PEPPOL_IDS: Record<Land, (number: string) => string> = {
  NL: (kvk) => `0106:${kvk}`,
  BE: (vat) => `0208:${vat.slice(2)}`,
  DE: (vat) => `9930:${vat}`,
};
const LAND_OF_FORM: Readonly<Record<string, Land>> = { GmbH: 'DE', NV: 'BE' };

/** Mostly a person, mostly Dutch. A few people belong to one of the `parents`. */
export function addCustomer(part: Part, number: number, parents: readonly ContactRecord[]): ContactRecord {
  const { random } = part;
  const land = random.chance(0.9) ? 'NL' : random.pick(['BE', 'DE'] as const);
  const debtor_number = `D${String(number).padStart(6, '0')}`;
  const notes = random.maybe(0.12, CONTACT_NOTES);
  const common = { contact_number: number, debtor_number, is_customer: 1, notes };
  if (random.chance(0.28)) return addCompany(part, land, companyName(random, land), common);
  return addPerson(part, land, { ...common, parent_contact_id: random.maybe(0.04, parents)?.id });
}

/** A supplier, a lease company or a dealer, with the columns that tell them apart. */
export const addFirm = (part: Part, name: string, flags: Draft<typeof Contact>): ContactRecord =>
  addCompany(part, LAND_OF_FORM[name.split(' ').at(-1) ?? ''] ?? 'NL', name, flags);

function addPerson(part: Part, land: Land, common: Draft<typeof Contact>): ContactRecord {
  const { random } = part;
  const { area, address } = place(random, land);
  const { emailaddress, ...name } = personName(random, land, 'post.example');
  const contact = {
    contact_kind: LISTS.contactkinds.PERSON,
    ...name,
    ...address,
    date_of_birth: random.chance(0.5) ? midnight(-random.whole(19 * 365, 84 * 365)) : null,
    iban: random.chance(0.3) ? iban(random, land) : null,
    ...common,
  };
  const reach = [
    preferred(emailaddress),
    { communication_type: MOBILE, value: mobile(random, land) },
    { communication_type: PHONE, value: phone(random, area), description: 'thuis' },
  ];
  return add(part, contact, reach.slice(0, random.whole(2, 3)));
}

function addCompany(part: Part, land: Land, name: string, common: Draft<typeof Contact>): ContactRecord {
  const { random } = part;
  const { area, address } = place(random, land);
  const kvk_number = land === 'NL' ? random.digits(8) : null;
  const vat_number = vatNumber(random, land);
  const contact = {
    contact_kind: LISTS.contactkinds.COMPANY,
    company_name: name,
    ...address,
    kvk_number,
    vat_number,
    peppol_id: PEPPOL_IDS[land](kvk_number ?? vat_number),
    iban: iban(random, land),
    payment_days: random.pick([null, 8, 14, 30]),
    is_vat_shifted: land === 'NL' ? 0 : 1,
    ...common,
  };
  const domain = `${plain(name).slice(0, 40)}.example`;
  const reach = [
    preferred(`info@${domain}`),
    { communication_type: PHONE, value: phone(random, area), description: 'receptie' },
    { communication_type: EMAIL, value: `facturen@${domain}`, description: 'crediteurenadministratie' },
    { communication_type: WEBSITE, value: `https://www.${domain}` },
  ];
  return add(part, contact, reach.slice(0, random.whole(2, 4)));
}

function add({ drafts }: Part, draft: Draft<typeof Contact>, reach: readonly Reach[]): ContactRecord {
  const contact = drafts.add(Contact, draft);
  for (const line of reach) drafts.add(ContactCommunication, { ...line, contact_id: contact });
  return contact;
}

const preferred = (value: string): Reach => ({ communication_type: EMAIL, value, is_prefered_email: 1 });

/** A name and the e-mail address that goes with it. */
export function personName(random: Random, land: Land, domain: string) {
  const [prefix = '', last_name = ''] = random.pick(LANDS[land].lastNames).split('|');
  const first_name = random.pick(LANDS[land].firstNames);
  const emailaddress = `${plain(first_name.charAt(0))}.${plain(prefix + last_name)}@${domain}`;
  return { first_name, prefix: prefix || null, last_name, emailaddress };
}

function companyName(random: Random, land: Land): string {
  const name = random.pick(LANDS[land].lastNames).replace('|', ' ').trim();
  return `${random.pick(TRADES)} ${name.charAt(0).toUpperCase()}${name.slice(1)} ${random.pick(LANDS[land].legalForms)}`;
}

function place(random: Random, land: Land) {
  const { towns, streets, countryId, language } = LANDS[land];
  const [city = '', area = '', lowest, highest] = random.pick(towns).split('|');
  const number = random.whole(Number(lowest), Number(highest));
  const address = {
    street: random.pick(streets),
    huisnummer: random.whole(1, 240),
    toevoeging: random.maybe(0.12, ['A', 'B', 'bis', '2 hoog']),
    postcode: land === 'NL' ? `${number} ${random.pick(['AB', 'CE', 'KL', 'TX'])}` : String(number),
    city,
    country_id: countryId,
    language,
  };
  return { area, address };
}

/** Only small letters without accents, and digits: many mail servers refuse other characters. */
function plain(text: string): string {
  const spelled = text.toLowerCase().replace('ß', 'ss').replace('ı', 'i').replace('œ', 'oe');
  return spelled.normalize('NFD').replace(/[^a-z0-9]/g, '');
}
