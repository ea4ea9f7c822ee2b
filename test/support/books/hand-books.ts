// The books of a garage worked out by hand: from its orders, lines and payments as lists show them, without a function
// of the service. Amounts are in cents.
import { LISTS } from '../../../src/core/trade/lists.ts';
import { dayOf } from '../build/day.ts';
import type { Client, Json } from '../client/client.ts';
import { listed } from '../client/export.ts';
import { select } from '../database/sql.ts';
import { database } from '../service/service.ts';
import { toCents } from './journal.ts';

const { VEHICLE_PURCHASE, VEHICLE_SALES, INTERNAL_REVERSAL } = LISTS.ordertypes;
const { TRADE_IN, DEPOSIT, LABOUR } = LISTS.linekinds;
const { HIGH, LOW, ZERO, REVERSE_CHARGE, MARGIN, INTRA_COMMUNITY, EXPORT } = LISTS.vatcodes;
const NETHERLANDS = 1;
const RATES = [
  [HIGH, '1a', 21],
  [LOW, '1b', 9],
] as const;
const WITHOUT_VAT: Readonly<Record<number, string>> = {
  [ZERO]: '1e',
  [EXPORT]: '3a',
  [INTRA_COMMUNITY]: '3b',
};
const REVERSED = {
  sale: { home: '1e', eu: '3b', elsewhere: undefined },
  purchase: { home: '2a', eu: '4b', elsewhere: '4a' },
} as const;

export interface Records {
  readonly orders: ReadonlyMap<unknown, Json>;
  readonly lines: ReadonlyMap<unknown, readonly Json[]>;
  readonly payments: readonly Json[];
  readonly contacts: ReadonlyMap<unknown, Json>;
  readonly eu: ReadonlySet<unknown>;
}

/** The invoices of the garage, with their lines and payments. */
export async function readRecords(client: Client): Promise<Records> {
  const byId = (records: readonly Json[]) => new Map(records.map((record) => [record.id, record]));
  const lines = new Map<unknown, Json[]>();
  for (const line of await listed(client, '/orderline?sort=id'))
    lines.set(line.order_id, [...(lines.get(line.order_id) ?? []), line]);
  const eu = await select(database(), 'SELECT id FROM countries WHERE is_eu = 1');
  return {
    orders: byId(await listed(client, '/order?filter=is_invoiced:1')),
    lines,
    payments: await listed(client, '/payment?sort=id'),
    contacts: byId(await listed(client, '/contact?sort=id')),
    eu: new Set(eu.map(({ id }) => id)),
  };
}

const payerOf = ({ invoice_contact_id, contact_id }: Json): unknown => invoice_contact_id ?? contact_id;

/** The order that decides about a credit note. */
const originOf = ({ orders }: Records, order: Json): Json => orders.get(order.credited_order_id) ?? order;

export const isBought = (records: Records, order: Json): boolean =>
  originOf(records, order).order_type === VEHICLE_PURCHASE;

const isWithin = (at: unknown, from: string, to: string): boolean =>
  dayOf(String(at)) >= from && dayOf(String(at)) <= to;

/** Rounded half away from zero. */
const part = (amount: number, numerator: number, denominator: number): number =>
  Math.sign(amount) * Math.round((Math.abs(amount) * numerator) / denominator);

const sum = (rows: readonly Json[], field: string): number =>
  rows.reduce((total, row) => total + toCents(row[field]), 0);

/** The open amount of each invoice at the end of a day. */
export function openByInvoice(records: Records, day: string): Map<Json, number> {
  const open = new Map<Json, number>();
  const add = (order: Json, amount: number) => open.set(order, (open.get(order) ?? 0) + amount);
  for (const order of records.orders.values())
    if (isWithin(order.book_date, '', day)) add(order, toCents(order.total_gross));
  for (const { order_id, paid_at, amount, rounding } of records.payments) {
    const order = records.orders.get(order_id);
    if (order && isWithin(paid_at, '', day)) add(order, -toCents(amount) - toCents(rounding));
  }
  return open;
}

/** The open amounts of sales, or of purchases, by payer at the end of a day. */
export function openBy(records: Records, day: string, bought: boolean): Map<unknown, number> {
  const open = new Map<unknown, number>();
  for (const [order, amount] of openByInvoice(records, day))
    if (isBought(records, order) === bought)
      open.set(payerOf(order), (open.get(payerOf(order)) ?? 0) + amount);
  return open;
}

type Sums = Record<string, { base: number; vat: number }>;

/**
 * The boxes that are not empty, and the supplies to buyers in the EU by VAT number. Margins are counted for each
 * vehicle.
 */
