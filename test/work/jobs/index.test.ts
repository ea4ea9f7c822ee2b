// The statements that every process runs all the time, and the list, read jobs on their indexes in a large table.
import { randomUUID } from 'node:crypto';
import type { Knex } from 'knex';
import { parseListQuery } from '../../../src/core/model/lists/list-query.ts';
import { garageOf } from '../../../src/core/model/statements/garage.ts';
import { insertMany } from '../../../src/core/model/statements/insert-many.ts';
import type { Database } from '../../../src/core/model/statements/session.ts';
import { LISTS } from '../../../src/core/trade/lists.ts';
import { databaseTime } from '../../../src/core/trade/time/timestamp.ts';
import { claimDue, dueStranded } from '../../../src/platform/calls/turn.ts';
import { callbacks } from '../../../src/work/jobs/callback.ts';
import { claimJob } from '../../../src/work/jobs/claim.ts';
import { findJob, findResult, jobResource, seenInList } from '../../../src/work/jobs/job.ts';
import { expect } from '../../support/client/expect.ts';
import { readList } from '../../support/client/list.ts';
import { explain } from '../../support/database/explain.ts';
import { recording } from '../../support/database/recording.ts';
import { adminOf, openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { theService } from '../../support/service/service.ts';

const { QUEUED, DONE } = LISTS.jobstatuses;
const JOBS = 3_000;

describe('many jobs', () => {
  let scratch: Scratch;
  let jobs: { id: string; secret: string }[];
  let owner: number;
  before(async () => {
    scratch = await openScratch();
    [owner] = scratch.owners;
    jobs = await addJobs(scratch);
  });
  after(() => scratch.close());

  it('are claimed on the index for claims', async () => {
    const keys = await keysOf((database) => claimJob(database));

    expect(keys).to.have.length.above(2);
    expect(new Set(keys)).to.deep.equal(new Set(['jobs__claim']));
  });

  it('are called back on the index for callbacks', async () => {
    const { log, signingSecret } = theService().base;
    const keys = await keysOf((database) => {
      const options = { database, signingSecret, allow: [], log, isHeld: async () => false };
      return claimDue(options, callbacks(options), 500, new Map());
    });

    expect(keys).to.deep.equal(['jobs__callback', 'PRIMARY']);
  });

  it('are called back after the clock went back, found on the index for callbacks', async () => {
    const { log, signingSecret } = theService().base;
    const keys = await keysOf((database) => {
      const options = { database, signingSecret, allow: [], log, isHeld: async () => false };
      return dueStranded(options, callbacks(options));
    });

    expect(keys).to.deep.equal(['jobs__callback']);
  });

  it('are listed on an index of their owner, newest first, at any depth', async () => {
    const page = new Map([['sort', '-created_at']]);
    const deep = new Map([...page, ['page', '5']]);
    const { next } = JSON.parse(String(await readList(garageOf(scratch.database, owner), listOf(page))));
    const beyond = new Map([...page, ['cursor', String(next)]]);

    const keys = await Promise.all([page, deep, beyond].map(keysOfList));

    expect(keys).to.deep.equal([['jobs__created_at'], ['PRIMARY', 'jobs__created_at'], ['jobs__created_at']]);
  });

  it('are found one by one by ID and by secret, for their owner only', async () => {
    const [{ id, secret } = { id: '', secret: '' }] = jobs;
    const [, other] = scratch.owners;
    const { database } = scratch;

    expect(await findJob(database, adminOf(owner), id)).to.deep.include({ id, status: DONE, callbacks: [] });
    expect(await findResult(database, adminOf(owner), secret)).to.include({
      status: DONE,
      file_name: 'file 0',
    });
    expect(await findJob(database, adminOf(other), id)).to.equal(undefined);
    expect(await findResult(database, adminOf(other), secret)).to.equal(undefined);
  });

  /** As `GET /job` reads the list: of the jobs that the caller sees. */
  const listOf = (parameters: ReadonlyMap<string, string>) => {
    const query = parseListQuery(jobResource, owner, parameters);
    return { ...query, conditions: [...query.conditions, seenInList(adminOf(owner))] };
  };

  /** The indexes on which a list finds jobs. */
  async function keysOfList(parameters: ReadonlyMap<string, string>): Promise<unknown[]> {
    const { session, statements } = recording(scratch.database);
    await readList(garageOf(session, owner), listOf(parameters));
    const [[sql, values] = ['', []]] = statements;
    const steps = await explain(scratch.database, sql, values);
    return steps.flatMap(({ key }) => key ?? []);
  }

  /** The indexes on which the SELECT statements of `read` find jobs. */
  async function keysOf(read: (database: Database) => Promise<unknown>): Promise<unknown[]> {
    const statements: { sql: string; bindings: string[] }[] = [];
    const record = (knex: Knex) =>
      knex.on('query', (query) => query.sql.startsWith('select') && statements.push(query));
    const { database } = scratch;
    record(database.knex);
    await read({
      ...database,
      transaction: (work) =>
        database.transaction((session) => {
          record(session.knex);
          return work(session);
        }),
    });
    database.knex.removeAllListeners('query');
    const keys: unknown[] = [];
    for (const { sql, bindings } of [...statements]) {
      const steps = await explain(database, sql, bindings);
      const found = steps.find(
        ({ table, select_type }) => table === 'jobs' && !/SUBQUERY|MATERIALIZED/.test(String(select_type)),
      );
      if (found) keys.push(found.key);
    }
    return keys;
  }
});

/** Jobs of three owners, a minute apart. Nine of ten are done, and a few of the done ones have a due callback. */
async function addJobs({ database, owners }: Scratch): Promise<{ id: string; secret: string }[]> {
  const rows = Array.from({ length: JOBS }, (_, index) => {
    const at = databaseTime(new Date(Date.now() - index * 60_000));
    const isDone = index % 10 !== 7;
    return {
      id: randomUUID(),
      secret: randomUUID(),
      owner_id: owners[index % owners.length] ?? 0,
      api_key_id: 1,
      kind: 'owner-backup',
      endpoint: 'POST /backup/owner',
      params: '{}',
      params_hash: String(index),
      webhook_url: 'https://127.0.0.1:1/',
      status: isDone ? DONE : QUEUED,
      run_at: at,
      created_at: at,
      finished_at: isDone ? at : null,
      file_name: isDone ? `file ${index}` : null,
      callback_at: index % 100 === 1 ? at : null,
    };
  });
  await insertMany(database, 'jobs', rows);
  for (const owner_id of owners) await insertMany(database, 'job_turns', [{ owner_id }]);
  await database.knex.raw('ANALYZE TABLE jobs');
  return rows;
}
