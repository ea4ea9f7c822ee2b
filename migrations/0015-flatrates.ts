import { ownedTable } from './table.ts';

export const { up } = ownedTable('flatrates', (t) => {
  t.string('code', 30).notNullable();
  t.string('name', 120).notNullable();
  t.text('description');
  t.string('vehicle_make', 50);
  t.string('vehicle_model', 80);
  t.tinyint('fuel_kind');
  t.decimal('labour_hours', 18, 4);
  t.tinyint('vat_code');
  t.integer('turnover_group_id');
  t.datetime('valid_from', { precision: 3 });
  t.datetime('valid_until', { precision: 3 });
  t.decimal('total_net', 16, 2).notNullable().defaultTo('0.00');
  t.unique(['owner_id', 'code'], { indexName: 'flatrates__code' });
  t.index(['owner_id', 'name'], 'flatrates__name');
  t.index(['owner_id', 'turnover_group_id'], 'flatrates__turnover_group_id');
  t.foreign(['owner_id', 'turnover_group_id'], 'flatrates__turnover_group_id__reference')
    .references(['owner_id', 'id'])
    .inTable('turnovergroups');
});
