import { ownedTable } from './table.ts';

export const { up } = ownedTable('invoiceparties', (t) => {
  t.integer('order_id').notNullable();
  t.text('seller', 'mediumtext').notNullable();
  t.text('buyer', 'mediumtext').notNullable();
  t.text('vehicles', 'mediumtext').notNullable();
  t.unique(['owner_id', 'order_id'], { indexName: 'invoiceparties__order_id' });
  t.foreign(['owner_id', 'order_id'], 'invoiceparties__order_id__reference')
    .references(['owner_id', 'id'])
    .inTable('orders');
});
