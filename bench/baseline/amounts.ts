// The amounts of a line and of its order, computed in whole cents and only for the VAT codes that the bench uses.
// The service computes them on decimals.
import { LISTS } from '../../src/core/trade/lists.ts';
import { databaseNow } from '../../src/core/trade/time/timestamp.ts';
import { percentageOn } from '../../src/core/trade/vat-code.ts';
import type { Row, Value } from './database.ts';

const { HIGH, LOW } = LISTS.vatcodes;
const PARTS = 10_000;

/** Today in UTC: a time zone would cost each request more than its routing. */
const today = () => databaseNow().slice(0, 10);

interface Amounts {
  readonly quantity: string;
  readonly price: string;
  readonly line_net: string;
  readonly line_vat: string;
  readonly line_gross: string;
  readonly vat_percentage: string;
}

export function lineAmounts(quantity: number, price: number, vatCode: number): Amounts {
  const pieces = Math.round(quantity * PARTS);
  const each = Math.round(price * PARTS);
  const net = round(Number((BigInt(pieces) * BigInt(each)) / 100n) / 10_000);
  return {
    quantity: (pieces / PARTS).toFixed(4),
    price: (each / PARTS).toFixed(4),
    line_net: euros(net),
    line_vat: euros(vat(net, vatCode)),
    line_gross: euros(net + vat(net, vatCode)),
    vat_percentage: percentageOn(vatCode, today()),
  };
}

export const ORDER_AMOUNTS = [
  'net_high',
  'net_low',
  'vat_high',
  'vat_low',
  'total_net',
  'total_vat',
  'total_gross',
];

/** The amounts of an order after a change of one line, in the order of ORDER_AMOUNTS. */
export function orderAmounts(order: Row, vatCode: number, before: Value, after: Value): string[] {
  const change = cents(after) - cents(before);
  const high = cents(order.net_high) + (vatCode === HIGH ? change : 0);
  const low = cents(order.net_low) + (vatCode === LOW ? change : 0);
  const net = cents(order.total_net) + change;
  const [vatHigh, vatLow] = [vat(high, HIGH), vat(low, LOW)];
  const due = vatHigh + vatLow;
  return [high, low, vatHigh, vatLow, net, due, net + due].map(euros);
}

const vat = (net: number, code: number) => round((net * Number(percentageOn(code, today()))) / 100);

/** Half away from zero. */
const round = (value: number) => Math.sign(value) * Math.round(Math.abs(value));

const cents = (value: Value | undefined) => Math.round(Number(value ?? 0) * 100);

const euros = (value: number) => (value / 100).toFixed(2);
