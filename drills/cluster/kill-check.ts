// The checks when all clients have ended: the rules of the trade, over all records of the garage.

import { LISTS } from '../../src/core/trade/lists.ts';
import type { Json } from '../../test/support/client/client.ts';
import type { Report } from '../chaos/report.ts';
import { count, type Marked } from './ledger.ts';
import { numberOf } from './pair-trade.ts';

const { vehicleroles } = LISTS;

export function checkTrade(report: Report, records: Record<Marked, Json[]>): void {
  checkNumbers(report, records.order);
  checkCredits(report, records.order);
  checkTotals(report, records);
  const owners = records.vehicleroleline.filter(({ role_kind }) => role_kind === vehicleroles.OWNER);
  checkOne(report, 'owner', count(owners.map(({ vehicle_id }) => vehicle_id)));
  const preferred = records.contactcommunication.filter(({ is_prefered_email }) => is_prefered_email === 1);
  checkOne(report, 'preferred e-mail', count(preferred.map(({ contact_id }) => contact_id)));
}

/** From the first to the last, each once. */
export function checkNumbers(report: Report, orders: readonly Json[]): void {
  const numbers = orders
    .filter(({ is_invoiced }) => is_invoiced === 1)
    .map(({ invoice_number }) => numberOf(invoice_number))
    .sort((one, other) => one - other);
  const unique = new Set(numbers).size;
  const gaps = Math.max(0, ...numbers) - unique;
  report.say(
    `  ${numbers.length} invoices: ${gaps} gaps, ${numbers.length - unique} doubles in their numbers`,
  );
  report.demand(gaps === 0 && unique === numbers.length, 'the invoice numbers have gaps or doubles');
}

function checkCredits(report: Report, orders: readonly Json[]): void {
  const left = new Map<unknown, number>();
  for (const { id, is_invoiced, credited_order_id, total_gross } of orders) {
    if (is_invoiced !== 1) continue;
    const invoice = credited_order_id ?? id;
    left.set(invoice, (left.get(invoice) ?? 0) + Math.round(100 * Number(total_gross)));
  }
  const credited = new Set(orders.flatMap((order) => (order.is_invoiced ? [order.credited_order_id] : [])));
  const exceeded = [...left.values()].filter((cents) => cents < 0).length;
  report.say(`  ${credited.size - 1} of them were credited: ${exceeded} by more than they were`);
  report.demand(exceeded === 0, `${exceeded} invoices were credited by more than they were`);
}

function checkTotals(report: Report, { order, orderline }: Record<Marked, Json[]>): void {
  const sums = new Map<unknown, number>();
  for (const { order_id, line_net } of orderline)
    sums.set(order_id, (sums.get(order_id) ?? 0) + Math.round(100 * Number(line_net)));
  const wrong = order.filter(
    ({ id, total_net }) => Math.round(100 * Number(total_net)) !== (sums.get(id) ?? 0),
  );
  report.demand(wrong.length === 0, `${wrong.length} orders have a total that is not the sum of their lines`);
}

function checkOne(report: Report, what: string, counts: Map<unknown, number>): void {
  const more = [...counts.values()].filter((number) => number > 1).length;
  report.say(`  ${counts.size} have an ${what}: ${more} have more than one`.replace('an p', 'a p'));
  report.demand(more === 0, `${more} have more than one ${what}`);
}
