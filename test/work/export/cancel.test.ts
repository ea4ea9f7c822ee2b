// Cancelling an export stops its statement at the database server, and leaves no file.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createConnection } from 'mysql2/promise';
import type { Execute } from '../../../src/cli/program.ts';
import { noProgress } from '../../../src/cli/progress.ts';
import { mysqlOptions } from '../../../src/platform/database/settings.ts';
import { type Client, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { select } from '../../support/database/sql.ts';
import { forecourt } from '../../support/process/forecourt.ts';
import { database, inStorage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

describe('cancelling an export', () => {
  let client: Client;
  let unlock: () => Promise<void>;
  beforeEach(async () => {
    client = await newClient();
    const other = await createConnection(mysqlOptions(theService().base.connection));
    // The statement of the export waits for this table as long as it is not killed.
    await other.query('LOCK TABLES turnovergroups WRITE');
    unlock = () => other.end();
  });
  afterEach(() => unlock());

  /** The statements that wait for the table. */
  const waiting = () =>
    select(
      database(),
      "SELECT id FROM information_schema.processlist WHERE state LIKE 'Waiting%' AND info LIKE '%turnovergroups%'",
    );
  const waits = () => until(async () => (await waiting()).length === 1);
  /**
   * How many statements were killed. The server may also notice by itself that the client of a waiting statement has
   * gone.
   */
  const kills = async () => {
    const [status] = await select(database(), "SHOW GLOBAL STATUS LIKE 'Com_kill'");
    return Number(status?.Value);
  };
  const isGone = () => until(async () => (await waiting()).length === 0);

  it('kills the statement of a job', async () => {
    // A worker that can't stop within two seconds is ended, and kills nothing. A machine may be busy just then.
    await until(async () => {
      const { data } = await client.post('/export', { resource: 'turnovergroup', sort: 'name' });
      await waits();
      const before = await kills();

      const answer = await client.del(`/job/${data.job_id}`);

      await isGone();
      expect(answer.status).to.equal(200);
      expect((await client.get(`/job/${data.job_id}`)).data).to.include({ status: 'cancelled' });
      const files = await readdir(inStorage('archives'));
      expect(files.filter((name) => name.includes(data.job_id))).to.deep.equal([]);
      return (await kills()) === before + 1;
    });
  });

  it('kills the statement of a command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'forecourt-cancel-'));
    const ending = new AbortController();
    const { owner } = client.garage;
    const words = ['--owner', String(owner), '--resource', 'turnovergroup', '--out', join(folder, 'groups')];
    const { base } = theService();
    const context = {
      config: base.config,
      signal: ending.signal,
      showProgress: noProgress,
      input: Readable.from([]),
      print: () => {},
      warn: () => {},
    };
    // The base of the service: opening another one would wait for the table too.
    const execute: Execute = async (command, options, args) => {
      await command.run(base, options, args, context);
      return 0;
    };
    const said = forecourt(execute, ['export', ...words]);
    await waits();

    ending.abort(new Error('stopped'));

    await isGone();
    expect(await said).to.deep.equal({ code: 1, out: '', err: 'forecourt: stopped\n' });
    expect(await readdir(folder)).to.deep.equal([]);
    await rm(folder, { recursive: true });
  });
});
