import { ownedTable } from './table.ts';

export const { up } = ownedTable('flatratelines', (t) => {
  t.integer('flatrate_id').notNullable();
  t.integer('sort_order');
  t.integer('article_id');
  t.string('article_number', 40);
  t.tinyint('article_kind');
  t.tinyint('unit_type');
  t.string('description', 255);
  t.decimal('quantity', 18, 4);
  t.decimal('price', 18, 4);
  t.integer('turnover_group_id');
  t.tinyint('is_manual_input').notNullable().defaultTo(0);
  t.tinyint('is_no_article_price').notNullable().defaultTo(0);
  t.index(['owner_id', 'flatrate_id'], 'flatratelines__flatrate_id');
  t.index(['owner_id', 'article_id'], 'flatratelines__article_id');
  t.index(['owner_id', 'turnover_group_id'], 'flatratelines__turnover_group_id');
  t.foreign(['owner_id', 'flatrate_id'], 'flatratelines__flatrate_id__reference')
    .references(['owner_id', 'id'])
    .inTable('flatrates');
  t.foreign(['owner_id', 'article_id'], 'flatratelines__article_id__reference')
    .references(['owner_id', 'id'])
    .inTable('articles');
  t.foreign(['owner_id', 'turnover_group_id'], 'flatratelines__turnover_group_id__reference')
    .references(['owner_id', 'id'])
    .inTable('turnovergroups');
});
