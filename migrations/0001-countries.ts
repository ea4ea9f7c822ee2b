import { sharedTable } from './table.ts';

export const { up } = sharedTable('countries', (t) => {
  t.string('code', 2).notNullable();
  t.string('name', 80).notNullable();
  t.tinyint('is_eu').notNullable().defaultTo(0);
  t.unique(['code'], { indexName: 'countries__code' });
});
