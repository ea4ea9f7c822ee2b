// Orders in any status, with a buyer and one line of € 100 at the high rate.

import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { execute } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { build, buildBuyer } from './build.ts';

const { PLANNED, IN_PROGRESS, WAITING, READY, INVOICE, CANCELLED } = LISTS.orderstatuses;

/** The statuses on the way to each status. */
const WAY: Record<number, number[]> = {
  [PLANNED]: [PLANNED],
  [IN_PROGRESS]: [IN_PROGRESS],
  [WAITING]: [IN_PROGRESS, WAITING],
  [READY]: [READY],
  [INVOICE]: [INVOICE],
  [CANCELLED]: [CANCELLED],
};

export const addLine = (client: Client, order_id: number, overrides: Json = {}) =>
  build(client, 'orderline', {
    order_id,
    quantity: 1,
    price: 100,
    vat_code: LISTS.vatcodes.HIGH,
    ...overrides,
  });

/** An order with its line, moved to a status. */
export async function orderIn(client: Client, status: number, overrides: Json = {}) {
  const way = WAY[status];
  const order = await build(client, 'order', {
    order_type: LISTS.ordertypes.WORKSHOP,
    ...(way ? {} : { order_status: status }),
    contact_id: overrides.contact_id ?? (await buildBuyer(client)).id,
    ...overrides,
  });
  await addLine(client, order.id);
  for (const order_status of way ?? []) await change(client, order.id, { order_status });
  return read(client, order.id);
}

/** Changes an order and answers it. */
export async function change(client: Client, id: number, body: Json) {
  const answer = await client.put(`/order/${id}`, body);
  expect(answer.status, answer.text).to.equal(200);
  return answer.data;
}

export const read = async (client: Client, id: number) =>
  (await client.get(`/order/${id}?expand=orderline`)).data;

export const invoiceIt = (client: Client, id: number) =>
  client.put(`/order/${id}`, { order_status: LISTS.orderstatuses.INVOICE });

/** Empties a field of a record that no request can empty. */
export const erase = (resource: string, id: number, field: string) =>
  execute(database(), `UPDATE ${resourceNamed(resource).table} SET ${field} = NULL WHERE id = ?`, [id]);

/** A car in stock that the garage bought under the margin scheme. */
export const stockCar = (client: Client, overrides: Json = {}) =>
  build(client, 'vehicle', {
    stock_status: LISTS.stockstatuses.STOCK,
    tax_kind: LISTS.taxkinds.MARGIN,
    purchase_price: 8_500,
    ...overrides,
  });

/** An order that sells a car under the margin scheme, not yet an invoice. */
export async function saleOf(client: Client, vehicle_id: number, overrides: Json = {}, line: Json = {}) {
  const order = await build(client, 'order', {
    order_type: LISTS.ordertypes.VEHICLE_SALES,
    contact_id: overrides.contact_id ?? (await buildBuyer(client)).id,
    vehicle_id,
    ...overrides,
  });
  const sold = { line_kind: LISTS.linekinds.VEHICLE, price: 10_950, vat_code: LISTS.vatcodes.MARGIN };
  await addLine(client, order.id, { ...sold, ...line });
  return order;
}

/** An order that buys a car from a private person by a statement, not yet an invoice. */
export async function purchaseOf(client: Client, vehicle_id: number, overrides: Json = {}, line: Json = {}) {
  const order = await build(client, 'order', {
    order_type: LISTS.ordertypes.VEHICLE_PURCHASE,
    purchase_proof: LISTS.purchaseproofs.STATEMENT,
    contact_id: overrides.contact_id ?? (await buildBuyer(client)).id,
    vehicle_id,
    ...overrides,
  });
  const bought = { line_kind: LISTS.linekinds.VEHICLE, price: 8_500, vat_code: LISTS.vatcodes.MARGIN };
  await addLine(client, order.id, { ...bought, ...line });
  return order;
}
