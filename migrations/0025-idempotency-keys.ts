import { table } from './table.ts';

export const { up } = table('idempotency_keys', (t) => {
  t.integer('owner_id').notNullable();
  t.integer('api_key_id').notNullable();
  t.specificType('idempotency_key', 'varchar(255) character set ascii collate ascii_bin').notNullable();
  t.specificType('request_hash', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.smallint('status').notNullable();
  t.text('headers').notNullable();
  t.text('body', 'mediumtext').notNullable();
  t.datetime('created_at', { precision: 3 }).notNullable();
  t.primary(['owner_id', 'api_key_id', 'idempotency_key']);
  t.index(['created_at'], 'idempotency_keys__created_at');
  t.foreign(['owner_id'], 'idempotency_keys__owner').references(['id']).inTable('owners').onDelete('CASCADE');
});
