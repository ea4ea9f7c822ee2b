// The settings of the VAT return by day. The first row of a garage has the settings that it has now. A process of the release before goes on
// making garages without a row, and changes settings without one: the service completes these later.
import type { Knex } from 'knex';
import { changes, ownedTable } from './table.ts';

const regimes = ownedTable('vatregimes', (t) => {
  t.datetime('valid_from', { precision: 3 }).notNullable();
  t.tinyint('vat_period');
  t.tinyint('margin_method');
  t.unique(['owner_id', 'valid_from'], { indexName: 'vatregimes__valid_from' });
});

const ofOwners = changes('owners', (t, has) => {
  if (!has('margin_carried_in')) t.decimal('margin_carried_in', 16, 2);
  if (!has('margin_from')) t.datetime('margin_from', { precision: 3 });
});

/** One statement writes all rows, so a table that has rows is complete. */
export async function up(knex: Knex): Promise<void> {
  await ofOwners.up(knex);
  if ((await knex.schema.hasTable('vatregimes')) && (await knex('vatregimes').first())) return;
  await regimes.up(knex);
  await knex(knex.raw('?? (??, ??, ??, ??, ??, ??)', ['vatregimes', ...COLUMNS])).insert(
    knex('owners').select(
      'id',
      knex.raw('?', [BEGINNING]),
      'vat_period',
      'margin_method',
      knex.raw('UTC_TIMESTAMP(3)'),
      knex.raw('UTC_TIMESTAMP(3)'),
    ),
  );
}

const COLUMNS = ['owner_id', 'valid_from', 'vat_period', 'margin_method', 'created_at', 'modified_at'];
const BEGINNING = '1900-01-01 00:00:00.000';
