import { ownedTable } from './table.ts';

export const { up } = ownedTable('articles', (t) => {
  t.string('article_number', 40).notNullable();
  t.string('description', 255).notNullable();
  t.tinyint('article_kind').notNullable();
  t.tinyint('unit_type').notNullable();
  t.string('brand', 60);
  t.string('ean', 14);
  t.integer('supplier_contact_id');
  t.decimal('purchase_price', 18, 4);
  t.decimal('price', 18, 4).notNullable();
  t.tinyint('vat_code').notNullable();
  t.integer('turnover_group_id').notNullable();
  t.decimal('stock_quantity', 18, 4);
  t.string('location', 30);
  t.tinyint('is_stock_item').notNullable().defaultTo(0);
  t.unique(['owner_id', 'article_number'], { indexName: 'articles__article_number' });
  t.index(['owner_id', 'description'], 'articles__description');
  t.index(['owner_id', 'article_kind'], 'articles__article_kind');
  t.index(['owner_id', 'ean'], 'articles__ean');
  t.index(['owner_id', 'supplier_contact_id'], 'articles__supplier_contact_id');
  t.index(['owner_id', 'turnover_group_id'], 'articles__turnover_group_id');
  t.foreign(['owner_id', 'supplier_contact_id'], 'articles__supplier_contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
  t.foreign(['owner_id', 'turnover_group_id'], 'articles__turnover_group_id__reference')
    .references(['owner_id', 'id'])
    .inTable('turnovergroups');
});
