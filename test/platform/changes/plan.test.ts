// The audit, the feed and doctor's check read a large log on its indexes.
import type { Knex } from 'knex';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { type ListQuery, parseListQuery } from '../../../src/core/model/lists/list-query.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { insertMany } from '../../../src/core/model/statements/insert-many.ts';
import type { Session } from '../../../src/core/model/statements/session.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { auditResource } from '../../../src/platform/changes/audit-resource.ts';
import { readFeedPage } from '../../../src/platform/changes/feed-page.ts';
import { ownersWithUnplaced } from '../../../src/platform/changes/place.ts';
import { closeFeeds, removeChanges } from '../../../src/platform/changes/retention.ts';
import { expect } from '../../support/client/expect.ts';
import { readList } from '../../support/client/list.ts';
import { explain } from '../../support/database/explain.ts';
import { recording } from '../../support/database/recording.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { statementsOf } from '../../support/database/statements.ts';

const CHANGES = 6_000;

describe('many changes', () => {
  let scratch: Scratch;
  let owner: number;
  before(async () => {
    scratch = await openScratch();
    [owner] = scratch.owners;
    await addChanges(scratch);
  });
  after(() => scratch.close());

  it('are listed on an index, newest first, at any depth', async () => {
    const newest = { sort: '-seq' };
    const { next } = JSON.parse(await readList(garageOf(scratch.database, owner), query(newest)));

    expect(await steps(newest)).to.deep.equal([['PRIMARY', false]]);
    expect(await steps({ ...newest, page: '15' })).to.deep.include(['PRIMARY', false]);
    expect(await steps({ ...newest, cursor: next })).to.deep.equal([['PRIMARY', false]]);
    expect(await steps({ ...newest, count: '1' })).to.deep.include(['PRIMARY', false]);
  });

  it('are sorted by every indexed field, and found by it', async () => {
    const found: Record<string, string> = {
      'employee_id:3': 'changes__employee_id__seq',
      'api_key_id:3': 'changes__api_key_id__seq',
      'resource:order,record_id:7': 'changes__resource__record_id__seq',
      'at[ge]:2026-01-01': 'changes__at__seq',
    };
    for (const field of ['at', 'employee_id', 'api_key_id'])
      for (const sort of [field, `-${field}`])
        expect(await steps({ sort }), sort).to.deep.equal([[`changes__${field}__seq`, false]]);
    for (const [filter, key] of Object.entries(found)) {
      const sort = filter.startsWith('at') ? '-at' : '-seq';
      expect(await steps({ filter, sort }), filter).to.deep.equal([[key, false]]);
    }
  });

  it('are listed on the same indexes for a key that may read some resources only', async () => {
    for (const names of ['order', 'order|contact', 'order|orderline|contact']) {
      const { conditions } = query({ filter: `resource[in]:${names}` });
      const newest = { ...query({ sort: '-seq' }), within: conditions };
      const found = { ...query({ filter: 'employee_id:3', sort: '-seq' }), within: conditions };

      expect(await stepsOf(newest), names).to.deep.equal([['PRIMARY', false]]);
      expect(await stepsOf(found), names).to.deep.equal([['changes__employee_id__seq', false]]);
    }
  });

  it('are read by the feed and by those who wait on the index of places', async () => {
    const after = CHANGES / 6;
    const resources = ['order', 'contact'];

    const page = await keysOf((session) => readFeedPage(session, { owner, after, resources, pageSize: 100 }));
    const asked = await keysOf((session) => ownersWithUnplaced(session, { owners: scratch.owners }));

    expect([page, asked]).to.deep.equal([['PRIMARY'], ['PRIMARY']]);
  });

  it('are looked through for old ones by one statement each, which reads one change of each owner', async () => {
    const feed = await stepsOfChanges((session) => closeFeeds(session, new Date(), 90));
    const log = await stepsOfChanges((session) => removeChanges(session, new Date(), 2_557));

    const byKey = { key: 'PRIMARY', type: 'eq_ref' };
    expect(feed.filter(({ table }) => table === 'changes'))
      .to.have.nested.property('[0]')
      .that.includes(byKey);
    const [first] = log.filter(({ table }) => table === 'changes');
    expect(first).to.include({ key: 'changes__at__seq', type: 'ref' });
    // In the order of the index: the server stops at the first change of an owner.
    expect(String(first?.Extra)).to.not.contain('filesort');
  });

  const query = (parameters: Record<string, string>) =>
    parseListQuery(auditResource, owner, new Map(Object.entries(parameters)));

  const steps = (parameters: Record<string, string>) => stepsOf(query(parameters));

  /** The index of each step of a list, and whether the server sorts there. */
  async function stepsOf(list: ListQuery): Promise<[unknown, boolean][]> {
    const { session, statements } = recording(scratch.database);
    await readList(garageOf(session, owner), list);
    const plans = await Promise.all(
      statements.map(([sql, values]) => explain(scratch.database, sql, values)),
    );
    return plans
      .flat()
      .filter(({ table }) => table === 't')
      .map(({ key, Extra }) => [key, String(Extra).includes('filesort')]);
  }

  /** The indexes on which the statements of `read` find changes. */
  const keysOf = async (read: (session: Session) => Promise<unknown>): Promise<unknown[]> =>
    (await stepsOfChanges(read)).map(({ key }) => key);

  /** The steps of the statements of `read` that find changes. */
  async function stepsOfChanges(read: (session: Session) => Promise<unknown>): Promise<Row[]> {
    const { database } = scratch;
    const statements = await statementsOf(database, () => read(database));
    const plans = statements
      .filter(({ sql }) => /`change(s|_outbox)`/.test(sql))
      .map(({ sql, bindings }) => explain(database, sql, bindings));
    return (await Promise.all(plans)).flat();
  }
});

/** Changes of three owners, by ten employees with ten keys, and a few without a place. */
async function addChanges({ database, owners }: Scratch): Promise<void> {
  await database.knex('changes').delete();
  const rows = Array.from({ length: CHANGES }, (_, index) => {
    const place = Math.floor(index / owners.length) + 1;
    return {
      owner_id: owners[index % owners.length] ?? 0,
      seq: place,
      resource: ['order', 'orderline', 'contact', 'vehicle'][place % 4] ?? '',
      record_id: place % 500,
      action: 2,
      version: 2,
      at: databaseTime(new Date(Date.now() - (CHANGES - index) * 60_000)),
      employee_id: place % 10,
      api_key_id: place % 10,
      request_id: `request ${index}`,
      changes: '{"name":["one","two"]}',
    };
  });
  await insertMany(database, 'changes', rows);
  const counters = (knex: Knex) => knex('counters');
  for (const owner_id of owners)
    await counters(database.knex)
      .insert({ owner_id, name: 'changes', value: CHANGES / 3 })
      .onConflict(['owner_id', 'name'])
      .merge();
  const waiting = Array.from({ length: 12 }, (_, index) => ({
    owner_id: owners[index % owners.length] ?? 0,
    changes: '[]',
  }));
  await insertMany(database, 'change_outbox', waiting);
  await database.knex.raw('ANALYZE TABLE changes, change_outbox');
}
