// How long changes are kept: the feed forgets first, then the log.
import type { Knex } from 'knex';
import type { Row } from '../../../src/core/model/fields/field.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { placesOf } from '../../../src/platform/changes/place.ts';
import { closeFeeds, removeChanges } from '../../../src/platform/changes/retention.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { expect } from '../../support/client/expect.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { select } from '../../support/database/sql.ts';
import { statementsOf } from '../../support/database/statements.ts';

const DAY_MS = 24 * 3600 * 1000;
const MORE_THAN_A_PORTION = 1_200;

describe('old changes', () => {
  let scratch: Scratch;
  beforeEach(async () => {
    scratch = await openScratch();
    await scratch.database.knex('changes').delete();
  });
  afterEach(() => scratch.close());

  /** Changes of an owner, so many days old, with the places from 1. */
  async function log(owner: number, ages: readonly number[]): Promise<void> {
    const { knex } = scratch.database;
    const rows = ages.map((days, index) => changeOf(owner, index + 1, days));
    await knex('changes').insert(rows);
    await counters(knex).insert({ owner_id: owner, name: 'changes', value: ages.length });
  }

  it('leave the feed of their owner in the order of their places', async () => {
    const [one, two] = scratch.owners;
    await log(one, [...Array(MORE_THAN_A_PORTION).fill(100), 91, 89, 100, 1]);
    await log(two, [10, 1]);

    const left = await closeFeeds(scratch.database, new Date(), 90);
    const again = await closeFeeds(scratch.database, new Date(), 90);

    expect([left, again]).to.deep.equal([MORE_THAN_A_PORTION + 1, 0]);
    expect(await placesOf(garageOf(scratch.database, one))).to.include({ gone: MORE_THAN_A_PORTION + 1 });
    expect(await placesOf(garageOf(scratch.database, two))).to.deep.equal({ last: 2, gone: 0 });
    expect(await kept()).to.have.length(MORE_THAN_A_PORTION + 6);
  });

  it('leave the log in portions, and no young change goes with them', async () => {
    const [one, two] = scratch.owners;
    await log(one, [3_000, 100, ...Array(MORE_THAN_A_PORTION).fill(2_558), 2_556]);
    await log(two, [2_558, 1]);
    await closeFeeds(scratch.database, new Date(), 90);

    expect(await removeChanges(scratch.database, new Date(), 2_557)).to.equal(MORE_THAN_A_PORTION + 2);

    expect((await kept()).map(({ seq }) => Number(seq))).to.deep.equal([2, MORE_THAN_A_PORTION + 3, 2]);
  });

  it('that a wrong clock has dated leave with the changes around them', async () => {
    const [one, two] = scratch.owners;
    // Nine years ahead, and sixteen years back.
    const [ahead, back] = [-9 * 365, 16 * 365];
    await log(one, [2_600, ...Array(MORE_THAN_A_PORTION).fill(ahead), 2_600, 2_600, ahead, 5, back, 4]);
    await log(two, [5, back, 4]);

    const left = await closeFeeds(scratch.database, new Date(), 90);
    const removed = await removeChanges(scratch.database, new Date(), 2_557);

    expect(left).to.equal(MORE_THAN_A_PORTION + 3);
    expect(removed).to.equal(3);
    expect(await placesOf(garageOf(scratch.database, two))).to.deep.equal({ last: 3, gone: 0 });
    expect(await kept()).to.have.length(MORE_THAN_A_PORTION + 4 + 3);
  });

  it('are looked for once, however many owners there are', async () => {
    for (const owner of scratch.owners) await log(owner, [3, 2, 1]);

    const statements = await statementsOf(scratch.database, async () => {
      await closeFeeds(scratch.database, new Date(), 90);
      await removeChanges(scratch.database, new Date(), 2_557);
    });

    expect(statements.map(({ sql }) => sql.split(' ')[0])).to.deep.equal(['select', 'select']);
  });

  it('leave the feed also where the log lost its first ones', async () => {
    const [one] = scratch.owners;
    await log(one, [100, 100, 100, 1]);
    await scratch.database.knex('changes').where({ owner_id: one, seq: 1 }).delete();

    expect(await closeFeeds(scratch.database, new Date(), 90)).to.equal(3);

    expect(await placesOf(garageOf(scratch.database, one))).to.deep.equal({ last: 4, gone: 3 });
  });

  const kept = (): Promise<Row[]> =>
    select(scratch.database, 'SELECT seq FROM changes ORDER BY owner_id, seq');
});

const counters = (knex: Knex) => knex('counters');

const changeOf = (owner_id: number, seq: number, days: number) => ({
  owner_id,
  seq,
  resource: 'contact',
  record_id: seq,
  action: 1,
  version: 1,
  at: databaseTime(new Date(Date.now() - days * DAY_MS)),
});

describe('the configuration of changes', () => {
  it('refuses a feed that is longer than the log', () => {
    expect(() => readConfig({ CHANGES_DAYS: '91', AUDIT_DAYS: '90' })).to.throw(
      /^CHANGES_DAYS must be at most AUDIT_DAYS, which is 90/,
    );
    expect(readConfig({})).to.include({ changesDays: 90, auditDays: 2557 });
  });
});
