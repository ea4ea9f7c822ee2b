import { table } from './table.ts';

export const { up } = table('job_callbacks', (t) => {
  t.specificType('id', 'bigint not null auto_increment');
  t.specificType('job_id', 'char(36) character set ascii collate ascii_bin').notNullable();
  t.datetime('at', { precision: 3 }).notNullable();
  t.smallint('status');
  t.string('error', 500);
  t.primary(['id']);
  t.index(['job_id', 'id'], 'job_callbacks__job_id');
  t.foreign(['job_id'], 'job_callbacks__job_id__reference')
    .references(['id'])
    .inTable('jobs')
    .onDelete('CASCADE');
});
