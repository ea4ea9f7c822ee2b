import { ownedTable } from './table.ts';

export const { up } = ownedTable('licenseplatehistory', (t) => {
  t.integer('vehicle_id').notNullable();
  t.string('license_plate', 12).notNullable();
  t.datetime('changed_at', { precision: 3 }).notNullable();
  t.index(['owner_id', 'vehicle_id'], 'licenseplatehistory__vehicle_id');
  t.foreign(['owner_id', 'vehicle_id'], 'licenseplatehistory__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
});
