// Makes valid records of any resource from its fields, and first the records that it must refer to. A new resource
// needs no line here.

import { expect } from 'chai';
import type { Field } from '../../../src/core/model/fields/field.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { PICTURE } from '../../../src/core/trade/picture/picture.ts';
import type { Client, Json } from '../client/client.ts';
import { execute, select } from '../database/sql.ts';
import { pngOf } from '../files/picture.ts';
import { database } from '../service/service.ts';

let serial = 0;
let years = 0;

/**
 * Counts samples from 1 again, so that a sample does not depend on earlier ones. Unique values of one garage may then
 * come again.
 */
export function restartSamples(): void {
  serial = 0;
}

/** A value that the field takes, a new one each time. A field with a list gets the value at `place`, 0 or 1. */
export function sampleValue(name: string, field: Field, place = 0): unknown {
  serial += 1;
  const validation = field.validation?.name;
  if (validation) return (SAMPLES[validation] ?? SAMPLES.text)?.(serial);
  if (field.list) return Object.values(LISTS[field.list])[place];
  const { minimum = 0, maximum, enum: values } = field.schema;
  switch (field.datatype) {
    case 'timestamp':
      // The settings of the VAT return hold from the first day of a period, and each New Year is one. Those that BESIDE
      // makes begin before 2030.
      if (field.unique) return `${2030 + (serial % 7900)}-01-01T00:00:00.000Z`;
      return new Date(Date.UTC(2026, 0, 1) + serial * 60_000).toISOString();
    case 'float8':
      return maximum === undefined
        ? minimum + serial + 0.25
        : Math.round(minimum + (maximum - minimum) / 8) + 0.5;
    case 'int4':
      if (values) return 1;
      return minimum + (maximum === undefined ? serial : serial % (maximum - minimum + 1));
    case 'varchar[]':
      return [field.elements?.()[place]];
    case 'bytea':
      return Buffer.from(`bytes ${serial}`).toString('base64');
    default:
      return `${name} ${serial}`.slice(-(field.length ?? 100));
  }
}

const LETTERS = 'BDFGHJKLNPRSTVXZ';

const SAMPLES: Record<string, (n: number) => string> = {
  text: (n) => `text ${n}`,
  license_plate: (n) => {
    const letter = (power: number) => LETTERS[Math.floor(n / (1000 * 16 ** power)) % 16];
    return `${letter(2)}${letter(1)}-${String(n % 1000).padStart(3, '0')}-${letter(0)}`;
  },
  vin: (n) => `WVWZZZ1JZ3W${String(n).padStart(6, '0')}`,
  postcode: () => '3511 AB',
  email: (n) => `someone${n}@garage.example`,
  url: (n) => `https://garage.example/${n}`,
  // Nobody listens there.
  'https, publicly accessible': (n) => `https://127.0.0.1:1/${n}`,
  timezone: () => 'Europe/Amsterdam',
  language: () => 'nl',
  'vat codes': (n) => `{"1": "V${n}"}`,
  kvk_number: (n) => String(10_000_000 + n),
  iban: () => 'NL91ABNA0417164300',
  peppol_id: (n) => `0106:${10_000_000 + n}`,
  vat_number: () => 'NL004495445B01',
  username: (n) => `employee${n}`,
  'minimum 12 characters': () => 'twelve chars and more',
  'HH:MM': (n) => `${String(Math.floor(n / 60) % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}`,
  dot: (n) => `01${String(n % 100).padStart(2, '0')}`,
  '#rrggbb': (n) => `#${n.toString(16).padStart(6, '0')}`,
  [PICTURE]: (n) => pngOf(16 + (n % 100), 20).toString('base64'),
};

/** A body for POST with all required fields; required references point to records made for them. */
export async function sampleBody(client: Client, resource: Resource, overrides: Json = {}): Promise<Json> {
  const body: Json = { ...overrides };
  for (const [name, field] of resource.fields) {
    if (!field.required || field.readonly || name in body) continue;
    body[name] = await newValue(client, name, field);
  }
  for (const name of resource.traits.requires?.(body as never) ?? []) {
    const field = resource.fields.get(name);
    if (field && !(name in body)) body[name] = sampleValue(name, field);
  }
  return { ...body, ...(await beside(client, resource, body)), ...overrides };
}

/** A body with a value for each field. `place` chooses the value of a field with a list. */
export async function fullBody(
  client: Client,
  resource: Resource,
  { place = 0, overrides = {} }: { place?: number; overrides?: Json } = {},
): Promise<Json> {
  const body: Json = { is_blocked: 0, is_archived: 0, ...overrides };
  for (const [name, field] of resource.fields) {
    if (field.readonly || name in body) continue;
    body[name] = await newValue(client, name, field, place);
  }
  return { ...body, ...(await beside(client, resource, body)), ...overrides };
}

/** A value as sampleValue makes it; for a reference the ID of a new record, or of a shared record. */
export async function newValue(client: Client, name: string, field: Field, place = 0): Promise<unknown> {
  const { reference } = field;
  if (reference === undefined) return sampleValue(name, field, place);
  return resourceNamed(reference).ownership === 'none' ? 1 + place : (await build(client, reference)).id;
}

/** Fields, with values, that the fields of a body demand. */
export const beside = async (client: Client, { name }: Resource, body: Json): Promise<Json> =>
  (await BESIDE[name]?.(body, client)) ?? {};

/** References that exclude each other: `beside` keeps the last. */
export const EXCLUSIVE: Readonly<Record<string, readonly string[]>> = {
  absence: ['employee_id', 'workplace_id'],
  workhour: ['employee_id', 'workplace_id'],
};

