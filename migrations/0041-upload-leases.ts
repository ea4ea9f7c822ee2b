// Which uploads run now, each with a lease, so that an owner has few at once over all processes.
import { table } from './table.ts';

export const { up } = table('upload_leases', (t) => {
  t.specificType('id', 'char(36) character set ascii collate ascii_bin').notNullable();
  t.integer('owner_id').notNullable();
  t.datetime('lease_until', { precision: 3 }).notNullable();
  t.primary(['id']);
  t.index(['owner_id', 'lease_until'], 'upload_leases__owner_id');
  t.foreign(['owner_id'], 'upload_leases__owner').references(['id']).inTable('owners').onDelete('CASCADE');
});
