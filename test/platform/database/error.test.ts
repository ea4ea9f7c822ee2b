// Errors of the database: the service knows them even if Objection wraps them, and logs no values with them.

import type { Database, Session } from '../../../src/core/model/statements/session.ts';
import { ApiKey, createKey } from '../../../src/platform/auth/key.ts';
import { readConfig } from '../../../src/platform/config.ts';
import { connectDatabase } from '../../../src/platform/database/connect.ts';
import { failed } from '../../../src/platform/job-failure.ts';
import { createLog } from '../../../src/platform/log.ts';
import { expect } from '../../support/client/expect.ts';
import { NO_FILES } from '../../support/database/no-files.ts';
import { openScratch, type Scratch } from '../../support/database/scratch-database.ts';
import { execute, select } from '../../support/database/sql.ts';
import { theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('an error of the database', () => {
  let scratch: Scratch;
  before(async () => {
    scratch = await openScratch();
  });
  after(() => scratch.close());

  const newKey = async () => (await createKey(scratch.database, 'secret', { party: 'one', allow: [] })).id;
  const rename = ({ knex }: Session, id: number, party: string) =>
    ApiKey.query(knex).patch({ party }).where('id', id);

  it('that is a deadlock runs the transaction again', async () => {
    const keys = [await newKey(), await newKey()] as const;
    let runs = 0;
    const crossing = (mine: 0 | 1, other: 0 | 1) =>
      scratch.database.transaction(async (session) => {
        await rename(session, keys[mine], `party ${mine}`);
        runs += 1;
        await until(async () => runs >= 2);
        await rename(session, keys[other], `party ${mine}`);
      });

    await Promise.all([crossing(0, 1), crossing(1, 0)]);

    expect(runs).to.equal(3);
  });

  it('that is a full table fails a job with a text that says so', async () => {
    const error = await scratch.database
      .transaction(async (session) => {
        await execute(session, 'SET SESSION max_heap_table_size = 16384');
        await execute(session, 'CREATE TEMPORARY TABLE small (content CHAR(200)) ENGINE = MEMORY');
        for (;;) await execute(session, "INSERT INTO small VALUES ('x')");
      })
      .catch((reason) => reason);

    expect(error).to.include({ errno: 1114 });
    expect(failed(error)).to.deep.equal({ ok: false, message: 'No space left on the disk of the database' });
  });

  it('that refuses a new connection counts as a lost one, so that jobs try again', async () => {
    const { connection } = theService().base;
    await execute(scratch.database, 'CREATE USER few@localhost WITH MAX_USER_CONNECTIONS 1');
    const few = { ...connection, user: 'few', database: 'information_schema' };
    const [old, full] = [{ ...connection, password: 'of yesterday' }, few].map((settings) =>
      connectDatabase(settings, NO_FILES),
    ) as [Database, Database];

    const errors = [
      await select(old, 'SELECT 1').catch((reason) => reason),
      await full.snapshot(() => select(full, 'SELECT 1')).catch((reason) => reason),
    ];
    for (const database of [old, full]) await database.close();
    await execute(scratch.database, 'DROP USER few@localhost');

    expect(errors.map(({ errno }) => errno)).to.deep.equal([1045, 1226]);
    const lost = { ok: false, message: 'The connection to the database was lost', passing: true };
    expect(errors.map((error) => failed(error))).to.deep.equal([lost, lost]);
  });

  it('is logged without the values of its statement', async () => {
    const lines: string[] = [];
    const log = createLog(readConfig({}), { write: (line) => lines.push(line) });
    const { key_hash = '' } = (await ApiKey.query(scratch.database.knex).findById(await newKey())) ?? {};
    const again = {
      party: 'one',
      key_hash,
      allow: '["*"]',
      webhook_secret: 'sealed',
      created_at: '2026-01-01',
    };

    const error = await ApiKey.query(scratch.database.knex)
      .insert(again)
      .catch((reason) => reason);
    log.error({ err: error }, 'not inserted');

    expect(error.code).to.equal('ER_DUP_ENTRY');
    expect(lines.join()).to.include('not inserted').and.include('api_keys__key_hash');
    expect(lines.join()).not.to.include('sealed');
  });
});
