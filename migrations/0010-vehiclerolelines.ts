import { ownedTable } from './table.ts';

export const { up } = ownedTable('vehiclerolelines', (t) => {
  t.integer('vehicle_id').notNullable();
  t.integer('contact_id').notNullable();
  t.tinyint('role_kind').notNullable();
  t.datetime('start_date', { precision: 3 }).notNullable();
  t.datetime('end_date', { precision: 3 });
  t.string('contract_number', 40);
  t.text('notes');
  t.index(['owner_id', 'vehicle_id'], 'vehiclerolelines__vehicle_id');
  t.index(['owner_id', 'contact_id'], 'vehiclerolelines__contact_id');
  t.index(['owner_id', 'role_kind'], 'vehiclerolelines__role_kind');
  t.index(['owner_id', 'end_date'], 'vehiclerolelines__end_date');
  t.foreign(['owner_id', 'vehicle_id'], 'vehiclerolelines__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
  t.foreign(['owner_id', 'contact_id'], 'vehiclerolelines__contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
});
