import { ownedTable } from './table.ts';

export const { up } = ownedTable('vehicles', (t) => {
  t.string('license_plate', 12).notNullable();
  t.integer('plate_country_id');
  t.string('vin', 17);
  t.tinyint('vehicle_kind').notNullable();
  t.string('make', 50).notNullable();
  t.string('model', 80).notNullable();
  t.string('version_name', 120);
  t.tinyint('fuel_kind');
  t.tinyint('transmission_kind');
  t.string('color', 40);
  t.datetime('first_registration_date', { precision: 3 });
  t.datetime('apk_expiry_date', { precision: 3 });
  t.integer('mileage');
  t.string('engine_number', 30);
  t.integer('power_kw');
  t.tinyint('stock_status').notNullable();
  t.tinyint('tax_kind');
  t.datetime('purchase_date', { precision: 3 });
  t.decimal('purchase_price', 16, 2);
  t.decimal('sale_price', 16, 2);
  t.decimal('bpm_amount', 16, 2);
  t.datetime('warranty_end_date', { precision: 3 });
  t.tinyint('publish_status').notNullable().defaultTo(0);
  t.datetime('published_at', { precision: 3 });
  t.text('advert_text');
  t.text('notes');
  // Plates are unique without their dashes and spaces. The builder has no computed columns.
  t.specificType(
    'license_plate_key',
    "varchar(12) generated always as (replace(replace(license_plate, '-', ''), ' ', '')) stored",
  );
  t.unique(['owner_id', 'license_plate_key'], { indexName: 'vehicles__license_plate' });
  t.index(['owner_id', 'license_plate_key'], 'vehicles__license_plate__order');
  t.index(['plate_country_id'], 'vehicles__plate_country_id');
  t.index(['owner_id', 'plate_country_id'], 'vehicles__owner_plate_country_id');
  t.unique(['owner_id', 'vin'], { indexName: 'vehicles__vin' });
  t.index(['owner_id', 'vin'], 'vehicles__vin__order');
  t.index(['owner_id', 'vehicle_kind'], 'vehicles__vehicle_kind');
  t.index(['owner_id', 'make'], 'vehicles__make');
  t.index(['owner_id', 'apk_expiry_date'], 'vehicles__apk_expiry_date');
  t.index(['owner_id', 'stock_status'], 'vehicles__stock_status');
  t.index(['owner_id', 'publish_status'], 'vehicles__publish_status');
  t.foreign(['plate_country_id'], 'vehicles__plate_country_id__reference')
    .references(['id'])
    .inTable('countries');
});
