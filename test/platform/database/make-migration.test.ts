// A new resource is one file and one generated migration: the migration alone makes its table, and its list works.
import { expect } from 'chai';
import { choice, flag, reference, varchar } from '../../../src/core/model/fields/field.ts';
import { parseListQuery } from '../../../src/core/model/lists/list-query.ts';
import { type Resource, record } from '../../../src/core/model/records/record.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { writeMigration } from '../../../src/platform/database/migration-text.ts';
import { readTables } from '../../../src/platform/database/schema.ts';
import {
  demandTables,
  schemaDifferences,
  schemaProblems,
} from '../../../src/platform/database/schema-difference.ts';
import { seededOwner, useDatabase } from '../../business/seed/seeded.ts';
import { readList } from '../../support/client/list.ts';
import { runMigration } from '../../support/database/migration.ts';

const FIELDS = {
  vehicle_id: reference('vehicle', { required: true }),
  contact_id: reference('contact'),
  unit_type: choice('unittypes', { required: true, indexed: true }),
  location: varchar(30, { unique: 'owner' }),
};
const { resource: TRIALSET } = record('trialset', FIELDS, { indexes: [['unit_type', 'location']] });
const ROWS = 150;

describe('a resource without a migration', () => {
  const database = useDatabase();
  const refusal = (resource: Resource) =>
    demandTables(database().knex, [resource]).then(
      () => undefined,
      (error: Error) => error.message,
    );
  beforeEach(() => database().knex.schema.dropTableIfExists('trialsets'));

  it('is reported by the check of the tables, and stops a start', async () => {
    expect(await schemaProblems(database().knex, { resources: [TRIALSET] })).to.deep.equal([
      'The table `trialsets` has no migration: run `make migration NAME=trialsets`.',
    ]);
    expect(await refusal(TRIALSET)).to.equal(
      'The database has no table `trialsets`: run `make migration NAME=trialsets`, then start again',
    );
  });

  it('stops a start where only a column is missing', async () => {
    const { text } = writeMigration(schemaDifferences([TRIALSET], await readTables(database().knex)));
    await runMigration(database().knex, text ?? '');
    const { resource } = record('trialset', { ...FIELDS, shelf: varchar(10) });

    expect(await refusal(TRIALSET)).to.equal(undefined);
    expect(await refusal(resource)).to.equal(
      'The table `trialsets` has no column `shelf`: run `make migration NAME=trialsets`, then start again',
    );
  });
});

