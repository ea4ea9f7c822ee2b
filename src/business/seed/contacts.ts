// Customers, suppliers and lease companies, with the ways to reach them.
import { Contact } from '../../core/resources/contact.ts';
import { ContactCommunication } from '../../core/resources/contact-communication.ts';
import { LISTS } from '../../core/trade/lists.ts';
import { midnight } from './calendar.ts';
import type { Draft, Part, RecordOf } from './drafts.ts';
import { iban, mobile, phone, someLand, vatNumber } from './identifiers.ts';
import { CONTACT_NOTES, LANDS, type Land, TRADES } from './names.ts';
import type { Random } from './random.ts';

export type ContactRecord = RecordOf<typeof Contact>;
/** Type, value and description. The first one of a contact is its e-mail address. */
type Reach = readonly [number, string, string?];

const { PERSON, COMPANY } = LISTS.contactkinds;
const { PHONE, MOBILE, EMAIL, WEBSITE } = LISTS.communicationtypes;
const LAND_OF_FORM: Readonly<Record<string, Land>> = { GmbH: 'DE', NV: 'BE' };

export const isPerson = ({ contact_kind }: ContactRecord): boolean => contact_kind === PERSON;

/** Mostly a person, mostly Dutch. A few people belong to one of the `parents`. */
export function addCustomer(part: Part, number: number, parents: readonly ContactRecord[]): ContactRecord {
  const { random } = part;
  const land = someLand(random, 0.1);
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
  const person = {
    contact_kind: PERSON,
    ...name,
    ...address,
    date_of_birth: random.chance(0.5) ? midnight(-random.whole(19 * 365, 84 * 365)) : null,
    iban: random.chance(0.3) ? iban(random, land) : null,
    ...common,
  };
  const reach: Reach[] = [
    [EMAIL, emailaddress],
    [MOBILE, mobile(random, land)],
    [PHONE, phone(random, area), 'thuis'],
  ];
  return add(part, person, reach.slice(0, random.whole(2, 3)));
}

function addCompany(part: Part, land: Land, company_name: string, common: Draft<typeof Contact>) {
  const { random } = part;
  const { area, address } = place(random, land);
  const kvk_number = land === 'NL' ? random.filled('########') : null;
  const vat_number = vatNumber(random, land);
  const company = {
    contact_kind: COMPANY,
    ...{ company_name, ...address, kvk_number, vat_number },
    peppol_id: LANDS[land].peppolId(kvk_number ?? vat_number),
    iban: iban(random, land),
    payment_days: random.pick([null, 8, 14, 30]),
    is_vat_shifted: land === 'NL' ? 0 : 1,
    ...common,
  };
  const domain = `${plain(company_name).slice(0, 40)}.example`;
  const reach: Reach[] = [
    [EMAIL, `info@${domain}`],
    [PHONE, phone(random, area), 'receptie'],
    [EMAIL, `facturen@${domain}`, 'crediteurenadministratie'],
    [WEBSITE, `https://www.${domain}`],
  ];
  return add(part, company, reach.slice(0, random.whole(2, 4)));
}

function add({ drafts }: Part, draft: Draft<typeof Contact>, reach: readonly Reach[]): ContactRecord {
  const contact_id = drafts.add(Contact, draft);
  for (const [index, [communication_type, value, description]] of reach.entries()) {
    const is_prefered_email = index === 0 ? 1 : 0;
    const way = { contact_id, communication_type, value, description, is_prefered_email };
    drafts.add(ContactCommunication, way);
  }
  return contact_id;
}

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
