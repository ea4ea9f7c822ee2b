import { ownedTable } from './table.ts';

export const { up } = ownedTable('orders', (t) => {
  t.integer('order_number');
  t.tinyint('order_type').notNullable();
  t.tinyint('order_status').notNullable().defaultTo(2);
  t.tinyint('is_invoiced').notNullable().defaultTo(0);
  t.datetime('order_date', { precision: 3 }).notNullable();
  t.integer('contact_id').notNullable();
  t.integer('invoice_contact_id');
  t.integer('vehicle_id');
  t.integer('employee_id');
  t.integer('mileage');
  t.datetime('appointment_at', { precision: 3 });
  t.datetime('planned_out_at', { precision: 3 });
  t.string('reference', 60);
  t.string('buyer_reference', 60);
  t.text('description');
  t.text('remarks_internal');
  t.string('invoice_number', 20);
  t.datetime('invoice_date', { precision: 3 });
  t.datetime('due_date', { precision: 3 });
  t.integer('credited_order_id');
  t.decimal('total_net', 16, 2).notNullable().defaultTo('0.00');
  t.decimal('total_vat', 16, 2).notNullable().defaultTo('0.00');
  t.decimal('total_gross', 16, 2).notNullable().defaultTo('0.00');
  t.decimal('amount_open', 16, 2);
  t.decimal('net_high', 16, 2).notNullable().defaultTo('0.00');
  t.decimal('net_low', 16, 2).notNullable().defaultTo('0.00');
  t.unique(['owner_id', 'order_number'], { indexName: 'orders__order_number' });
  t.index(['owner_id', 'order_number'], 'orders__order_number__order');
  t.index(['owner_id', 'order_type'], 'orders__order_type');
  t.index(['owner_id', 'order_status'], 'orders__order_status');
  t.index(['owner_id', 'is_invoiced'], 'orders__is_invoiced');
  t.index(['owner_id', 'order_date'], 'orders__order_date');
  t.index(['owner_id', 'contact_id'], 'orders__contact_id');
  t.index(['owner_id', 'invoice_contact_id'], 'orders__invoice_contact_id');
  t.index(['owner_id', 'vehicle_id'], 'orders__vehicle_id');
  t.index(['owner_id', 'employee_id'], 'orders__employee_id');
  t.index(['owner_id', 'reference'], 'orders__reference');
  t.unique(['owner_id', 'invoice_number'], { indexName: 'orders__invoice_number' });
  t.index(['owner_id', 'invoice_number'], 'orders__invoice_number__order');
  t.index(['owner_id', 'invoice_date'], 'orders__invoice_date');
  t.index(['owner_id', 'due_date'], 'orders__due_date');
  t.index(['owner_id', 'amount_open'], 'orders__amount_open');
  t.index(['owner_id', 'credited_order_id'], 'orders__credited_order_id');
  t.index(['owner_id', 'order_type', 'order_date'], 'orders__order_type__order_date');
  t.index(['owner_id', 'order_status', 'order_date'], 'orders__order_status__order_date');
  t.foreign(['owner_id', 'contact_id'], 'orders__contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
  t.foreign(['owner_id', 'invoice_contact_id'], 'orders__invoice_contact_id__reference')
    .references(['owner_id', 'id'])
    .inTable('contacts');
  t.foreign(['owner_id', 'vehicle_id'], 'orders__vehicle_id__reference')
    .references(['owner_id', 'id'])
    .inTable('vehicles');
  t.foreign(['owner_id', 'employee_id'], 'orders__employee_id__reference')
    .references(['owner_id', 'id'])
    .inTable('employees');
  t.foreign(['owner_id', 'credited_order_id'], 'orders__credited_order_id__reference')
    .references(['owner_id', 'id'])
    .inTable('orders');
});
