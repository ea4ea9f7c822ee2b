import { table } from './table.ts';

export const { up } = table('job_turns', (t) => {
  t.integer('owner_id').notNullable();
  t.primary(['owner_id']);
  t.foreign(['owner_id'], 'job_turns__owner').references(['id']).inTable('owners').onDelete('CASCADE');
});
