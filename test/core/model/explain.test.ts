// Lists are found on an index, in its order, for every resource and every shared, unique or reference field. No table
// is read completely or sorted.

import { expect } from 'chai';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { findRecord, findRecords } from '../../../src/core/model/lists/find.ts';
import { parseListQuery } from '../../../src/core/model/lists/list-query.ts';
import type { Resource } from '../../../src/core/model/records/record.ts';
import { allResources, resourceNamed } from '../../../src/core/model/records/registry.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { rowsOf, seededOwner, useDatabase } from '../../business/seed/seeded.ts';
import { readList } from '../../support/client/list.ts';
import { explain } from '../../support/database/explain.ts';
import { recording } from '../../support/database/recording.ts';
import { select } from '../../support/database/sql.ts';

/** The server may well read a smaller table from end to end. */
const FEWEST_ROWS = 250;
const COMMON = ['id', 'external_id', 'is_blocked', 'is_archived', 'created_at', 'modified_at'];
/** The most frequent requests of integrators, beside the requests that every resource has. */
const TYPICAL: readonly [string, Record<string, string>][] = [
  ['order', { filter: 'is_invoiced[eq]:1', sort: '-invoice_date' }],
  ['order', { filter: 'order_type[eq]:1', sort: '-order_date' }],
  ['order', { filter: 'order_type[eq]:1', page: '5' }],
  ['order', { filter: 'order_status[in]:1|2|3', sort: '-order_date' }],
  ['order', { filter: 'order_date[ge]:2024-01-01,order_date[lt]:2024-02-01', sort: 'order_date' }],
  ['order', { filter: 'modified_at[ge]:2024-01-01', sort: 'modified_at' }],
  ['order', { filter: 'due_date[lt]:2024-01-01', sort: 'due_date' }],
  ['order', { filter: 'amount_open[gt]:0' }],
  ['order', { filter: 'amount_open[gt]:0', sort: '-amount_open' }],
  ['order', { filter: 'amount_open[gt]:0,due_date[lt]:2024-01-01', sort: 'due_date' }],
  ['order', { sort: 'amount_open' }],
  ['contact', { sort: 'last_name' }],
  ['contact', { filter: 'last_name[like]:Jan*', sort: 'last_name' }],
  ['contactcommunication', { filter: 'value[eq]:info@example.nl' }],
];
/** Questions over references and with `any`. */
const ASKED: readonly [resource: string, filter: string][] = [
  ['order', 'vehicle.license_plate:zx123v'],
  ['order', 'vehicle.license_plate[in]:zx123v|zx124v'],
  ['order', 'vehicle.vin:WVWZZZ1JZ3W000001'],
  ['order', 'contact.last_name:Jansen'],
  ['order', 'contact.debtor_number:D-1'],
  ['order', 'contact.last_name[like]:Jans*,vehicle.license_plate:zx123v'],
  ['order', 'any(order_number:5,invoice_number:2024-0005)'],
  ['order', 'any(contact_id:5,vehicle_id:7)'],
  ['order', 'any(contact_id[in]:5|6|7,vehicle_id:7),is_blocked:0'],
  ['order', 'any(contact.last_name:Jansen,vehicle.license_plate:zx123v,order_number:5)'],
  ['contact', 'any(last_name[like]:Jans*,postcode:3581kl)'],
  ['orderline', 'order.order_number:5'],
  ['orderline', 'article.article_number:OLF-3'],
  ['contact', 'any(last_name:Jansen,contact_number:5)'],
  ['vehicle', 'any(license_plate:zx123v,external_id:5)'],
  ['contactcommunication', 'contact.last_name:Jansen'],
];

