import { ownedTable } from './table.ts';

export const { up } = ownedTable('documents', (t) => {
  t.tinyint('document_kind').notNullable();
  t.string('name', 150).notNullable();
  t.string('file_name', 200).notNullable();
  t.string('mime_type', 100).notNullable();
  t.integer('size');
  t.string('sha256', 64);
  t.integer('order_id');
  t.integer('vehicle_id');
  t.integer('contact_id');
  t.text('notes');
  t.index(['owner_id', 'document_kind'], 'documents__document_kind');
  t.index(['owner_id', 'name'], 'documents__name');
  t.index(['owner_id', 'sha256'], 'documents__sha256');
  t.index(['owner_id', 'order_id'], 'documents__order_id');
  t.index(['owner_id', 'vehicle_id'], 'documents__vehicle_id');
  t.index(['owner_id', 'contact_id'], 'documents__contact_id');
  t.foreign(['owner_id', 'order_id'], 'documents__order_id__reference')
    .references(['owner_id', 'id'])
    .inTable('orders');
  t.foreign(['owner_id', 'vehicle_id'], 'documents__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
  t.foreign(['owner_id', 'contact_id'], 'documents__contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
});
