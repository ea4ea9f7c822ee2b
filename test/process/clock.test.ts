// The clock of the machine is moved while the service and its database run.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createConnection, type RowDataPacket } from 'mysql2/promise';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { mysqlOptions } from '../../src/platform/database/settings.ts';
import { copyDatabase, joinServer } from '../support/database/private-server.ts';
import { type FakeClock, openFakeClock } from '../support/process/fake-clock.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const HOUR = 3600;

describe('the clock of the machine', function () {
  this.timeout(120_000);
  let folder: string;
  let clock: FakeClock;
  let service: StartedProcess;
  let server: PrivateServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-clock-'));
    clock = await openFakeClock(folder);
    const storage = join(folder, 'storage');
    await copyDatabase(join(storage, 'database'));
    service = await startProcess(processEnvironment(storage, clock.environment));
    server = await joinServer(join(storage, 'database'));
  });

  after(async () => {
    await service?.kill('SIGTERM');
    await server?.leave();
    await clock?.close();
    await rm(folder, { recursive: true, force: true });
  });

  beforeEach(() => clock.set(0));

  it('is moved for the service and its database at once', async () => {
    await clock.set(-HOUR);

    const ofDatabase = await databaseTime();
    const ofService = await until(async () => {
      const time = Date.parse((await fetch(`${service.url}/health/live`)).headers.get('date') ?? '');
      return Date.now() - time > 10_000 && time;
    });

    for (const time of [ofDatabase, ofService]) expect(time).to.be.closeTo(Date.now() - HOUR * 1000, 10_000);
  });

  async function databaseTime(): Promise<number> {
    const connection = await createConnection(mysqlOptions(server.connection));
    const [[row]] = await connection.query<RowDataPacket[]>('SELECT UNIX_TIMESTAMP() AS now');
    await connection.end();
    return Number(row?.now) * 1000;
  }
});
