// A first start whose disk is full prints one line that says so, and exits with 1.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabaseServer } from '../support/database/database-server.ts';
import { fillDisk, mountSmallDisk } from '../support/process/full-disk.ts';
import { processEnvironment, run } from '../support/process/process.ts';

const TOO_SMALL_MB = 10;
/** Enough for a copy of the data folder of the run. */
const SMALL_MB = 400;
const LEFT_BYTES = 3_000_000;

describe('a first start on a full disk', function () {
  this.timeout(120_000);
  let folder: string;
  let small: string;
  let unmount: (() => void) | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-full-'));
    small = join(folder, 'small');
  });
  afterEach(async () => {
    unmount?.();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (storage: string, changes: NodeJS.ProcessEnv = {}) =>
    run('main.js', [], processEnvironment(storage, { LOG_LEVEL: 'warn', ...changes }));

  it('says that the private server has no space for its data', async function () {
    unmount = await mountSmallDisk(small, TOO_SMALL_MB);
    if (!unmount) return this.skip();

    const { code, out, err } = await start(small);

    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.equal(
      `forecourt: Can't make the data folder of the database: the disk of ${small}/database is full\n`,
    );
  });

  it('says that the server of DATABASE_URL has no space for the tables, without the statement', async function () {
    unmount = await mountSmallDisk(small, SMALL_MB);
    if (!unmount) return this.skip();
    const server = await openDatabaseServer(join(small, 'database'));
    await server.database.knex.raw('CREATE DATABASE fresh');
    await fillDisk(join(small, 'filler'), LEFT_BYTES);

    const DATABASE_URL = server.url.replace(/\w+$/, 'fresh');
    const { code, out, err } = await start(join(folder, 'storage'), { DATABASE_URL });
    await rm(join(small, 'filler'));
    await server.close();

    expect([code, out]).to.deep.equal([1, '']);
    expect(err).to.match(/^forecourt: The disk of the database is full: [^\n]{10,140}\n$/);
  });
});
