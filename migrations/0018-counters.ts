import { table } from './table.ts';

export const { up } = table('counters', (t) => {
  t.integer('owner_id').notNullable();
  t.string('name', 40).notNullable();
  t.integer('value').notNullable();
  t.primary(['owner_id', 'name']);
  t.foreign(['owner_id'], 'counters__owner').references(['id']).inTable('owners').onDelete('CASCADE');
});
