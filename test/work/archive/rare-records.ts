// Records that seeding does not make, for the test of backup and restore.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { build, buildBuyer, buildInvoice } from '../../support/build/build.ts';
import { addLine, invoiceIt } from '../../support/build/order.ts';
import type { Client, Json } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { importJson } from '../../support/client/import.ts';
import { inStorage } from '../../support/service/service.ts';

export const CONTENT = Buffer.from('Only this document has these bytes: é 👍');

const { HIGH, LOW } = LISTS.vatcodes;

/** Deposits without VAT, and a credited invoice with more or less VAT than its net has. */
async function addDeposits(client: Client): Promise<void> {
  const { id } = await build(client, 'order', { contact_id: (await buildBuyer(client)).id });
  await addLine(client, id);
  for (const amount of [0.02, 0.02]) {
    const { data } = await client.post('/order/deposit', { order_id: id, amount });
    await invoiceIt(client, data.id);
  }
  expect((await invoiceIt(client, id)).data).to.include({ total_net: 99.96, total_vat: 21 });
  expect((await client.post('/order/credit', { order_id: id, is_invoiced: 1 })).status).to.equal(201);
}

/**
 * An invoice of an earlier system, which rounded its VAT otherwise, and a credit note of a part of it; an open order of
 * that system.
 */
async function addOldInvoice(client: Client): Promise<void> {
  const { id: contact_id } = await buildBuyer(client);
  const line = { line_kind: LISTS.linekinds.LABOUR, description: 'Beurt', quantity: 3, price: 10 };
  const order = { contact_id, order_type: LISTS.ordertypes.WORKSHOP, order_date: '2019-03-01' };
  const old = { ...order, invoice_number: '201900042', invoice_date: '2019-03-04' };
  const invoiced = [{ ...line, vat_code: HIGH, line_gross: 36.31 }];
  const open = [{ ...line, vat_code: HIGH, quantity: 1, price: 205.79, line_gross: 249 }];
  const { rows } = await importJson(client, 'resource=order&history=1', [
    { ...old, orderline: invoiced },
    { ...order, orderline: open },
  ]);
  const [{ id }] = (await client.get(`/orderline?filter=order_id:${rows[0].id}`)).data;
  const part = { order_id: rows[0].id, orderline: [{ id, quantity: 1 }], is_invoiced: 1 };
  expect((await client.post('/order/credit', part)).status).to.equal(201);
}

/**
 * Invoices that two credit notes take back. The last note has a cent more VAT at one rate than its net has, and a cent
 * less at the other. It is made and invoiced last, invoiced last only, or not invoiced.
 */
async function addOppositeCents(client: Client): Promise<void> {
  const { id: contact_id } = await buildBuyer(client);
  const lines = [
    { vat_code: HIGH, price: 10.12 },
    { vat_code: LOW, price: 10.05 },
  ];
  for (const turns of [[0, 1], [1, 0], []]) {
    const { id: order_id } = await build(client, 'order', { contact_id });
    const parts: Json[][] = [[], []];
    for (const part of parts)
      for (const line of lines) part.push({ id: (await addLine(client, order_id, line)).id, quantity: 1 });
    expect((await invoiceIt(client, order_id)).data.total_vat).to.equal(6.06);
    const notes: number[] = [];
    for (const orderline of parts)
      notes.push((await client.post('/order/credit', { order_id, orderline })).data.id);
    for (const turn of turns)
      expect((await invoiceIt(client, notes[turn] ?? 0)).data.total_vat).to.equal(-3.03);
  }
}

/** Adds records that seeding does not make. Answers the place of a document's file. */
export async function addRareRecords(client: Client): Promise<string> {
  await build(client, 'webhooksubscription', { is_blocked: 1 });
  await addDeposits(client);
  await addOldInvoice(client);
  await addOppositeCents(client);
  const child = await build(client, 'contact');
  const parent = await build(client, 'contact', { parent_contact_id: child.id });
  await client.put(`/contact/${child.id}`, { parent_contact_id: parent.id });
  await client.put(`/article/${(await build(client, 'article')).id}`, { is_archived: 1 });
  const vehicle = await build(client, 'vehicle');
  await client.put('/updatelicenseplate', { id: vehicle.id, license_plate: 'ZZ-999-Z' });
  await client.put(`/vehicle/${vehicle.id}`, { is_blocked: 1 });
  await buildInvoice(client);
  const content = CONTENT.toString('base64');
  const { sha256 } = await build(client, 'document', { name: 'rare', content });
  return inStorage('documents', sha256);
}
