// The migration of payments gives the invoices that are there their open amount. It can run again after it was cut off.
import { expect } from 'chai';
import { up } from '../../migrations/0039-payments.ts';
import { openScratchTables, type ScratchTables } from '../../src/database/scratch-tables.ts';

const AT = '2026-05-01 10:00:00.000';

describe('the migration of payments', () => {
  let scratch: ScratchTables;
  before(async function () {
    this.timeout(60_000);
    scratch = await openScratchTables();
  });
  after(() => scratch.close());

  it('opens the total of each invoice, and leaves other orders without an amount', async () => {
    const order = {
      owner_id: 1,
      order_type: 1,
      contact_id: 1,
      order_date: AT,
      created_at: AT,
      modified_at: AT,
    };
    await scratch.knex.transaction(async (trx) => {
      await trx.raw('SET foreign_key_checks = 0');
      await trx('orders').insert({ ...order, is_invoiced: 1, total_gross: '121.00' });
      await trx('orders').insert({ ...order, is_invoiced: 1, total_gross: '-12.10' });
      await trx('orders').insert({ ...order, is_invoiced: 0, total_gross: '5.00' });
    });

    await up(scratch.knex);

    const amounts = await scratch.knex('orders').orderBy('id').pluck('amount_open');
    expect(amounts).to.deep.equal(['121.00', '-12.10', null]);
  });
});
