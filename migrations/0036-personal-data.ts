// Contacts that were anonymised, what the law still keeps of them, and the column of the log that finds a person.
import { changes, table, together } from './table.ts';

// A digest stands for the contact: it says nothing about the person, and finds the contact in an older backup.
const anonymised = table('anonymised', (t) => {
  t.integer('owner_id').notNullable();
  t.specificType('digest', 'char(64) character set ascii collate ascii_bin').notNullable();
  t.integer('contact_id');
  t.datetime('at', { precision: 3 }).notNullable();
  t.primary(['owner_id', 'digest']);
});

// 0: none. A row is about the invoice of an order, or about an invoice that is only a stored file.
const kept = table('kept_invoices', (t) => {
  t.integer('owner_id').notNullable();
  t.integer('contact_id').notNullable();
  t.integer('order_id').notNullable().defaultTo(0);
  t.integer('document_id').notNullable().defaultTo(0);
  t.primary(['owner_id', 'contact_id', 'order_id', 'document_id']);
});

export const { up } = together(
  anonymised,
  kept,
  changes('changes', (t, has) => {
    if (!has('contact_id')) t.integer('contact_id');
    if (!has('changes__contact_id')) t.index(['owner_id', 'contact_id'], 'changes__contact_id');
  }),
  {
    up: async (knex) => {
      // A column of text has no default, so it gets its values before it is not null.
      if (!(await knex.schema.hasColumn('invoiceparties', 'vehicles')))
        await knex.schema.alterTable('invoiceparties', (t) => void t.text('vehicles', 'mediumtext'));
      await knex('invoiceparties').whereNull('vehicles').update({ vehicles: '[]' });
      await knex.schema.alterTable(
        'invoiceparties',
        (t) => void t.text('vehicles', 'mediumtext').notNullable().alter(),
      );
    },
  },
);
