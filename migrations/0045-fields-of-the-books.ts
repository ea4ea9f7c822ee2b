import { changes, together } from './table.ts';

export const { up } = together(
  changes('contacts', (t, has) => {
    if (!has('print_name')) t.string('print_name', 120);
    if (!has('self_billing_agreed_at')) t.datetime('self_billing_agreed_at', { precision: 3 });
    if (!has('is_without_reminders')) t.tinyint('is_without_reminders').notNullable().defaultTo(0);
  }),
  changes('turnovergroups', (t, has) => {
    if (!has('stock_ledger_account')) t.string('stock_ledger_account', 20);
  }),
  changes('vehicles', (t, has) => {
    if (!has('bpm_paid')) t.decimal('bpm_paid', 16, 2);
  }),
  changes('orders', (t, has) => {
    if (!has('purchase_proof')) t.tinyint('purchase_proof');
    if (!has('supplier_invoice_number')) t.string('supplier_invoice_number', 40);
    // It was varchar(20), null.
    t.string('invoice_number', 30).alter();
    if (!has('valid_until')) t.datetime('valid_until', { precision: 3 });
    if (!has('deposit_of_order_id')) t.integer('deposit_of_order_id');
    if (!has('reminded_at')) t.datetime('reminded_at', { precision: 3 });
    if (!has('reminder_count')) t.integer('reminder_count').notNullable().defaultTo(0);
    if (!has('orders__supplier_invoice_number'))
      t.unique(['owner_id', 'supplier_invoice_number', 'contact_id'], {
        indexName: 'orders__supplier_invoice_number',
      });
    if (!has('orders__supplier_invoice_number__order'))
      t.index(
        ['owner_id', 'supplier_invoice_number', 'contact_id'],
        'orders__supplier_invoice_number__order',
      );
    if (!has('orders__deposit_of_order_id'))
      t.index(['owner_id', 'deposit_of_order_id'], 'orders__deposit_of_order_id');
    if (!has('orders__deposit_of_order_id__reference'))
      t.foreign(['owner_id', 'deposit_of_order_id'], 'orders__deposit_of_order_id__reference')
        .references(['owner_id', 'id'])
        .inTable('orders');
  }),
  changes('owners', (t, has) => {
    if (!has('margin_method')) t.tinyint('margin_method');
    if (!has('vat_period')) t.tinyint('vat_period');
    if (!has('is_cash_rounded')) t.tinyint('is_cash_rounded').notNullable().defaultTo(0);
    if (!has('okr_minimum')) t.decimal('okr_minimum', 16, 2);
    if (!has('creditor_account')) t.string('creditor_account', 20);
    if (!has('input_vat_account')) t.string('input_vat_account', 20);
    if (!has('deposit_account')) t.string('deposit_account', 20);
    if (!has('rounding_account')) t.string('rounding_account', 20);
  }),
  changes('payments', (t, has) => {
    if (!has('rounding')) t.decimal('rounding', 16, 2).notNullable().defaultTo('0.00');
  }),
);
