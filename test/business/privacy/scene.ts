// A person with an e-mail address and a car. The garage keeps something about this person in every possible place.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildInvoice } from '../../support/build/build.ts';
import { THIS_YEAR } from '../../support/build/day.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { finished, makeArchive } from '../../support/service/job.ts';

const { documenttypes, documentkinds, communicationtypes, vehicleroles } = LISTS;

let serial = 0;

/** `until` of an invoice of today. */
export const LAST_DAY = `${THIS_YEAR + 7}-12-31`;

export const anonymise = (client: Client, id: number) => client.put(`/contact/anonymise?id=${id}`);

export interface Person {
  readonly contact: number;
  readonly vehicle: number;
  /** The open order. */
  readonly order: number;
  readonly invoice: { readonly id: number; readonly invoice_number: string };
  /** Texts that must be nowhere afterwards: names, addresses, plates. */
  readonly texts: readonly string[];
  readonly plate: string;
  readonly email: string;
  readonly name: string;
}

export const base64 = (text: string) => Buffer.from(text).toString('base64');

export async function addPerson(client: Client): Promise<Person> {
  serial += 1;
  const number = String(serial).padStart(3, '0');
  const name = `Zwaluwenburg${number}`;
  const email = `z${number}@voorbeeld.example`;
  const plates = [`ZW-${number}-Q`, `ZX-${number}-Q`] as const;
  const [oldPlate, plate] = plates;
  const contact = await addContact(client, name, email);
  const text = `Bellen met ${name} (${email}) over ${plate}`;
  const { id: vehicle } = await build(client, 'vehicle', {
    license_plate: oldPlate,
    external_id: plate,
    notes: text,
  });
  await build(client, 'vehicleroleline', {
    vehicle_id: vehicle,
    contact_id: contact,
    role_kind: vehicleroles.OWNER,
    notes: text,
  });
  const texts = { description: text, reference: name, remarks_internal: text };
  const invoice = await buildInvoice(client, { contact_id: contact, vehicle_id: vehicle, ...texts });
  await addPayments(client, invoice.id, text);
  await client.put('/updatelicenseplate', { id: vehicle, license_plate: plate });
  const { id: order } = await build(client, 'order', { contact_id: contact, vehicle_id: vehicle, ...texts });
  await client.put(`/order/${order}`, { description: `Opnieuw: ${text}` });
  await addAppointments(client, { contact_id: contact, order_id: order }, text);
  await addWork(client, { contact_id: contact, order_id: order, vehicle_id: vehicle }, text);
  const document_kind = documentkinds.PHOTO;
  const file = { document_kind, name: text, file_name: `${plate}.txt`, notes: name, content: base64(text) };
  await build(client, 'document', { ...file, contact_id: contact });
  await build(client, 'document', { ...file, vehicle_id: vehicle, content: base64(`Foto: ${text}`) });
  // Only the order says whose car it was, and soon the order will not say it any more.
  const receipt = await build(client, 'document', {
    ...file,
    order_id: order,
    content: base64(`Bon: ${text}`),
  });
  await client.put(`/document/${receipt.id}`, { name: `Bon: ${text}` });
  await client.del(`/document/${receipt.id}`);
  await generate(client, { document_type: documenttypes.INVOICE, order_ids: [invoice.id] });
  await generate(client, { document_type: documenttypes.WORK_ORDER, order_ids: [order] });
  await makeArchive(client, Buffer.from(text));
  return {
    contact,
    vehicle,
    order,
    invoice,
    texts: [name, email, ...plates, ...plates.map((one) => one.replaceAll('-', ''))],
    plate,
    email,
    name,
  };
}

/** One names the person, another one only the order; both are changed, and one is deleted. */
async function addAppointments(client: Client, whose: Json, text: string): Promise<void> {
  for (const one of [whose, { order_id: whose.order_id, contact_id: null }]) {
    const { id } = await build(client, 'appointment', { ...one, description: text });
    await client.put(`/appointment/${id}`, { description: `Komt zelf: ${text}` });
  }
  const { id } = await build(client, 'appointment', { ...whose, description: text });
  await client.del(`/appointment/${id}`);
}

