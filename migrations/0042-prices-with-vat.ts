// Prices with VAT: an order bears its VAT by rate, and a line its amount with VAT. Older rows have net prices. An older
// invoice keeps the date that it printed as the date of supply: the order date.
import { changes, together } from './table.ts';

export const { up } = together(
  changes('orders', (t, has) => {
    if (!has('is_vat_included')) t.tinyint('is_vat_included').notNullable().defaultTo(0);
    if (!has('supply_date')) t.datetime('supply_date', { precision: 3 });
    if (!has('vat_high')) t.decimal('vat_high', 16, 2).notNullable().defaultTo('0.00');
    if (!has('vat_low')) t.decimal('vat_low', 16, 2).notNullable().defaultTo('0.00');
  }),
  changes('orderlines', (t, has) => {
    if (!has('line_gross')) t.decimal('line_gross', 16, 2);
  }),
  {
    up: async (knex) => {
      await knex('orders')
        .where({ is_vat_included: 0 })
        .update({
          vat_high: knex.raw('ROUND(?? * 21 / 100, 2)', ['net_high']),
          vat_low: knex.raw('ROUND(?? * 9 / 100, 2)', ['net_low']),
        });
      await knex('orders')
        .where({ is_invoiced: 1 })
        .whereNull('supply_date')
        .update({ supply_date: knex.ref('order_date') });
      await knex('orderlines')
        .whereNull('line_gross')
        .update({ line_gross: knex.raw('?? + ??', ['line_net', 'line_vat']) });
    },
  },
);
