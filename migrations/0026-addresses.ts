import { table } from './table.ts';

export const { up } = table('addresses', (t) => {
  t.string('postcode', 10).notNullable();
  t.integer('huisnummer').notNullable();
  t.string('toevoeging', 10).notNullable().defaultTo('');
  t.string('street', 100).notNullable();
  t.string('city', 80).notNullable();
  t.primary(['postcode', 'huisnummer', 'toevoeging']);
});
