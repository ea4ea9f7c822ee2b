// What the workshop keeps: worked time, mileage readings, tyres of customers, and approvals of lease companies.
import { changes, ownedTable, together } from './table.ts';

export const { up } = together(
  ownedTable('leaseapprovals', (t) => {
    t.integer('order_id').notNullable();
    t.integer('contact_id').notNullable();
    t.tinyint('approval_status').notNullable().defaultTo(1);
    t.decimal('requested_net', 16, 2);
    t.decimal('approved_net', 16, 2);
    t.string('approval_number', 30);
    t.datetime('valid_until', { precision: 3 });
    t.text('reason');
    t.index(['owner_id', 'order_id'], 'leaseapprovals__order_id');
    t.index(['owner_id', 'contact_id'], 'leaseapprovals__contact_id');
    t.index(['owner_id', 'approval_status'], 'leaseapprovals__approval_status');
    t.index(['owner_id', 'approval_number'], 'leaseapprovals__approval_number');
    t.foreign(['owner_id', 'order_id'], 'leaseapprovals__order_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orders');
    t.foreign(['owner_id', 'contact_id'], 'leaseapprovals__contact_id__reference')
      .references(['owner_id', 'id'])
      .inTable('contacts');
  }),
  ownedTable('mileagereadings', (t) => {
    t.integer('vehicle_id').notNullable();
    t.integer('order_id');
    t.integer('reading').notNullable();
    t.datetime('read_at', { precision: 3 }).notNullable();
    t.tinyint('report_status');
    t.datetime('reported_at', { precision: 3 });
    t.string('judgement', 40);
    t.index(['owner_id', 'vehicle_id'], 'mileagereadings__vehicle_id');
    t.index(['owner_id', 'order_id'], 'mileagereadings__order_id');
    t.index(['owner_id', 'read_at'], 'mileagereadings__read_at');
    t.index(['owner_id', 'report_status'], 'mileagereadings__report_status');
    t.index(['owner_id', 'vehicle_id', 'read_at'], 'mileagereadings__vehicle_id__read_at');
    t.foreign(['owner_id', 'vehicle_id'], 'mileagereadings__vehicle_id__reference')
      .references(['owner_id', 'id'])
      .inTable('vehicles');
    t.foreign(['owner_id', 'order_id'], 'mileagereadings__order_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orders');
  }),
  ownedTable('timeentries', (t) => {
    t.integer('employee_id').notNullable();
    t.integer('order_id');
    t.integer('orderline_id');
    t.datetime('started_at', { precision: 3 }).notNullable();
    t.datetime('ended_at', { precision: 3 });
    t.decimal('hours', 18, 4);
    t.text('notes');
    t.index(['owner_id', 'employee_id'], 'timeentries__employee_id');
    t.index(['owner_id', 'order_id'], 'timeentries__order_id');
    t.index(['owner_id', 'orderline_id'], 'timeentries__orderline_id');
    t.index(['owner_id', 'started_at'], 'timeentries__started_at');
    t.index(['owner_id', 'ended_at'], 'timeentries__ended_at');
    t.index(['owner_id', 'employee_id', 'ended_at'], 'timeentries__employee_id__ended_at');
    t.foreign(['owner_id', 'employee_id'], 'timeentries__employee_id__reference')
      .references(['owner_id', 'id'])
      .inTable('employees');
    t.foreign(['owner_id', 'order_id'], 'timeentries__order_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orders');
    t.foreign(['owner_id', 'orderline_id'], 'timeentries__orderline_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orderlines');
  }),
  ownedTable('tyresets', (t) => {
    t.integer('set_number');
    t.integer('contact_id').notNullable();
    t.integer('vehicle_id');
    t.tinyint('season').notNullable();
    t.string('location', 20);
    t.tinyint('tyreset_status').notNullable().defaultTo(2);
    t.datetime('stored_at', { precision: 3 });
    t.datetime('out_at', { precision: 3 });
    t.text('notes');
    // A location holds one stored set. The builder has no computed columns.
    t.specificType(
      'stored_location',
      'varchar(20) generated always as (if(tyreset_status = 1, location, null)) stored',
    );
    t.unique(['owner_id', 'set_number'], { indexName: 'tyresets__set_number' });
    t.index(['owner_id', 'set_number'], 'tyresets__set_number__order');
    t.index(['owner_id', 'contact_id'], 'tyresets__contact_id');
    t.index(['owner_id', 'vehicle_id'], 'tyresets__vehicle_id');
    t.index(['owner_id', 'season'], 'tyresets__season');
    t.unique(['owner_id', 'stored_location'], { indexName: 'tyresets__location' });
    t.index(['owner_id', 'stored_location'], 'tyresets__location__order');
    t.index(['owner_id', 'tyreset_status'], 'tyresets__tyreset_status');
    t.foreign(['owner_id', 'contact_id'], 'tyresets__contact_id__reference')
      .references(['owner_id', 'id'])
      .inTable('contacts');
    t.foreign(['owner_id', 'vehicle_id'], 'tyresets__vehicle_id__reference')
      .references(['owner_id', 'id'])
      .inTable('vehicles');
  }),
  ownedTable('tyres', (t) => {
    t.integer('tyreset_id').notNullable();
    t.tinyint('position').notNullable();
    t.string('brand', 50);
    t.string('model', 50);
    t.string('size', 30);
    t.string('dot', 4);
    t.decimal('tread_mm', 18, 4);
    t.text('notes');
    t.index(['owner_id', 'tyreset_id'], 'tyres__tyreset_id');
    t.unique(['owner_id', 'tyreset_id', 'position'], { indexName: 'tyres__position' });
    t.foreign(['owner_id', 'tyreset_id'], 'tyres__tyreset_id__reference')
      .references(['owner_id', 'id'])
      .inTable('tyresets');
  }),
  changes('orders', (t, has) => {
    if (!has('hours_worked')) t.decimal('hours_worked', 18, 4).notNullable().defaultTo('0.0000');
  }),
  changes('invoiceparties', (t, has) => {
    if (!has('approval_number')) t.string('approval_number', 30);
  }),
);
