// Lets the numbering of invoices go on where records were written as they are: the counters of the years are
// those that the invoices there are bear witness to.
import { startCounter } from '../model/counter.ts';
import type { Session } from '../model/session.ts';
import { invoiceCounter, readInvoiceNumber } from '../trade/invoice-number.ts';
import { formatTimestamp } from '../trade/timestamp.ts';

const ROWS_AT_A_TIME = 5_000;

/** For an owner whose counters of invoices have not counted yet. */
export async function continueInvoiceNumbers(session: Session, owner: number): Promise<void> {
  const last = new Map<number, number>();
  for await (const { number, date } of invoices(session, owner)) {
    const { year, count } = readInvoiceNumber(number, date) ?? {};
    if (year !== undefined && count !== undefined) last.set(year, Math.max(count, last.get(year) ?? 0));
  }
  for (const [year, count] of last) await startCounter(session, owner, invoiceCounter(year), count);
}

async function* invoices(session: Session, owner: number): AsyncGenerator<{ number: string; date: Date }> {
  const sql =
    'SELECT id, invoice_number, invoice_date FROM orders FORCE INDEX (PRIMARY) WHERE owner_id = ? AND id > ? ' +
    `AND invoice_number IS NOT NULL AND invoice_date IS NOT NULL ORDER BY id LIMIT ${ROWS_AT_A_TIME}`;
  let rows: Awaited<ReturnType<Session['rows']>>;
  let after = 0;
  do {
    rows = await session.rows(sql, [owner, after]);
    for (const { invoice_number, invoice_date } of rows)
      yield { number: String(invoice_number), date: new Date(formatTimestamp(String(invoice_date))) };
    after = Number(rows.at(-1)?.id);
  } while (rows.length === ROWS_AT_A_TIME);
}
