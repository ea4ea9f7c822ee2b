// What a garage has before its first day: books, people, places, groups of turnover. The same for every story.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Json } from '../../support/client/client.ts';
import { type Desk, Fault } from '../desk.ts';

const { vatcodes, contactkinds, rolekinds, workplacekinds, paymentmethods } = LISTS;
export const STOCK_ACCOUNT = '3000';
const NETHERLANDS = 1;
const ADDRESS = {
  street: 'Dorpsstraat',
  huisnummer: 1,
  postcode: '3511 AB',
  city: 'Utrecht',
  country_id: NETHERLANDS,
};

export interface Setting {
  readonly margin_method: number;
  readonly vat_period: number;
}

/** Opens the garage of a story. */
export async function open(desk: Desk, setting: Setting): Promise<void> {
  const { data } = await desk.ask('GET', '/owner');
  const owner = [data].flat()[0];
  desk.note('owner', Number(owner.id));
  await put(desk, `/owner/${owner.id}`, {
    ...setting,
    is_cash_rounded: 1,
    margin_turnover_account: '8900',
  });
  await openGroups(desk);
  await openPeople(desk);
  for (const [code, kind] of [
    ['B1', workplacekinds.LIFT],
    ['B2', workplacekinds.FLOOR],
  ] as const)
    await desk.found('/workplace', { code, name: `Brug ${code}`, workplace_kind: kind });
  for (const first_name of ['Anna', 'Bram', 'Cees'])
    await desk.found('/employee', { first_name, last_name: 'Monteur', role_kind: rolekinds.USER });
}

async function put(desk: Desk, path: string, body: Json): Promise<void> {
  const { status, text } = await desk.ask('PUT', path, body);
  if (status !== 200) throw new Fault(`PUT ${path} answered ${text}`);
}

async function openGroups(desk: Desk): Promise<void> {
  const group = async (code: string, vat_code: number, more: Json = {}) =>
    desk.found(
      '/turnovergroup',
      { code, name: `Omzet ${code}`, vat_code, ledger_account: '8000', cost_ledger_account: '7000', ...more },
      { code },
    );
  for (const [name, code] of Object.entries(vatcodes)) await group(name.slice(0, 10), code);
  await group('CARS', vatcodes.MARGIN, {
    ledger_account: '8200',
    cost_ledger_account: '7200',
    stock_ledger_account: STOCK_ACCOUNT,
  });
}

/** The ID of the group of turnover with that code. */
export const groupOf = (desk: Desk, code: string): number | undefined =>
  desk.all('turnovergroup').find((id) => desk.facts('turnovergroup', id).code === code);

const NAME_OF = Object.fromEntries(Object.entries(vatcodes).map(([name, code]) => [code, name.slice(0, 10)]));

/** A group of turnover for a VAT code. */
export const groupFor = (desk: Desk, code: number): number | undefined => groupOf(desk, NAME_OF[code] ?? '');

async function openPeople(desk: Desk): Promise<void> {
  const countries = (await desk.list('/country')).map(({ id, code }) => [code, id]);
  const { DE, CH } = Object.fromEntries(countries);
  const person = { contact_kind: contactkinds.PERSON, ...ADDRESS };
  const company = { contact_kind: contactkinds.COMPANY, ...ADDRESS };
  const add = (body: Json, facts: Json) => desk.found('/contact', body, facts);
  await add({ ...person, first_name: 'Piet', last_name: 'Jansen' }, { kind: 'person' });
  await add({ ...person, first_name: 'Zoë', last_name: 'de Boer' }, { kind: 'person' });
  await add(
    {
      ...company,
      company_name: 'Auto Noord B.V.',
      vat_number: 'NL004495445B01',
      self_billing_agreed_at: '2020-01-01',
    },
    { kind: 'dealer' },
  );
  await add(
    { ...company, company_name: 'Lease Plan', is_lease_company: 1, vat_number: 'NL004495445B01' },
    { kind: 'lease' },
  );
  await add(
    {
      ...company,
      company_name: 'Wagen GmbH',
      country_id: DE,
      postcode: '10115',
      city: 'Berlin',
      vat_number: 'DE136695976',
    },
    { kind: 'eu' },
  );
  await add(
    { ...company, company_name: 'Auto Zürich AG', country_id: CH, postcode: '8001', city: 'Zürich' },
    { kind: 'abroad' },
  );
}

/** The contacts of a kind. */
export const contactsOf = (desk: Desk, ...kinds: string[]): number[] =>
  desk.all('contact').filter((id) => kinds.includes(String(desk.facts('contact', id).kind)));

export const METHODS: readonly number[] = [
  paymentmethods.BANK,
  paymentmethods.CASH,
  paymentmethods.PIN,
  paymentmethods.IDEAL,
  paymentmethods.OTHER,
];
