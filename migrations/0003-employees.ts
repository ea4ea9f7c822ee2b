import { ownedTable } from './table.ts';

export const { up } = ownedTable('employees', (t) => {
  t.string('username', 60);
  t.string('emailaddress', 150);
  t.string('first_name', 60).notNullable();
  t.string('prefix', 15);
  t.string('last_name', 80).notNullable();
  t.string('initials', 15);
  t.string('phone', 25);
  t.string('mobile', 25);
  t.tinyint('role_kind').notNullable();
  t.tinyint('function_kind');
  t.tinyint('is_external').notNullable().defaultTo(0);
  t.datetime('start_date', { precision: 3 });
  t.datetime('end_date', { precision: 3 });
  t.decimal('hourly_rate', 16, 2);
  t.datetime('last_login_at', { precision: 3 });
  t.text('notes');
  t.string('password_hash', 255);
  t.unique(['username'], { indexName: 'employees__username' });
  t.index(['owner_id', 'last_name'], 'employees__last_name');
  t.index(['owner_id', 'role_kind'], 'employees__role_kind');
});
