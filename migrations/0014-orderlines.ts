import { ownedTable } from './table.ts';

export const { up } = ownedTable('orderlines', (t) => {
  t.integer('order_id').notNullable();
  t.integer('sort_order');
  t.tinyint('line_kind').notNullable();
  t.integer('article_id');
  t.string('article_number', 40);
  t.string('description', 255).notNullable();
  t.decimal('quantity', 18, 4).notNullable();
  t.tinyint('unit_type');
  t.decimal('price', 18, 4).notNullable();
  t.decimal('discount_percentage', 18, 4);
  t.tinyint('vat_code').notNullable();
  t.decimal('vat_percentage', 18, 4);
  t.integer('turnover_group_id');
  t.integer('vehicle_id');
  t.integer('employee_id');
  t.decimal('purchase_price', 18, 4);
  t.decimal('line_net', 16, 2);
  t.decimal('line_vat', 16, 2);
  t.decimal('margin_vat', 16, 2);
  t.index(['owner_id', 'order_id'], 'orderlines__order_id');
  t.unique(['owner_id', 'order_id', 'sort_order'], { indexName: 'orderlines__sort_order' });
  t.index(['owner_id', 'order_id', 'sort_order'], 'orderlines__sort_order__order');
  t.index(['owner_id', 'line_kind'], 'orderlines__line_kind');
  t.index(['owner_id', 'article_id'], 'orderlines__article_id');
  t.index(['owner_id', 'article_number'], 'orderlines__article_number');
  t.index(['owner_id', 'turnover_group_id'], 'orderlines__turnover_group_id');
  t.index(['owner_id', 'vehicle_id'], 'orderlines__vehicle_id');
  t.index(['owner_id', 'employee_id'], 'orderlines__employee_id');
  t.foreign(['owner_id', 'order_id'], 'orderlines__order_id__reference')
    .references(['owner_id', 'id'])
    .inTable('orders');
  t.foreign(['owner_id', 'article_id'], 'orderlines__article_id__reference')
    .references(['owner_id', 'id'])
    .inTable('articles');
  t.foreign(['owner_id', 'turnover_group_id'], 'orderlines__turnover_group_id__reference')
    .references(['owner_id', 'id'])
    .inTable('turnovergroups');
  t.foreign(['owner_id', 'vehicle_id'], 'orderlines__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
  t.foreign(['owner_id', 'employee_id'], 'orderlines__employee_id__reference')
    .references(['owner_id', 'id'])
    .inTable('employees');
});
