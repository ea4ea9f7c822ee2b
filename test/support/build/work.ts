// Records for tests of work on cars: employees, orders of a car, sets of tyres, and an order that a lease company pays.
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Client, Json } from '../client/client.ts';
import { build, buildBuyer } from './build.ts';

const { WORKSHOP } = LISTS.ordertypes;
const { HIGH } = LISTS.vatcodes;

/** An order that can be invoiced, with one line of € 100 net. */
export async function buildWork(client: Client, overrides: Json = {}, line: Json = {}) {
  const contact_id = overrides.contact_id ?? (await buildBuyer(client)).id;
  const order = await build(client, 'order', { order_type: WORKSHOP, ...overrides, contact_id });
  const work = { order_id: order.id, line_kind: LISTS.linekinds.LABOUR, vat_code: HIGH };
  const orderline = await build(client, 'orderline', { ...work, quantity: 1, price: 100, ...line });
  return { ...order, orderline };
}

export const move = (client: Client, order: number, order_status: number, more: Json = {}) =>
  client.put(`/order/${order}`, { order_status, ...more });

/** An order of € 100 net that a lease company pays. */
export async function buildLeased(client: Client) {
  const payer = await buildBuyer(client, { is_lease_company: 1 });
  return { ...(await buildWork(client, { invoice_contact_id: payer.id })), payer };
}

/** A vehicle with a mounted set of tyres, and a stored one. */
export async function buildTyres(client: Client, location = 'A-12') {
  const { STORED, MOUNTED } = LISTS.tyresetstatuses;
  const { id: vehicle_id } = await build(client, 'vehicle');
  const mounted = await build(client, 'tyreset', { vehicle_id, tyreset_status: MOUNTED });
  const stored = await build(client, 'tyreset', { vehicle_id, tyreset_status: STORED, location });
  const swap = { vehicle_id, out_tyreset_id: mounted.id, in_tyreset_id: stored.id };
  return { vehicle_id, mounted, stored, swap };
}
