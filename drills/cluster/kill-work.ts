// The work of a client while nodes and processes are killed: it invoices, credits, and makes owners and preferred
// e-mail addresses, in competition with the others.
import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import type { PersistentClient } from './client.ts';
import { addBuyer, addVehicle, ORDER_LINE } from './record.ts';
import type { Scene } from './scene.ts';

const { ordertypes, orderstatuses, vehicleroles, communicationtypes } = LISTS;
const FEW = 5;
const LATEST = 10;
const INVOICE = { order_status: orderstatuses.INVOICE };

/** The records that all clients compete for. */
export interface Shared {
  readonly contacts: readonly number[];
  readonly vehicles: readonly number[];
  /** Acknowledged, the newest last. */
  readonly invoices: { readonly id: number; readonly contact: number }[];
}

export async function makeShared(scene: Scene): Promise<Shared> {
  const [contacts, vehicles]: [number[], number[]] = [[], []];
  for (let count = 0; count < FEW; count += 1) {
    contacts.push(await addBuyer(scene));
    vehicles.push(await addVehicle(scene));
  }
  return { contacts, vehicles, invoices: [] };
}

/** One piece of work, chosen by chance. */
export async function work(client: PersistentClient, shared: Shared): Promise<void> {
  await pick([invoice, invoice, credit, own, prefer])(client, shared);
}

async function invoice(client: PersistentClient, { contacts, invoices }: Shared): Promise<void> {
  const contact = pick(contacts);
  const id = await addOrder(client, { order_type: ordertypes.WORKSHOP, contact_id: contact }, 1);
  if (id !== undefined && (await client.change('order', id, INVOICE))) invoices.push({ id, contact });
}

/** A part of an invoice, or all of it. Several together would exceed it. */
async function credit(client: PersistentClient, { invoices }: Shared): Promise<void> {
  if (invoices.length === 0) return;
  const { id: credited_order_id, contact: contact_id } = pick(invoices.slice(-LATEST));
  const order = { order_type: ordertypes.INTERNAL_REVERSAL, contact_id, credited_order_id };
  const id = await addOrder(client, order, -pick([0.25, 0.5, 1]));
  if (id !== undefined) await client.change('order', id, INVOICE);
}

async function addOrder(
  client: PersistentClient,
  fields: Json,
  quantity: number,
): Promise<number | undefined> {
  const [reference, description] = [crypto.randomUUID(), crypto.randomUUID()];
  const id = await client.add('order', reference, { ...fields, order_date: '2026-05-01', reference });
  if (id === undefined) return undefined;
  const line = { ...ORDER_LINE, description, order_id: id, quantity };
  return (await client.add('orderline', description, line)) === undefined ? undefined : id;
}

/** The owner leaves soon, so that others have a chance. */
async function own(client: PersistentClient, { vehicles, contacts }: Shared): Promise<void> {
  const contract_number = crypto.randomUUID();
  const line = { vehicle_id: pick(vehicles), contact_id: pick(contacts), start_date: '2026-01-01' };
  const driver = { ...line, contract_number, role_kind: vehicleroles.DRIVER };
  const id = await client.add('vehicleroleline', contract_number, driver);
  const isOwner = id && (await client.change('vehicleroleline', id, { role_kind: vehicleroles.OWNER }));
  if (isOwner && isLikely()) await client.change('vehicleroleline', id, { role_kind: vehicleroles.DRIVER });
}

async function prefer(client: PersistentClient, { contacts }: Shared): Promise<void> {
  const description = crypto.randomUUID();
  const id = await client.add('contactcommunication', description, {
    contact_id: pick(contacts),
    communication_type: communicationtypes.EMAIL,
    value: 'anna@garage.example',
    description,
  });
  const isPreferred = id && (await client.change('contactcommunication', id, { is_prefered_email: 1 }));
  if (isPreferred && isLikely()) await client.change('contactcommunication', id, { is_prefered_email: 0 });
}

const isLikely = () => Math.random() < 0.8;

function pick<T>(from: readonly T[]): T {
  return from[Math.floor(Math.random() * from.length)] as T;
}
