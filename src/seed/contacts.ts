// Customers, suppliers and lease companies, with the ways to reach them.
import { Contact } from '../resources/contact.ts';
import { ContactCommunication } from '../resources/contact-communication.ts';
import { LISTS } from '../trade/lists.ts';
import { midnight } from './calendar.ts';
import { iban, mobile, phone, vatNumber } from './identifiers.ts';
import { CONTACT_NOTES, LANDS, type Land, TRADES } from './names.ts';
import type { Random } from './random.ts';
import type { Draft, RecordOf, Writer } from './writer.ts';

export type ContactRecord = RecordOf<typeof Contact>;
type Reach = Draft<typeof ContactCommunication>;

/** A contact and how to reach them; the first e-mail address is the preferred one. */
interface NewContact {
  readonly contact: Draft<typeof Contact>;
  readonly reach: readonly Reach[];
}

const { PHONE, MOBILE, EMAIL, WEBSITE } = LISTS.communicationtypes;

/** The address on the Peppol network by the number in the register: the Dutch trade register, else of VAT. */
const PEPPOL_IDS: Record<Land, (number: string) => string> = {
  NL: (kvk) => `0106:${kvk}`,
  BE: (vat) => `0208:${vat.slice(2)}`,
  DE: (vat) => `9930:${vat}`,
};

export async function writeContacts(writer: Writer, all: readonly NewContact[]): Promise<ContactRecord[]> {
  const contacts = await writer.write(
    Contact,
    all.map(({ contact }) => contact),
  );
  const lines = all.flatMap(({ contact, reach }) =>
    reach.map((line) => ({ ...line, contact_id: contact.id })),
  );
  await writer.write(ContactCommunication, lines);
  return contacts;
}

/** Mostly a person, mostly Dutch. A few people belong to one of the `parents`. */
export function customer(random: Random, number: number, parents: readonly ContactRecord[]): NewContact {
  const land = random.chance(0.9) ? 'NL' : random.pick(['BE', 'DE'] as const);
  const { contact, reach } = random.chance(0.28) ? company(random, land) : person(random, land, parents);
  const notes = random.chance(0.12) ? random.pick(CONTACT_NOTES) : null;
  const debtor_number = `D${String(number).padStart(6, '0')}`;
  return { contact: { ...contact, contact_number: number, debtor_number, is_customer: 1, notes }, reach };
}

const LAND_OF_FORM: Readonly<Record<string, Land>> = { GmbH: 'DE', NV: 'BE' };

/** A supplier, a lease company or a dealer, with the columns that tell them apart. */
export function firm(random: Random, name: string, flags: Draft<typeof Contact>): NewContact {
  const { contact, reach } = company(random, LAND_OF_FORM[name.split(' ').at(-1) ?? ''] ?? 'NL', name);
  return { contact: { ...contact, ...flags }, reach };
}

function person(random: Random, land: Land, parents: readonly ContactRecord[]): NewContact {
  const { area, address } = place(random, land);
  const { emailaddress, ...name } = personName(random, land, 'post.example');
  const contact = {
    contact_kind: LISTS.contactkinds.PERSON,
    ...name,
    ...address,
    date_of_birth: random.chance(0.5) ? midnight(-random.whole(19 * 365, 84 * 365)) : null,
    iban: random.chance(0.3) ? iban(random, land) : null,
    parent_contact_id: random.chance(0.04) ? random.pick(parents).id : null,
  };
  const reach = [
    preferred(emailaddress),
    { communication_type: MOBILE, value: mobile(random, land) },
    { communication_type: PHONE, value: phone(random, area), description: 'thuis' },
  ].slice(0, random.whole(2, 3));
  return { contact, reach };
}

function company(random: Random, land: Land, name = companyName(random, land)): NewContact {
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
  };
  const domain = `${plain(name).slice(0, 40)}.example`;
  const reach = [
    preferred(`info@${domain}`),
    { communication_type: PHONE, value: phone(random, area), description: 'receptie' },
    { communication_type: EMAIL, value: `facturen@${domain}`, description: 'crediteurenadministratie' },
    { communication_type: WEBSITE, value: `https://www.${domain}` },
  ].slice(0, random.whole(2, 4));
  return { contact, reach };
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
    toevoeging: random.chance(0.12) ? random.pick(['A', 'B', 'bis', '2 hoog']) : null,
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
