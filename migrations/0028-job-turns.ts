import { table } from './table.ts';

export const { up } = table('job_turns', (t) => {
  t.integer('owner_id').notNullable();
  t.datetime('last_start_at', { precision: 3 });
  t.integer('turns').notNullable().defaultTo(0);
  t.primary(['owner_id']);
  t.foreign(['owner_id'], 'job_turns__owner').references(['id']).inTable('owners').onDelete('CASCADE');
});
