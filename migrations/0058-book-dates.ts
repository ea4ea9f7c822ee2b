// The day on which an invoice counts in the books, and the date of the seller's own invoice. Older invoices count on their date. A process of
// the release before goes on writing invoices without a book_date: the service completes these later.
import type { Knex } from 'knex';
import { changes } from './table.ts';

const PORTION = 1_000;

const columns = changes('orders', (t, has) => {
  if (!has('supplier_invoice_date')) t.datetime('supplier_invoice_date', { precision: 3 });
  if (!has('book_date')) t.datetime('book_date', { precision: 3 });
  if (!has('orders__book_date')) t.index(['owner_id', 'book_date'], 'orders__book_date');
  if (!has('orders__is_invoiced__book_date'))
    t.index(['owner_id', 'is_invoiced', 'book_date'], 'orders__is_invoiced__book_date');
});

export async function up(knex: Knex): Promise<void> {
  await columns.up(knex);
  for (let last: number | undefined = 0; last !== undefined; ) last = await fillSome(knex, last);
}

/** Fills the next invoices behind an ID, and answers the last ID. Undefined: no invoice is left. */
async function fillSome(knex: Knex, behind: number): Promise<number | undefined> {
  const rows: { id: number }[] = await knex('orders')
    .select('id')
    .where({ is_invoiced: 1, book_date: null })
    .where('id', '>', behind)
    .whereNotNull('invoice_date')
    .orderBy('id')
    .limit(PORTION);
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await again(() => fill(knex, ids));
  return ids.at(-1);
}

/** Each statement commits by itself and locks only these rows, so requests to the release before wait briefly. */
const fill = (knex: Knex, ids: readonly number[]) =>
  knex('orders')
    .whereIn('id', ids)
    .whereNull('book_date')
    .update({ book_date: knex.ref('invoice_date') });

/** A request to the release before may write the same row at another node of a cluster. */
async function again(write: () => PromiseLike<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await write();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'ER_LOCK_DEADLOCK' || tries === MOST_TRIES) throw error;
    }
  }
}

const MOST_TRIES = 30;