/** Adds the records of the workshop about the person and the car. Changes each record, and deletes one of each kind. */
async function addWork(client: Client, whose: Json, text: string): Promise<void> {
  const { contact_id, order_id, vehicle_id } = whose;
  const records: [resource: string, body: Json, field: string][] = [
    ['timeentry', { order_id, ended_at: '2026-05-02', notes: text }, 'notes'],
    ['leaseapproval', { order_id, contact_id, reason: text }, 'reason'],
    ['mileagereading', { order_id, vehicle_id }, 'external_id'],
    ['tyreset', { contact_id, notes: text }, 'notes'],
  ];
  for (const isDeleted of [false, true])
    for (const [resource, body, field] of records) {
      // An approval by itself, since `build` makes its contact the payer of all orders.
      const { id } =
        resource === 'leaseapproval'
          ? (await client.post('/leaseapproval', body)).data
          : await build(client, resource, body);
      const changed = await client.put(`/${resource}/${id}`, { [field]: `${id} ${text.slice(-12)}` });
      expect(changed.status, changed.text).to.equal(200);
      if (resource === 'tyreset' && !isDeleted) await build(client, 'tyre', { tyreset_id: id, notes: text });
      if (isDeleted) await client.del(`/${resource}/${id}`);
    }
  const keyed = (path: string, body: Json) =>
    client.post(path, body, { 'idempotency-key': `${path}/${order_id}` });
  await keyed('/timeentry/start', { order_id, notes: text });
  const stopped = await keyed('/timeentry/stop', {});
  expect(stopped.status, stopped.text).to.equal(200);
}

/** A payment that is changed and a payment that is deleted, both with words of the person. */
async function addPayments(client: Client, order_id: number, text: string): Promise<void> {
  const payment = { order_id, amount: 10, reference: text.slice(0, 60) };
  for (const isDeleted of [false, true]) {
    const { id } = await build(client, 'payment', payment);
    await client.put(`/payment/${id}`, { reference: `Van ${text}`.slice(0, 60) });
    if (isDeleted) await client.del(`/payment/${id}`);
  }
  // A deleted one, whose answer is kept.
  const key = { 'idempotency-key': `deleted-${order_id}` };
  const paid = { ...payment, method: LISTS.paymentmethods.BANK, paid_at: new Date().toISOString() };
  const { data } = await client.post('/payment', paid, key);
  await client.del(`/payment/${data.id}`);
}

async function addContact(client: Client, name: string, email: string): Promise<number> {
  const person = {
    contact_kind: LISTS.contactkinds.PERSON,
    country_id: 1,
    first_name: name,
    last_name: name,
    date_of_birth: '1980-01-01',
    street: `${name}straat`,
    huisnummer: 7,
    postcode: '3581 KL',
    city: 'Utrecht',
    notes: email,
    external_id: email,
  };
  const added = await client.post('/contact', person, { 'Idempotency-Key': `contact-${serial}` });
  expect(added.status, added.text).to.equal(201);
  const contact_id = added.data.id;
  const communication: Json = { contact_id, communication_type: communicationtypes.EMAIL, value: email };
  await build(client, 'contactcommunication', communication);
  const { id } = await build(client, 'contactcommunication', { ...communication, external_id: `${email}-2` });
  await client.put(`/contactcommunication/${id}`, { value: `oud.${email}` });
  await client.del(`/contactcommunication/${id}`);
  await client.put(`/contact/${contact_id}`, { first_name: `Jan ${name}` });
  return contact_id;
}

/** Makes documents and waits for them. */
export async function generate(client: Client, body: Json): Promise<Json> {
  const { data } = await client.post('/document/generate', body);
  return finished(client, data.job_id);
}
