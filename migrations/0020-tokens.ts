import { table } from './table.ts';

export const { up } = table('tokens', (t) => {
  t.specificType('token_hash', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.integer('owner_id').notNullable();
  t.integer('employee_id').notNullable();
  t.integer('api_key_id').notNullable();
  t.datetime('issued_at', { precision: 3 }).notNullable();
  t.datetime('expires_at', { precision: 3 }).notNullable();
  t.primary(['token_hash']);
  t.index(['expires_at'], 'tokens__expires_at');
  t.index(['owner_id', 'employee_id'], 'tokens__employee_id');
  t.index(['api_key_id'], 'tokens__api_key_id');
  t.foreign(['owner_id', 'employee_id'], 'tokens__employee_id__reference')
    .references(['owner_id', 'id'])
    .inTable('employees')
    .onDelete('CASCADE');
  t.foreign(['api_key_id'], 'tokens__api_key_id__reference')
    .references(['id'])
    .inTable('api_keys')
    .onDelete('CASCADE');
});