describe('the plan of a list', () => {
  const database = useDatabase();
  let owner = 0;
  const sizes = new Map<string, number>();

  before(async function () {
    this.timeout(120_000);
    owner = await seededOwner(database(), 10_000);
    await seededOwner(database(), 200);
    for (const { name, table } of owned()) {
      await database().knex.raw(`ANALYZE TABLE ${table}`);
      const [row] = await select(database(), `SELECT COUNT(*) AS n FROM ${table} WHERE owner_id = ?`, [
        owner,
      ]);
      sizes.set(name, Number(row?.n));
    }
  });

  const sizeOf = ({ name }: Resource) => sizes.get(name) ?? 0;
  const isLarge = (resource: Resource) => sizeOf(resource) >= FEWEST_ROWS;
  const large = () => owned().filter(isLarge);
  const lastPage = (resource: Resource) => String(Math.max(2, Math.floor(sizeOf(resource) / 100)));

  it('covers the large tables', () => {
    expect(large().map(({ name }) => name)).to.include.members([
      'order',
      'orderline',
      'contact',
      'vehicle',
      'article',
    ]);
  });

  it('sorts on an index, on the first page and on the last', async () => {
    for (const resource of owned()) {
      for (const sort of sortable(resource).flatMap((name) => [name, `-${name}`])) {
        await expectIndexed(resource, { sort });
        await expectIndexed(resource, { sort, page: lastPage(resource) });
      }
    }
  }).timeout(120_000);

  it('seeks to a cursor, and does not read the rows before', async () => {
    for (const name of ['order', 'orderline']) {
      const resource = resourceNamed(name);
      for (const sort of ['id', '-id', 'created_at', '-modified_at']) await expectRange(resource, { sort });
    }
  });

  it('seeks to a cursor among the records of one kind too', async () => {
    for (const sort of ['id', '-id'])
      await expectRange(resourceNamed('order'), { filter: 'order_type[eq]:1', sort }, '5');
    await expectRange(resourceNamed('orderline'), { filter: 'line_kind[eq]:1' });
  });

  async function expectRange(resource: Resource, asked: Record<string, string>, page = '8'): Promise<void> {
    const json = await readList(garageOf(database(), owner), query(resource, { ...asked, page }));
    const { next } = JSON.parse(String(json));
    const [step] = await plan(resource, { ...asked, cursor: next });

    expect(step?.type, `${resource.name} ${JSON.stringify(asked)}`).to.equal('range');
    expect(String(step?.Extra)).not.to.include('filesort');
  }

  it('finds by reference, by flag and by unique field on an index', async () => {
    for (const resource of large()) {
      for (const name of sortable(resource)) {
        const [row] = await select(
          database(),
          `SELECT ${name} AS value FROM ${resource.table} WHERE owner_id = ? AND ${name} IS NOT NULL LIMIT 1`,
          [owner],
        );
        const value = row?.value ?? undefined;
        if (value === undefined) continue;
        const text =
          resource.fields.get(name)?.datatype === 'timestamp' ? String(value).replace(' ', 'T') : value;
        await expectIndexed(resource, { filter: `${name}[eq]:"${text}"` });
      }
    }
  });

  it('finds the most frequent requests on an index', async () => {
    for (const [name, parameters] of TYPICAL) await expectIndexed(resourceNamed(name), parameters);
  });

  it('finds questions over references and with any on the indexes of their fields', async () => {
    for (const [name, filter] of ASKED)
      for (const step of await plan(resourceNamed(name), { filter })) {
        const what = `${filter}: ${JSON.stringify(step)}`;
        // The server knows at once that a value of a unique key is not there.
        if (/^Impossible|^no matching row in const table$/.test(String(step.Extra))) continue;
        // The keys that the ways of `any` found before.
        if (/^<(derived|union)/.test(String(step.table))) continue;
        expect(String(step.key), what).to.not.match(/null|__id$/);
        expect(Number(step.rows), what).to.be.below(sizeOf(resourceNamed(name)) / 4);
      }
  });

  it('finds words on the index of the folded texts', async () => {
    for (const name of ['contact', 'vehicle', 'order', 'article']) {
      const steps = await plan(resourceNamed(name), { search: 'jansen zx123v' });

      const keys = steps.map(({ key }) => key);
      expect(keys, name).to.include(`${resourceNamed(name).table}__search_text`);
      expect(steps.map(({ type }) => type)).to.not.include('fulltext');
    }
  });

  it('finds the records of one kind, the newest or the first, on one index, however deep the page', async () => {
    const { ordertypes, orderstatuses } = LISTS;
    const kinds = { order_type: ordertypes.WORKSHOP, order_status: orderstatuses.INVOICE };
    for (const [column, kind] of Object.entries(kinds)) {
      const filter = `${column}[eq]:${kind}`;
      for (const page of ['1', '3']) {
        expect(await keysOf({ filter, page, sort: '-order_date' })).to.include(
          `orders__${column}__order_date`,
        );
        expect(await keysOf({ filter, page })).to.include(`orders__${column}`);
      }
      await expectRange(resourceNamed('order'), { filter, sort: '-order_date' }, '2');
    }
  });

  /** The indexes that orders are found by. */
  async function keysOf(asked: Record<string, string>): Promise<unknown[]> {
    const steps = await plan(resourceNamed('order'), asked);
    return steps.filter(({ table }) => table === 't').map(({ key }) => key);
  }

  it('finds records by their IDs on the primary key', async () => {
    for (const resource of large()) {
      const rows = await rowsOf(database(), owner, resource.name);
      const ids = rows.slice(-20).map(({ id }) => Number(id));
      const [several] = await explained((session) => findRecords(garageOf(session, owner), resource, ids));
      const [one] = await explained((session) => findRecord(garageOf(session, owner), resource, ids[0] ?? 0));

      expect([several?.type, several?.key], resource.name).to.deep.equal(['range', 'PRIMARY']);
      expect([one?.type, one?.key], resource.name).to.deep.equal(['const', 'PRIMARY']);
    }
  });

  it('finds the children of a page by their parents', async () => {
    for (const page_size of ['20', '100', '500']) {
      const [, ...steps] = await plan(resourceNamed('order'), { expand: 'orderline', page_size });
      const children = steps.filter(({ table }) => table === 't' || table === 'orderlines');

      expect(children.map(({ type }) => type))
        .to.include.members(['range'])
        .and.not.to.include('ALL');
      // Both indexes begin with the parent. Many children are found on one of them, and read by their IDs.
      const keys = new Set(children.map(({ key }) => String(key)));
      keys.delete('PRIMARY');
      expect([...keys].join(), page_size).to.match(/^orderlines__(order_id|sort_order)/);
    }
  });

  it('does without an index that the database lacks', async () => {
    const asked = { filter: 'order_type[eq]:1', sort: '-order_date', page: '2' };
    const read = () => readList(garageOf(database(), owner), query(resourceNamed('order'), asked));
    const expected = await read();
    await database().knex.raw('ALTER TABLE orders DROP KEY orders__order_type__order_date');

    const found = await read();

    await database().knex.raw(
      'ALTER TABLE orders ADD KEY orders__order_type__order_date (owner_id, order_type, order_date)',
    );
    expect(found).to.equal(expected);
  });

  it('counts on an index', async () => {
    for (const resource of large()) await expectIndexed(resource, { count: '1' });
  });

  async function expectIndexed(resource: Resource, parameters: Record<string, string>): Promise<void> {
    const asked = `${resource.name} ${JSON.stringify(parameters)}`;
    for (const step of await plan(resource, parameters)) {
      if (step.table !== 't' || !isLarge(resource)) continue;
      expect(step.type, asked).not.to.equal('ALL');
      expect(step.key, asked).not.to.be.oneOf([null, `${resource.table}__id`]);
      // A small part of the rows, found on an index, may be sorted.
      if (Number(step.rows) > sizeOf(resource) / 4)
        expect(String(step.Extra), asked).not.to.include('filesort');
    }
  }

  const query = (resource: Resource, parameters: Record<string, string>) =>
    parseListQuery(resource, owner, new Map(Object.entries(parameters)));

  const plan = (resource: Resource, parameters: Record<string, string>): Promise<Row[]> =>
    explained((session) => readList(garageOf(session, owner), query(resource, parameters)));

  /** The rows of EXPLAIN for each statement that `read` sends. */
  async function explained(read: (session: Session) => Promise<unknown>): Promise<Row[]> {
    const { session, statements } = recording(database());
    await read(session);
    return (await Promise.all(statements.map(([sql, values]) => explain(database(), sql, values)))).flat();
  }
});

const owned = () =>
  allResources().filter(({ ownership, methods }) => ownership === 'column' && methods.length > 0);

const sortable = ({ fields }: Resource): string[] => [
  ...COMMON,
  ...[...fields]
    .filter(([name, { unique, uniqueColumn, reference }]) => {
      const isKey = unique === 'owner' && uniqueColumn === undefined;
      return !COMMON.includes(name) && (isKey || reference !== undefined);
    })
    .map(([name]) => name),
];
