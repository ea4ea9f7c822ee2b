import { ownedTable, together } from './table.ts';

export const { up } = together(
  ownedTable('workplaces', (t) => {
    t.string('code', 10).notNullable();
    t.string('name', 60).notNullable();
    t.tinyint('workplace_kind').notNullable();
    t.integer('sort_order');
    t.unique(['owner_id', 'code'], { indexName: 'workplaces__code' });
    t.index(['owner_id', 'workplace_kind'], 'workplaces__workplace_kind');
  }),
  ownedTable('absences', (t) => {
    t.integer('employee_id');
    t.integer('workplace_id');
    t.datetime('starts_at', { precision: 3 }).notNullable();
    t.datetime('ends_at', { precision: 3 }).notNullable();
    t.string('reason', 120);
    t.index(['owner_id', 'employee_id'], 'absences__employee_id');
    t.index(['owner_id', 'workplace_id'], 'absences__workplace_id');
    t.index(['owner_id', 'starts_at'], 'absences__starts_at');
    t.index(['owner_id', 'ends_at'], 'absences__ends_at');
    t.foreign(['owner_id', 'employee_id'], 'absences__employee_id__reference')
      .references(['owner_id', 'id'])
      .inTable('employees');
    t.foreign(['owner_id', 'workplace_id'], 'absences__workplace_id__reference')
      .references(['owner_id', 'id'])
      .inTable('workplaces');
  }),
  ownedTable('appointments', (t) => {
    t.integer('order_id');
    t.integer('contact_id');
    t.integer('vehicle_id');
    t.integer('employee_id');
    t.integer('workplace_id');
    t.datetime('starts_at', { precision: 3 }).notNullable();
    t.datetime('ends_at', { precision: 3 }).notNullable();
    t.tinyint('appointment_status').notNullable().defaultTo(1);
    t.tinyint('is_overtime').notNullable().defaultTo(0);
    t.text('description');
    t.index(['owner_id', 'order_id'], 'appointments__order_id');
    t.index(['owner_id', 'contact_id'], 'appointments__contact_id');
    t.index(['owner_id', 'vehicle_id'], 'appointments__vehicle_id');
    t.index(['owner_id', 'employee_id'], 'appointments__employee_id');
    t.index(['owner_id', 'workplace_id'], 'appointments__workplace_id');
    t.index(['owner_id', 'starts_at'], 'appointments__starts_at');
    t.index(['owner_id', 'ends_at'], 'appointments__ends_at');
    t.index(['owner_id', 'appointment_status'], 'appointments__appointment_status');
    t.index(['owner_id', 'employee_id', 'ends_at'], 'appointments__employee_id__ends_at');
    t.index(['owner_id', 'workplace_id', 'ends_at'], 'appointments__workplace_id__ends_at');
    t.foreign(['owner_id', 'order_id'], 'appointments__order_id__reference')
      .references(['owner_id', 'id'])
      .inTable('orders');
    t.foreign(['owner_id', 'contact_id'], 'appointments__contact_id__reference')
      .references(['owner_id', 'id'])
      .inTable('contacts');
    t.foreign(['owner_id', 'vehicle_id'], 'appointments__vehicle_id__reference')
      .references(['owner_id', 'id'])
      .inTable('vehicles');
    t.foreign(['owner_id', 'employee_id'], 'appointments__employee_id__reference')
      .references(['owner_id', 'id'])
      .inTable('employees');
    t.foreign(['owner_id', 'workplace_id'], 'appointments__workplace_id__reference')
      .references(['owner_id', 'id'])
      .inTable('workplaces');
  }),
  ownedTable('workhours', (t) => {
    t.integer('employee_id');
    t.integer('workplace_id');
    t.integer('weekday').notNullable();
    t.string('start_time', 5).notNullable();
    t.string('end_time', 5).notNullable();
    t.datetime('valid_from', { precision: 3 });
    t.datetime('valid_until', { precision: 3 });
    t.index(['owner_id', 'employee_id'], 'workhours__employee_id');
    t.index(['owner_id', 'workplace_id'], 'workhours__workplace_id');
    t.foreign(['owner_id', 'employee_id'], 'workhours__employee_id__reference')
      .references(['owner_id', 'id'])
      .inTable('employees');
    t.foreign(['owner_id', 'workplace_id'], 'workhours__workplace_id__reference')
      .references(['owner_id', 'id'])
      .inTable('workplaces');
  }),
);
