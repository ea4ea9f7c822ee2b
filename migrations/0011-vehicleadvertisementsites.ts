import { ownedTable } from './table.ts';

export const { up } = ownedTable('vehicleadvertisementsites', (t) => {
  t.integer('vehicle_id').notNullable();
  t.tinyint('site_kind').notNullable();
  t.decimal('price', 16, 2);
  t.string('title', 120);
  t.string('deeplink', 255);
  t.datetime('publish_from', { precision: 3 });
  t.datetime('publish_until', { precision: 3 });
  t.index(['owner_id', 'vehicle_id'], 'vehicleadvertisementsites__vehicle_id');
  t.unique(['owner_id', 'vehicle_id', 'site_kind'], { indexName: 'vehicleadvertisementsites__site_kind' });
  t.foreign(['owner_id', 'vehicle_id'], 'vehicleadvertisementsites__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
});
