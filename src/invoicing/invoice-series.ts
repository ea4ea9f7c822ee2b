// Sets the invoice counters after a restore wrote invoices with their numbers. Each year's counter continues after
// the highest number of that year.

import { raiseCounter } from '../model/counter.ts';
import { onIndex } from '../model/fragment.ts';
import type { Session } from '../model/session.ts';
import { Order } from '../resources/order.ts';
import { invoiceCounter, readInvoiceNumber } from '../trade/invoice-number.ts';
import { formatTimestamp } from '../trade/timestamp.ts';

const ROWS_AT_A_TIME = 5_000;

/** Lets the invoice counters of an owner go on behind the numbers of its invoices. */
export async function continueInvoiceNumbers(session: Session, owner: number): Promise<void> {
  const last = new Map<number, number>();
  for await (const { invoice_number, invoice_date } of invoices(session, owner)) {
    const date = new Date(formatTimestamp(String(invoice_date)));
    const { year, count } = readInvoiceNumber(String(invoice_number), date) ?? {};
    if (year !== undefined && count !== undefined) last.set(year, Math.max(count, last.get(year) ?? 0));
  }
  for (const [year, count] of last) await raiseCounter(session, owner, invoiceCounter(year), count);
}

async function* invoices(session: Session, owner: number): AsyncGenerator<Order> {
  const { table } = Order.resource;
  let after = 0;
  for (;;) {
    const rows = await Order.of(session, owner)
      .from(onIndex(table, table, 'PRIMARY'))
      .select('id', 'invoice_number', 'invoice_date')
      .where('id', '>', after)
      .whereNotNull('invoice_number')
      .whereNotNull('invoice_date')
      .orderBy('id')
      .limit(ROWS_AT_A_TIME);
    yield* rows;
    if (rows.length < ROWS_AT_A_TIME) return;
    after = rows.at(-1)?.id ?? after;
  }
}
