// Contacts that were anonymised, and the invoices that the law still keeps.
import { table, together } from './table.ts';

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

export const { up } = together(anonymised, kept);
