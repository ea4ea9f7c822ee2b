import { sharedTable } from './table.ts';

export const { up } = sharedTable('owners', (t) => {
  t.string('name', 100).notNullable();
  t.string('legal_name', 150);
  t.string('street', 100);
  t.integer('huisnummer');
  t.string('toevoeging', 10);
  t.string('postcode', 10);
  t.string('city', 80);
  t.integer('country_id').notNullable();
  t.string('phone', 25);
  t.string('email', 150);
  t.string('website', 150);
  t.string('kvk_number', 8);
  t.string('vat_number', 14);
  t.string('iban', 34);
  t.string('bic', 11);
  t.string('invoice_prefix', 10);
  t.integer('payment_days');
  t.text('invoice_footer');
  t.string('timezone', 40);
  t.text('modules').notNullable();
  t.foreign(['country_id'], 'owners__country_id__reference').references(['id']).inTable('countries');
});