export function boxesOf(records: Records, from: string, to: string) {
  const boxes: Sums = {};
  const icp: Record<string, { goods: number; services: number }> = {};
  const add = (box: string, base: number, vat: number) => {
    const before = boxes[box] ?? { base: 0, vat: 0 };
    boxes[box] = { base: before.base + base, vat: before.vat + vat };
  };
  for (const order of records.orders.values()) {
    if (!isWithin(order.book_date, from, to)) continue;
    const lines = records.lines.get(order.id) ?? [];
    const purchase = isBought(records, order);
    const bought = lines.filter(({ line_kind }) => purchase || line_kind === TRADE_IN);
    const sold = lines.filter((line) => !bought.includes(line));
    const sign = purchase ? 1 : -1;
    const ofCode = (some: readonly Json[], code: number) => some.filter(({ vat_code }) => vat_code === code);
    for (const [code, box, rate] of RATES) {
      const total = vatOf(order, ofCode(lines, code), rate);
      const [own, theirs] = [ofCode(sold, code), ofCode(bought, code)];
      const input = own.length === 0 ? total : sum(theirs, 'line_vat');
      if (own.length > 0) add(box, sum(own, 'line_net'), total - input);
      if (theirs.length > 0) add('5b', sign * sum(theirs, 'line_net'), sign * input);
    }
    const place = placeOf(records, order);
    for (const [code, box] of Object.entries(WITHOUT_VAT))
      if (ofCode(sold, Number(code)).length > 0) add(box, sum(ofCode(sold, Number(code)), 'line_net'), 0);
    const reversed = REVERSED.sale[place];
    const shifted = ofCode(sold, REVERSE_CHARGE);
    if (reversed && shifted.length > 0) add(reversed, sum(shifted, 'line_net'), 0);
    const abroad = [...ofCode(sold, INTRA_COMMUNITY), ...(place === 'eu' ? shifted : [])];
    const number = String(records.contacts.get(payerOf(order))?.vat_number);
    for (const line of abroad) {
      const buyer = icp[number] ?? { goods: 0, services: 0 };
      icp[number] = buyer;
      buyer[line.line_kind === LABOUR ? 'services' : 'goods'] += toCents(line.line_net);
    }
    for (const code of [REVERSE_CHARGE, INTRA_COMMUNITY]) {
      const net = sign * sum(ofCode(bought, code), 'line_net');
      if (net === 0) continue;
      const box = code === INTRA_COMMUNITY ? '4b' : REVERSED.purchase[place];
      add(box, net, part(net, 21, 100));
      add('5b', net, part(net, 21, 100));
    }
    for (const { taxed, vat } of marginsOf(records, order, ofCode(sold, MARGIN))) add('1a', taxed - vat, vat);
  }
  return { boxes, icp };
}

/** The VAT of an invoice for one rate. Lines that take deposits off have the VAT of the deposits. */
function vatOf(order: Json, lines: readonly Json[], rate: number): number {
  const isOwn = ({ line_kind, credited_line_id }: Json) =>
    order.is_vat_included === 1 ||
    (line_kind === DEPOSIT && credited_line_id !== null && order.order_type !== INTERNAL_REVERSAL);
  const own = lines.filter(isOwn);
  const rest = sum(
    lines.filter((line) => !own.includes(line)),
    'line_net',
  );
  return sum(own, 'line_gross') - sum(own, 'line_net') + part(rest, rate, 100);
}

function placeOf({ contacts, eu }: Records, order: Json): 'home' | 'eu' | 'elsewhere' {
  const country = contacts.get(payerOf(order))?.country_id;
  if (country === NETHERLANDS) return 'home';
  return eu.has(country) ? 'eu' : 'elsewhere';
}

/** The margins that bear VAT, VAT included, of each vehicle or of a single part. A credit note mirrors its invoice. */
function marginsOf(records: Records, order: Json, lines: readonly Json[]) {
  const origin = originOf(records, order);
  const ofOrder = origin.order_type === VEHICLE_SALES ? origin.vehicle_id : null;
  const groups = new Map<unknown, number>();
  for (const line of lines) {
    if (line.line_kind === DEPOSIT) continue;
    const key = line.vehicle_id ?? ofOrder ?? `line ${line.id}`;
    const cost = Math.round(100 * Number(line.quantity) * Number(line.purchase_price));
    groups.set(key, (groups.get(key) ?? 0) + toCents(line.line_net) - cost);
  }
  const side = order.order_type === INTERNAL_REVERSAL ? -1 : 1;
  return [...groups.values()]
    .filter((margin) => side * margin > 0)
    .map((margin) => ({ taxed: margin, vat: part(margin, 21, 121) }));
}

/** Sales less purchases under the margin scheme in a period. */
export function globalMarginOf(records: Records, from: string, to: string): number {
  let margin = 0;
  for (const order of records.orders.values()) {
    if (!isWithin(order.book_date, from, to)) continue;
    const lines = (records.lines.get(order.id) ?? []).filter(({ vat_code }) => vat_code === MARGIN);
    margin += (isBought(records, order) ? -1 : 1) * sum(lines, 'line_net');
  }
  return margin;
}

export const vatWithin = (amount: number): number => part(amount, 21, 121);
