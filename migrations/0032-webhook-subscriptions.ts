import { ownedTable } from './table.ts';

export const { up } = ownedTable('webhooksubscriptions', (t) => {
  t.string('url', 2000).notNullable();
  t.string('resources', 2000).notNullable().defaultTo('["*"]');
  t.string('actions', 2000).notNullable().defaultTo('["created","updated","deleted"]');
  t.string('description', 120);
  t.datetime('failing_since', { precision: 3 });
  t.datetime('last_delivery_at', { precision: 3 });
  t.specificType('sealed_secret', 'varchar(200) character set ascii collate ascii_bin');
  t.integer('api_key_id');
  t.specificType('allow', 'mediumtext');
  t.bigInteger('since_change');
});
