// Invoices of a day, with the lines that a test of the books needs.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { storable } from '../../../src/core/trade/time/day.ts';
import { build, buildBuyer } from '../build/build.ts';
import { addLine, invoiceIt } from '../build/order.ts';
import type { Client, Json } from '../client/client.ts';
import { expect } from '../client/expect.ts';
import { execute, select } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { journalOf } from './journal.ts';

/** An invoice of a day, `YYYY-MM-DD` or an instant. Its due date is 14 days later. */
export async function invoiceOn(client: Client, at: string, lines: readonly Json[], order: Json = {}) {
  const contact_id = order.contact_id ?? (await buildBuyer(client)).id;
  const { id } = await build(client, 'order', {
    order_type: LISTS.ordertypes.WORKSHOP,
    ...order,
    contact_id,
  });
  for (const line of lines) await addLine(client, id, line);
  const answer = await invoiceIt(client, id);
  expect(answer.status, answer.text).to.equal(200);
  await dateInvoice(client, id, at);
  return (await client.get(`/order/${id}?expand=orderline`)).data;
}

/** Moves an invoice to another day, as no request can. `booked`: the day in the books, if it is another. */
export async function dateInvoice(
  { garage: { owner } }: Client,
  id: number,
  at: string,
  booked = at,
): Promise<void> {
  const instantOf = (day: string) => new Date(day.length === 10 ? `${day}T12:00:00Z` : day);
  const instant = instantOf(at);
  const due = new Date(instant.getTime() + 14 * 86_400_000);
  await execute(
    database(),
    'UPDATE orders SET invoice_date = ?, book_date = ?, due_date = ? WHERE owner_id = ? AND id = ?',
    [...[instant, instantOf(booked), due].map(storable), owner, id],
  );
}

/** Sets fields of the garage. */
export async function setGarage(client: Client, body: Json): Promise<void> {
  const answer = await client.put(`/owner/${client.garage.owner}`, body);
  expect(answer.status, answer.text).to.equal(200);
}

/** Sets what holds from the beginning of time, also when there are invoices. */
export async function setFirstRegime(client: Client, body: Json): Promise<void> {
  const [first] = (await client.get('/vatregime?sort=valid_from')).data;
  const answer = await client.put(`/vatregime/${first.id}`, body);
  expect(answer.status, answer.text).to.equal(200);
}

/** The IDs of countries in and outside the EU. */
export async function countries(): Promise<{ de: number; ch: number }> {
  const rows = await select(database(), "SELECT id, code FROM countries WHERE code IN ('DE', 'CH')");
  const id = (code: string) => Number(rows.find((row) => row.code === code)?.id);
  return { de: id('DE'), ch: id('CH') };
}

/** The VAT that the garage deducts on a day, and the invoices in the journal of that day. */
export async function countedOn(
  client: Client,
  day: string,
  order: 'return first' | 'journal first' = 'return first',
) {
  const readReturn = async () => (await client.get(`/vatreturn?from=${day}&to=${day}`)).data['5b'].vat;
  const readJournal = async () => {
    const { lines } = await journalOf(client, day, day);
    return new Set(lines.map(({ entry }) => entry)).size;
  };
  if (order === 'return first') return { deducted: await readReturn(), entries: await readJournal() };
  const entries = await readJournal();
  return { deducted: await readReturn(), entries };
}
