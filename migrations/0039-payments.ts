// Payments, and what is still to be paid of each invoice.
import { changes, ownedTable, together } from './table.ts';

export const { up } = together(
  ownedTable('payments', (t) => {
    t.integer('lock_count').notNullable().defaultTo(0);
    t.integer('order_id').notNullable();
    t.decimal('amount', 16, 2).notNullable();
    t.datetime('paid_at', { precision: 3 }).notNullable();
    t.tinyint('method').notNullable();
    t.string('reference', 60);
    t.integer('payer_id');
    t.index(['owner_id', 'order_id'], 'payments__order_id');
    t.index(['owner_id', 'paid_at'], 'payments__paid_at');
    t.index(['owner_id', 'method'], 'payments__method');
    t.index(['owner_id', 'reference'], 'payments__reference');
    t.foreign(['owner_id', 'order_id'], 'payments__order_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orders');
  }),
  changes('orders', (t, has) => {
    if (!has('amount_open')) t.decimal('amount_open', 16, 2);
    if (!has('orders__amount_open')) t.index(['owner_id', 'amount_open'], 'orders__amount_open');
  }),
  {
    up: async (knex) => {
      await knex('orders')
        .where('is_invoiced', 1)
        .whereNull('amount_open')
        .update({ amount_open: knex.ref('total_gross') });
    },
  },
);