describe('a written migration', () => {
  const database = useDatabase();
  beforeEach(() => database().knex.schema.dropTableIfExists('trialsets'));

  const written = async (...resources: Resource[]) =>
    writeMigration(schemaDifferences(resources, await readTables(database().knex)));

  const migrateTo = async (...resources: Resource[]) => {
    const { text, sentences } = await written(...resources);
    await runMigration(database().knex, text ?? '');
    return sentences;
  };

  it('makes the table of a new resource', async () => {
    const sentences = await migrateTo(TRIALSET);

    expect(sentences).to.deep.equal(['Creates table trialsets.']);
    expect(await schemaProblems(database().knex, { resources: [TRIALSET] })).to.deep.equal([]);
    expect(await written(TRIALSET)).to.deep.equal({ text: undefined, sentences: [] });
  });

  it('makes several tables and changes at once', async () => {
    const { resource: rack } = record('tyrerack', { name: varchar(20, { required: true, indexed: true }) });
    const { resource: brand } = record(
      'tyrebrand',
      { code: varchar(9, { unique: 'all' }) },
      { ownership: 'none' },
    );
    const all = [TRIALSET, rack, brand];
    await migrateTo(rack);
    await database().knex.schema.alterTable('tyreracks', (t) => t.dropIndex([], 'tyreracks__name'));

    const sentences = await migrateTo(...all);
    const problems = await schemaProblems(database().knex, { resources: all });
    for (const { table } of all) await database().knex.schema.dropTable(table);

    expect(sentences).to.deep.equal([
      'Creates table trialsets.',
      'Adds index tyreracks__name of table tyreracks.',
      'Creates table tyrebrands.',
    ]);
    expect(problems).to.deep.equal([]);
  });

  it('makes a table whose pages can be listed', async () => {
    await migrateTo(TRIALSET);
    const owner = await seededOwner(database(), 5);
    const { knex } = database();
    const vehicle = await knex('vehicles').where({ owner_id: owner }).first('id');
    const now = '2026-01-01 00:00:00.000';
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      owner_id: owner,
      vehicle_id: vehicle.id,
      unit_type: Object.values(LISTS.unittypes)[0],
      location: `shelf ${index}`,
      created_at: now,
      modified_at: now,
    }));
    await knex('trialsets').insert(rows);

    for (const sort of ['id', '-location', 'created_at', 'unit_type']) {
      const parameters = new Map(Object.entries({ sort, page: '2', page_size: '100' }));
      const query = parseListQuery(TRIALSET, owner, parameters);
      const { data, has_more } = JSON.parse(await readList(garageOf(database(), owner), query));
      expect([data.length, has_more], sort).to.deep.equal([ROWS - 100, false]);
    }
  });

  it('names keys so that a refusal leads back to the field', async () => {
    await migrateTo(TRIALSET);
    const owner = await seededOwner(database(), 1);
    const other = await seededOwner(database(), 1);
    const { knex } = database();
    const vehicleOf = async (of: number) => (await knex('vehicles').where({ owner_id: of }).first('id')).id;
    const row = {
      owner_id: owner,
      vehicle_id: await vehicleOf(owner),
      unit_type: 1,
      location: 'shelf',
      created_at: '2026-01-01',
      modified_at: '2026-01-01',
    };
    await knex('trialsets').insert(row);

    const refusals = [
      await knex('trialsets').insert(row).catch(String),
      await knex('trialsets')
        .insert({ ...row, location: null, vehicle_id: await vehicleOf(other) })
        .catch(String),
    ];

    expect(refusals[0]).to.include('trialsets__location');
    expect(refusals[1]).to.include('trialsets__vehicle_id__reference');
  });

  it('adds what the table of a changed resource lacks, and says so', async () => {
    await migrateTo(TRIALSET);
    const { resource } = record(
      'trialset',
      {
        ...FIELDS,
        location: varchar(60, { unique: 'vehicle_id' }),
        is_winter: flag({ indexed: true }),
        order_id: reference('order'),
      },
      { indexes: [['unit_type', 'location']] },
    );

    const sentences = await migrateTo(resource);

    expect(sentences).to.deep.equal([
      'Changes column location of table trialsets to varchar(60), null.',
      'Adds column is_winter to table trialsets.',
      'Adds column order_id to table trialsets.',
      'Replaces index trialsets__location of table trialsets.',
      'Replaces index trialsets__location__order of table trialsets.',
      'Adds index trialsets__is_winter of table trialsets.',
      'Adds index trialsets__order_id of table trialsets.',
      'Adds foreign key trialsets__order_id__reference of table trialsets.',
    ]);
    expect(await schemaProblems(database().knex, { resources: [resource] })).to.deep.equal([]);
  });

  it('drops no column, and says so', async () => {
    await migrateTo(TRIALSET);
    const { location, ...others } = FIELDS;
    const { resource } = record('trialset', { ...others, shelf: location });

    const { text } = await written(resource);
    await runMigration(database().knex, text ?? '');

    expect(text).to.include(
      '// Table trialsets has a column location that no field describes: no migration drops a column by itself.',
    );
    expect(await database().knex.schema.hasColumn('trialsets', 'location')).to.equal(true);
  });

  it('runs again after it was cut off', async () => {
    const { text } = await written(TRIALSET);
    await runMigration(database().knex, text ?? '', 2);
    const { resource } = record('trialset', { ...FIELDS, order_id: reference('order', { unique: 'owner' }) });
    const change = await written(resource);

    await runMigration(database().knex, change.text ?? '', 2);

    expect(await schemaProblems(database().knex, { resources: [resource] })).to.deep.equal([]);
  });

  it('replaces a half-made table of another attempt, but no table that has rows', async () => {
    const { text } = await written(TRIALSET);
    await database().knex.schema.createTable('trialsets', (t) => t.increments('id'));
    await runMigration(database().knex, text ?? '');
    const problems = await schemaProblems(database().knex, { resources: [TRIALSET] });
    await database().knex.schema.dropTable('trialsets');
    await database().knex.schema.createTable('trialsets', (t) => t.increments('id'));
    await database().knex('trialsets').insert({});

    const refusal = await runMigration(database().knex, text ?? '').catch((error: Error) => error.message);

    expect(problems).to.deep.equal([]);
    expect(refusal).to.equal('Table trialsets has rows, but the migration that makes the table has not run');
  });
});
