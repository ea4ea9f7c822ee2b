import { ownedTable } from './table.ts';

export const { up } = ownedTable('payments', (t) => {
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
});
