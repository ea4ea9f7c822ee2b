// The migration that gives older invoices their day in the books.
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, buildInvoice } from '../../support/build/build.ts';
import { newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { database } from '../../support/service/service.ts';

const MIGRATION = fileURLToPath(new URL('../../../migrations/0058-book-dates.js', import.meta.url));

describe('the migration of the days in the books', () => {
  it('fills older invoices only, and may run again', async () => {
    const client = await newClient();
    const invoices = [await buildInvoice(client), await buildInvoice(client)];
    const [older, newer] = invoices.map(({ id }) => id);
    const { id: open } = await build(client, 'order');
    const dated = (id: number, date: string | null) =>
      execute(database(), 'UPDATE orders SET book_date = ? WHERE id = ?', [date, id]);
    await dated(older, null);
    await dated(newer, '2026-01-31 12:00:00');

    const { up } = await import(pathToFileURL(MIGRATION).href);
    for (const _ of [1, 2]) await up(database().knex);

    const rows = await select(
      database(),
      'SELECT id, invoice_date = book_date AS is_same, book_date IS NULL AS is_empty FROM orders WHERE id IN (?, ?, ?) ORDER BY id',
      [older, newer, open],
    );
    expect(rows).to.deep.equal([
      { id: older, is_same: 1, is_empty: 0 },
      { id: newer, is_same: 0, is_empty: 0 },
      { id: open, is_same: null, is_empty: 1 },
    ]);
  }).timeout(60_000);
});
