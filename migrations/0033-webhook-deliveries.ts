// The events that were sent to subscriptions, or are to be sent.
import { table } from './table.ts';

export const { up } = table('webhookdeliveries', (t) => {
  t.specificType('id', 'int not null auto_increment');
  t.integer('owner_id').notNullable();
  t.integer('subscription_id').notNullable();
  t.integer('seq');
  t.specificType('type', 'varchar(60) character set ascii collate ascii_bin').notNullable();
  t.specificType('message_id', 'char(36) character set ascii collate ascii_bin').notNullable();
  t.string('body', 1000).notNullable();
  t.specificType('status', 'varchar(10) character set ascii collate ascii_bin').notNullable();
  t.integer('attempts').notNullable().defaultTo(0);
  t.tinyint('tries').notNullable().defaultTo(0);
  t.integer('last_status');
  t.string('last_error', 500);
  t.datetime('next_at', { precision: 3 });
  t.datetime('lease_until', { precision: 3 });
  t.datetime('created_at', { precision: 3 }).notNullable();
  t.datetime('delivered_at', { precision: 3 });
  t.primary(['id']);
  t.unique(['subscription_id', 'seq'], { indexName: 'webhookdeliveries__change' });
  t.index(['subscription_id', 'status', 'next_at', 'id'], 'webhookdeliveries__due');
  t.index(['owner_id', 'id'], 'webhookdeliveries__list');
  t.index(['owner_id', 'subscription_id', 'id'], 'webhookdeliveries__subscription_id');
  t.index(['owner_id', 'status', 'id'], 'webhookdeliveries__status');
  t.index(['created_at'], 'webhookdeliveries__created_at');
});
