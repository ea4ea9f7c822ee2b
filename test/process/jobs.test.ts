// Two processes on one database share the jobs, whatever happens to one of them. A locked table keeps backups running
// for as long as a test needs.
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import type { Row } from '../../src/core/model/fields/field.ts';
import type { Database } from '../../src/core/model/statements/session.ts';
import { LISTS } from '../../src/core/trade/lists.ts';
import { connectDatabase } from '../../src/platform/database/connect.ts';
import type { PrivateServer } from '../../src/platform/database/private-server.ts';
import { NO_FILES } from '../support/database/no-files.ts';
import { joinServer } from '../support/database/private-server.ts';
import { execute, select } from '../support/database/sql.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../support/process/process.ts';
import { openTenant, type Tenant } from '../support/process/process-garage.ts';
import { until } from '../support/service/until.ts';

const { QUEUED, RUNNING, DONE, FAILED, CANCELLED } = LISTS.jobstatuses;

describe('two processes with jobs', function () {
  this.timeout(120_000);
  let folder: string;
  let storage: string;
  let env: NodeJS.ProcessEnv;
  let server: PrivateServer;
  let database: Database;
  let lock: Connection;
  let receiver: Receiver;
  let processes: StartedProcess[];
  let one: Tenant;
  let two: Tenant;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-jobs-'));
    storage = join(folder, 'storage');
    env = processEnvironment(storage, { JOB_THREADS: '2' });
    server = await joinServer(join(storage, 'database'));
    database = connectDatabase(server.connection, NO_FILES);
    lock = await createConnection(server.connection);
    [one, two] = [await openTenant(env), await openTenant(env)];
    processes = [await startProcess(env), await startProcess(env)];
    // A login writes to another table than the locked one.
    for (const tenant of [one, two]) await tenant.ask(url(), 'GET', '/job');
  });

  beforeEach(async () => {
    receiver = await openReceiver();
    await lock.query('LOCK TABLES orders WRITE');
  });

  afterEach(async () => {
    await lock.query('UNLOCK TABLES');
    await receiver.close();
    await execute(database, 'DELETE FROM jobs', []);
    for (const [index, { child }] of processes.entries())
      if (child.exitCode !== null || child.signalCode !== null) processes[index] = await startProcess(env);
  });

  after(async () => {
    for (const each of processes) await each.kill('SIGTERM');
    await lock.end();
    await database.close();
    await server.leave();
    await rm(folder, { recursive: true, force: true });
  });

  const url = (index = 0) => processes[index]?.url ?? '';
  const job = async (id: string): Promise<Row> =>
    (await select(database, 'SELECT * FROM jobs WHERE id = ?', [id]))[0] ?? {};
  const becomes = (id: string, wanted: Row) =>
    until(async () => {
      const row = await job(id);
      return Object.entries(wanted).every(([column, value]) => row[column] === value) && row;
    }, 30_000);
  const called = (id: string) =>
    until(async () => {
      const rows = await select(database, 'SELECT status FROM job_callbacks WHERE job_id = ?', [id]);
      return rows.length > 0 && rows.map(({ status }) => status);
    }, 30_000);
  const endLease = (id: string) =>
    execute(database, 'UPDATE jobs SET lease_until = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND WHERE id = ?', [
      id,
    ]);
  /** Stops a process, but not during a claim: it would keep its locks on jobs as long as it stands still. */
  const stop = ({ child }: StartedProcess, id: string) =>
    until(async () => {
      child.kill('SIGSTOP');
      const lock = 'SELECT id FROM jobs WHERE id = ? FOR UPDATE NOWAIT';
      const isFree = await database
        .transaction((session) => select(session, lock, [id]))
        .then(
          () => true,
          () => false,
        );
      if (!isFree) child.kill('SIGCONT');
      return isFree;
    });
  const started = ({ output }: StartedProcess, id: string) => output().includes(`"job":"${id}","kind"`);
  /** The process that runs a job, and the other one. */
  const runnerOf = (id: string) =>
    until(async () => {
      const [first, second] = processes as [StartedProcess, StartedProcess];
      if (started(first, id)) return [first, second] as const;
      return started(second, id) && ([second, first] as const);
    });
  const filesOf = async (id: string) =>
    (await readdir(join(storage, 'archives'))).filter((file) => file.includes(id));

  it('run two jobs of an owner and one of another owner, each once', async () => {
    const mine: string[] = [];
    for (let asked = 0; asked < 4; asked += 1)
      mine.push(await one.backup(url(asked % 2), receiver.url(`/${asked}`)));
    const theirs = await two.backup(url(), receiver.url('/theirs'));

    await becomes(theirs, { status: RUNNING });
    const statuses = await until(async () => {
      const rows = await Promise.all(mine.map(job));
      const found = rows.map(({ status }) => status);
      return found.filter((status) => status === RUNNING).length === 2 && found;
    });
    await lock.query('UNLOCK TABLES');
    const ended = await Promise.all([...mine, theirs].map((id) => becomes(id, { status: DONE })));
    await Promise.all([...mine, theirs].map(called));

    expect(statuses.filter((status) => status === QUEUED)).to.have.length(2);
    expect(ended.map(({ fence, attempts }) => [fence, attempts])).to.deep.equal(Array(5).fill([1, 1]));
    await Promise.all([...mine, theirs].map(runnerOf));
    for (const id of [...mine, theirs])
      expect(processes.filter((each) => started(each, id))).to.have.length(1);
    expect(receiver.requests).to.have.length(5);
  });

  it('do not let a slow process finish the job, overwrite the archive or call back', async () => {
    const id = await one.backup(url(), receiver.url());
    const [slow, other] = await runnerOf(id);
    await stop(slow, id);
    await endLease(id);

    await becomes(id, { fence: 2 });
    await lock.query('UNLOCK TABLES');
    const done = await becomes(id, { status: DONE });
    await called(id);
    slow.child.kill('SIGCONT');
    await until(async () =>
      /"job":"[^"]*","fence":1,"msg":"job was cancelled or taken over"/.test(slow.output()),
    );
    await slow.kill('SIGTERM');
    await until(async () => started(other, id));

    expect(await job(id)).to.deep.equal({
      ...done,
      callback_at: null,
      callback_tries: 1,
      callback_lease_until: null,
    });
    expect(await filesOf(id)).to.deep.equal([`owner-backup-${id}-2.zip`]);
    expect(await called(id)).to.deep.equal([200]);
    expect(receiver.requests).to.have.length(1);
  });

  it('release jobs at once on a drain, though a request still runs, and the attempt does not count', async () => {
    const id = await one.backup(url(), receiver.url());
    const [draining, other] = await runnerOf(id);
    const request = await beginRequest(draining.url);
    const ending = draining.kill('SIGTERM');

    await becomes(id, { status: RUNNING, fence: 3 });
    const stillRuns = !request.destroyed;
    await lock.query('UNLOCK TABLES');
    const done = await becomes(id, { status: DONE });
    request.destroy();
    await ending;

    await until(async () => started(other, id));
    expect(stillRuns).to.equal(true);
    expect(done).to.include({ attempts: 1, fence: 3 });
    expect(draining.child.exitCode).to.equal(0);
  });

  it('fail a job after its fifth attempt, with a reason and a callback', async () => {
    const id = await one.backup(url(), receiver.url());
    const [dying] = await runnerOf(id);
    await execute(database, 'UPDATE jobs SET attempts = 5 WHERE id = ?', [id]);
    await dying.kill('SIGKILL');
    await endLease(id);

    const failed = await becomes(id, { status: FAILED });
    expect(await called(id)).to.deep.equal([200]);
    const index = processes.findIndex(({ child }) => child.signalCode === null);
    const shown = await one.ask(url(index), 'GET', `/job/${id}`);
    const result = await one.ask(url(index), 'GET', `/webhook?id=${failed.secret}`);

    const cause = 'The process that ran it ended 5 times before it was done';
    expect(shown.data).to.include({ status: 'failed', error: cause });
    expect(result.data).to.deep.equal({ url: null, status: 'failed', message: cause });
    await until(async () => (await filesOf(id)).length === 0);
  });

  it('stop a job that was cancelled at the other process, and do not call back', async () => {
    const id = await one.backup(url(), receiver.url());
    const [runner, other] = await runnerOf(id);

    const answer = await one.ask(other.url, 'DELETE', `/job/${id}`);
    await until(async () => runner.output().includes('job was cancelled or taken over'));
    await lock.query('UNLOCK TABLES');
    const next = await one.backup(url(), receiver.url('/next'));
    await called(next);

    expect(answer.status).to.equal(200);
    expect(await job(id)).to.include({ status: CANCELLED, callback_at: null });
    expect(await filesOf(id)).to.deep.equal([]);
    expect(receiver.requests.map((request) => request.url.split('?')[0])).to.deep.equal(['/next']);
    expect((await one.ask(url(), 'DELETE', `/job/${next}`)).body.message).to.equal(
      '[job] is [done], cannot cancel',
    );
  });

  it('start a backup again after its connection was lost', async () => {
    const id = await one.backup(url(), receiver.url());
    const connection = await until(async () => {
      const rows = await select(
        database,
        "SELECT id FROM information_schema.processlist WHERE info LIKE 'select%from `orders`%' AND state LIKE '%lock%'",
        [],
      );
      return rows[0]?.id;
    });

    await database.knex.raw('KILL ?', [connection]);
    await becomes(id, { attempts: 2, status: RUNNING });
    await lock.query('UNLOCK TABLES');
    const done = await becomes(id, { status: DONE });

    expect(done).to.include({ attempts: 2, error: null });
    expect(await called(id)).to.deep.equal([200]);
    expect(await filesOf(id)).to.have.length(1);
  });
});

/** A request whose body does not come. */
async function beginRequest(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.write(
    'POST /v2/authenticate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{',
  );
  return socket;
}
