import { table } from './table.ts';

export const { up } = table('password_resets', (t) => {
  t.specificType('reset_hash', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.integer('owner_id').notNullable();
  t.integer('employee_id').notNullable();
  t.datetime('expires_at', { precision: 3 }).notNullable();
  t.primary(['reset_hash']);
  t.index(['expires_at'], 'password_resets__expires_at');
  t.index(['owner_id', 'employee_id'], 'password_resets__employee_id');
  t.foreign(['owner_id', 'employee_id'], 'password_resets__employee_id__reference')
    .references(['owner_id', 'id'])
    .inTable('employees')
    .onDelete('CASCADE');
});
