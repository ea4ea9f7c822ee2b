import { table } from './table.ts';

export const { up } = table('api_keys', (t) => {
  t.specificType('id', 'int not null auto_increment');
  t.string('party', 100).notNullable();
  t.specificType('key_hash', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.text('allow').notNullable();
  t.string('webhook_secret', 255).notNullable();
  t.datetime('created_at', { precision: 3 }).notNullable();
  t.datetime('revoked_at', { precision: 3 });
  t.primary(['id']);
  t.unique(['key_hash'], { indexName: 'api_keys__key_hash' });
});
