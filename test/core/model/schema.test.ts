// The migrated tables have what the fields of the resources ask for. `make check` runs this file by itself, on a
// database server of its own.
import { expect } from 'chai';
import { indexesOf, indexOf } from '../../../src/core/model/records/index-plan.ts';
import { allResources, loadResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { readTables } from '../../../src/platform/database/schema.ts';
import { schemaProblems } from '../../../src/platform/database/schema-difference.ts';
import { openScratchTables, type ScratchTables } from '../../../src/platform/database/scratch-tables.ts';

describe('the tables', () => {
  let scratch: ScratchTables;
  before(async function () {
    this.timeout(180_000);
    await loadResources();
    scratch = await openScratchTables();
  });
  // A wrong declaration of a resource stops `before`.
  after(() => scratch?.close());

  it('have all that the fields ask for', async () => {
    const problems = await schemaProblems(scratch.knex);

    expect(problems, problems.join('\n')).to.deep.equal([]);
  });

  it('have a primary key each, without which a MySQL group takes no rows', async () => {
    const tables = await readTables(scratch.knex);

    expect(tables).to.include.keys('orders', 'migrations', 'start_lock');
    for (const [name, { indexes }] of tables) expect(indexes, name).to.include.keys('PRIMARY');
  });

  it('have no index that no field declares', async () => {
    const tables = await readTables(scratch.knex);

    for (const resource of allResources()) {
      const declared = indexesOf(resource).map(({ name }) => name);
      const table = tables.get(resource.table);
      // The server makes an index that a foreign key needs, under the name of the key.
      const known = ['PRIMARY', ...declared, ...(table?.references.keys() ?? [])];
      const surplus = [...(table?.indexes.keys() ?? [])].filter((name) => !known.includes(name));
      expect(surplus, `Table ${resource.table} has indexes that no field declares`).to.deep.equal([]);
    }
  });
});

describe('the plan of indexes', () => {
  it('names the declared index on the owner and the given columns', () => {
    const order = resourceNamed('order');

    expect(indexOf(order, 'id')).to.equal('orders__list');
    expect(indexOf(order, 'order_type', 'order_date')).to.equal('orders__order_type__order_date');
    expect(indexOf(order, 'contact_id')).to.equal('orders__contact_id');
    expect(indexOf(resourceNamed('contact'), 'country_id')).to.equal('contacts__owner_country_id');
    expect(indexOf(resourceNamed('article'), 'article_number')).to.equal('articles__article_number');
  });

  it('prefers the twin that the server sorts by to a unique index that may hold nulls', () => {
    expect(indexOf(resourceNamed('order'), 'order_number')).to.equal('orders__order_number__order');
    expect(indexOf(resourceNamed('orderline'), 'order_id', 'sort_order')).to.equal(
      'orderlines__sort_order__order',
    );
  });

  it('names none where the fields declare none', () => {
    expect(indexOf(resourceNamed('order'), 'mileage')).to.equal(undefined);
    expect(indexOf(resourceNamed('order'), 'order_date', 'order_type')).to.equal(undefined);
    expect(indexOf(resourceNamed('country'), 'code')).to.equal(undefined);
  });
});
