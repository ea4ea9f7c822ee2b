// Each difference between tables and fields makes one sentence, and the written migration repairs the difference.
import { expect } from 'chai';
import type { Knex } from 'knex';
import { allResources, loadResources } from '../../../src/core/model/records/registry.ts';
import { writeMigration } from '../../../src/platform/database/migration-text.ts';
import { readTables } from '../../../src/platform/database/schema.ts';
import { schemaDifferences, schemaProblems } from '../../../src/platform/database/schema-difference.ts';
import { openScratchTables, type ScratchTables } from '../../../src/platform/database/scratch-tables.ts';
import { runMigration } from '../../support/database/migration.ts';

const remedy = (table: string) => `run \`make migration NAME=${table}\``;

/** Damages to a table, each with the sentence that reports it. */
const DAMAGES: readonly [what: string, (knex: Knex) => PromiseLike<unknown>, sentence: string][] = [
  [
    'a missing column',
    (knex) => knex.schema.alterTable('flatratelines', (t) => t.dropColumn('description')),
    `Table flatratelines has no column description; ${remedy('flatratelines')}.`,
  ],
  [
    'another type',
    (knex) => knex.schema.alterTable('articles', (t) => t.string('brand', 50).alter()),
    `Column brand of table articles is varchar(50), but the field needs varchar(60); ${remedy('articles')}.`,
  ],
  [
    'a column that may be null',
    (knex) => knex.schema.alterTable('articles', (t) => t.integer('turnover_group_id').alter()),
    `Column turnover_group_id of table articles may be null, but the field never is; ${remedy('articles')}.`,
  ],
  [
    'a column that may not be null',
    (knex) => knex.schema.alterTable('articles', (t) => t.string('location', 30).notNullable().alter()),
    `Column location of table articles may not be null, but the field is optional; ${remedy('articles')}.`,
  ],
  [
    'a missing default',
    (knex) => knex.schema.alterTable('contacts', (t) => t.tinyint('is_vat_shifted').notNullable().alter()),
    `Column is_vat_shifted of table contacts has no default, but the field needs 0; ${remedy('contacts')}.`,
  ],
  [
    'a missing foreign key',
    (knex) =>
      knex.schema.alterTable('documents', (t) => t.dropForeign([], 'documents__vehicle_id__reference')),
    'Table documents has no foreign key documents__vehicle_id__reference ' +
      `from (owner_id, vehicle_id) to vehicles (owner_id, id); ${remedy('documents')}.`,
  ],
  [
    'a foreign key to another table',
    (knex) =>
      knex.schema
        .alterTable('documents', (t) => t.dropForeign([], 'documents__contact_id__reference'))
        .alterTable('documents', (t) =>
          t
            .foreign(['owner_id', 'contact_id'], 'documents__contact_id__reference')
            .references(['owner_id', 'id'])
            .inTable('employees'),
        ),
    'Foreign key documents__contact_id__reference of table documents is not ' +
      `from (owner_id, contact_id) to contacts (owner_id, id); ${remedy('documents')}.`,
  ],
  [
    'a missing unique index',
    (knex) => knex.schema.alterTable('contacts', (t) => t.dropUnique([], 'contacts__debtor_number')),
    `Table contacts has no unique index contacts__debtor_number on (owner_id, debtor_number); ${remedy('contacts')}.`,
  ],
  [
    'a missing index for lists',
    (knex) => knex.schema.alterTable('orders', (t) => t.dropIndex([], 'orders__order_type__order_date')),
    `Table orders has no index orders__order_type__order_date on (owner_id, order_type, order_date); ${remedy('orders')}.`,
  ],
  [
    'an index on other columns',
    (knex) =>
      knex.schema
        .alterTable('orders', (t) => t.dropIndex([], 'orders__due_date'))
        .alterTable('orders', (t) => t.index(['due_date'], 'orders__due_date')),
    'Table orders has an index orders__due_date, but on (due_date) in place of the ' +
      `index orders__due_date on (owner_id, due_date); ${remedy('orders')}.`,
  ],
  [
    'a missing table',
    (knex) => knex.schema.dropTable('vehicleadvertisementsites'),
    'The table `vehicleadvertisementsites` has no migration: run `make migration NAME=vehicleadvertisementsites`.',
  ],
];

describe('tables that differ from the fields', () => {
  let scratch: ScratchTables;
  before(async function () {
    this.timeout(180_000);
    await loadResources();
    scratch = await openScratchTables();
  });
  after(() => scratch.close());

  const repair = async () => {
    const { text } = writeMigration(schemaDifferences(allResources(), await readTables(scratch.knex)));
    await runMigration(scratch.knex, text ?? '');
  };

  for (const [what, damage, sentence] of DAMAGES) {
    it(`report ${what}, and the written migration repairs it`, async () => {
      await damage(scratch.knex);

      const problems = await schemaProblems(scratch.knex);
      await repair();
      const left = await schemaProblems(scratch.knex);

      expect(problems).to.deep.equal([sentence]);
      expect(left).to.deep.equal([]);
    });
  }

  it('report a column that no field describes, and leave the column to its author', async () => {
    await scratch.knex.schema.alterTable('articles', (t) => t.integer('weight'));

    const problems = await schemaProblems(scratch.knex);
    const written = writeMigration(schemaDifferences(allResources(), await readTables(scratch.knex)));
    await scratch.knex.schema.alterTable('articles', (t) => t.dropColumn('weight'));

    expect(problems).to.deep.equal([
      'Table articles has a column weight that no field describes: no migration drops a column by itself.',
    ]);
    expect(written).to.deep.equal({ text: undefined, sentences: problems });
  });

  it('report a hidden column that is missing, and leave the column to its author', async () => {
    await scratch.knex.schema.alterTable('orders', (t) => t.dropColumn('net_low'));

    const problems = await schemaProblems(scratch.knex);

    expect(problems).to.deep.equal([
      'Table orders has no column net_low, whose type no field tells: write the column into a migration by hand.',
    ]);
  });
});
