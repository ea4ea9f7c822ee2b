import { ownedTable } from './table.ts';

export const { up } = ownedTable('turnovergroups', (t) => {
  t.string('code', 10).notNullable();
  t.string('name', 80).notNullable();
  t.string('ledger_account', 20);
  t.string('cost_ledger_account', 20);
  t.tinyint('vat_code').notNullable();
  t.integer('sort_order');
  t.unique(['owner_id', 'code'], { indexName: 'turnovergroups__code' });
  t.index(['owner_id', 'name'], 'turnovergroups__name');
  t.index(['owner_id', 'sort_order'], 'turnovergroups__sort_order');
});