/** The further fields that the rules of a resource demand for a body. A resource without such rules needs no line. */
const BESIDE: Record<string, (body: Json, client: Client) => Json | Promise<Json>> = {
  contactcommunication: ({ is_prefered_email }) =>
    is_prefered_email === 1
      ? { communication_type: LISTS.communicationtypes.EMAIL, value: SAMPLES.email?.(serial) }
      : {},
  flatrateline: async ({ article_id, article_number }) => {
    if (article_id == null) return article_number == null ? {} : { is_manual_input: 1 };
    const [article] = await select(database(), 'SELECT article_number FROM articles WHERE id = ?', [
      Number(article_id),
    ]);
    return { article_number: article?.article_number ?? 'A-1', is_manual_input: 0 };
  },
  appointment: async ({ employee_id, workplace_id }, client) => ({
    // With overtime, working hours do not limit the time.
    is_overtime: 1,
    ...(employee_id == null && workplace_id == null
      ? { workplace_id: (await build(client, 'workplace')).id }
      : {}),
  }),
  owner: ({ margin_carried_in, books_closed_until }) => ({
    ...(margin_carried_in == null ? {} : { margin_from: '2026-01-01T00:00:00.000Z' }),
    // The first settings hold from 1900 on, and another sample must be able to change them.
    ...(books_closed_until == null ? {} : { books_closed_until: '1899-06-30T12:00:00.000Z' }),
  }),
  // New Year begins a period of any length, and a garage has one row a day.
  vatregime: () => {
    years += 1;
    return { valid_from: `${1950 + (years % 80)}-01-01T00:00:00.000Z` };
  },
  absence: ({ workplace_id }) => (workplace_id == null ? {} : { employee_id: null }),
  workhour: async ({ employee_id, workplace_id }, client) => ({
    // Samples of two times may lie on two sides of midnight.
    start_time: '08:00',
    end_time: '24:00',
    ...(workplace_id == null
      ? { employee_id: employee_id ?? (await build(client, 'employee')).id }
      : { employee_id: null }),
  }),
  timeentry: async ({ orderline_id }, { garage }) => {
    if (orderline_id == null) return {};
    const [line] = await select(database(), 'SELECT order_id FROM orderlines WHERE id = ? AND owner_id = ?', [
      Number(orderline_id),
      garage.owner,
    ]);
    return line ? { order_id: line.order_id } : {};
  },
  // The lease company that approves also pays, so this contact pays all orders of the garage.
  leaseapproval: async ({ contact_id }, { garage }) => {
    if (contact_id == null) return {};
    const [contact] = await select(database(), 'SELECT id FROM contacts WHERE id = ? AND owner_id = ?', [
      Number(contact_id),
      garage.owner,
    ]);
    if (contact)
      await execute(database(), 'UPDATE orders SET invoice_contact_id = ? WHERE owner_id = ?', [
        Number(contact_id),
        garage.owner,
      ]);
    return {};
  },
  // A location is unique among stored sets, and a set that leaves the storage loses it.
  tyreset: ({ location, tyreset_status }) => {
    if (location == null) return {};
    return tyreset_status === undefined || tyreset_status === LISTS.tyresetstatuses.STORED
      ? { tyreset_status: LISTS.tyresetstatuses.STORED }
      : { location: null };
  },
  // No country changes: without deliveries the subscription stays as it was made.
  webhooksubscription: () => ({ resources: ['country'] }),
  payment: async ({ order_id }, client) => {
    if (order_id === undefined) return {};
    const [order] = await select(database(), 'SELECT is_invoiced FROM orders WHERE id = ?', [
      Number(order_id),
    ]);
    if (order?.is_invoiced === 1) return {};
    // Large enough for any sample of an amount.
    // Labour, because the limit of cash concerns goods only.
    const line = { price: 1_000_000, line_kind: LISTS.linekinds.LABOUR };
    return { order_id: (await buildInvoice(client, {}, line)).id };
  },
};

/** Adds a record of a resource by POST and answers it. */
// biome-ignore lint/suspicious/noExplicitAny: records are read by name in tests, whatever the resource
export async function build(client: Client, name: string, overrides: Json = {}): Promise<any> {
  const answer = await client.post(`/${name}`, await sampleBody(client, resourceNamed(name), overrides));
  expect(answer.status, answer.text).to.equal(201);
  return answer.data;
}

/** A contact with all that an invoice needs. */
export const buildBuyer = (client: Client, overrides: Json = {}) =>
  build(client, 'contact', {
    contact_kind: LISTS.contactkinds.PERSON,
    last_name: 'de Boer',
    street: 'Lindelaan',
    huisnummer: 7,
    postcode: '3581 KL',
    city: 'Utrecht',
    ...overrides,
  });

/** An order of that buyer with one line of € 100 net at the high rate, invoiced. */
export async function buildInvoice(client: Client, overrides: Json = {}, line: Json = {}) {
  const contact_id = overrides.contact_id ?? (await buildBuyer(client)).id;
  const order = await build(client, 'order', {
    order_type: LISTS.ordertypes.WORKSHOP,
    ...overrides,
    contact_id,
  });
  await build(client, 'orderline', {
    order_id: order.id,
    quantity: 1,
    price: 100,
    vat_code: LISTS.vatcodes.HIGH,
    ...line,
  });
  const answer = await client.put(`/order/${order.id}`, { order_status: LISTS.orderstatuses.INVOICE });
  expect(answer.status, answer.text).to.equal(200);
  return answer.data;
}
