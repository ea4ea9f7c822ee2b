// The clock of the machine goes back by an hour while the service and its database run. No work waits for that hour.
import { expect } from 'chai';
import { type Connection, createConnection } from 'mysql2/promise';
import { LISTS } from '../../src/core/trade/lists.ts';
import { send } from '../support/client/client.ts';
import { RawConnection } from '../support/client/socket.ts';
import { select } from '../support/database/sql.ts';
import { type ClockedService, openClockedService } from '../support/process/clocked-service.ts';
import { openReceiver, type Receiver } from '../support/process/https-receiver.ts';
import { spawnProcess, startProcess } from '../support/process/process.ts';
import { until } from '../support/service/until.ts';

const { RUNNING, DONE } = LISTS.jobstatuses;
const HOUR = 3600;
/** A lease, and some time for the work. */
const PATIENCE_MS = 45_000;

describe('a clock that goes back by an hour', function () {
  this.timeout(180_000);
  let scene: ClockedService;
  let lock: Connection;
  let receiver: Receiver;

  before(async () => {
    scene = await openClockedService({ JOB_THREADS: '2' });
    lock = await createConnection(scene.connection);
  });

  after(async () => {
    await lock?.end();
    await scene?.close();
  });

  beforeEach(async () => {
    receiver = await openReceiver();
    await scene.clock.set(0);
  });

  afterEach(async () => {
    await lock.query('UNLOCK TABLES');
    await receiver.close();
    if (scene.process.child.exitCode !== null || scene.process.child.signalCode !== null) await scene.start();
  });

  it('delays no queued job', async () => {
    const token = await scene.logIn();
    await lock.query('LOCK TABLES orders WRITE');
    const ids: string[] = [];
    for (let asked = 0; asked < 5; asked += 1) ids.push(await backup(`/${asked}`, token));
    await until(async () => (await statuses(ids)).filter((status) => status === RUNNING).length === 2);

    await scene.clock.set(-HOUR);
    await lock.query('UNLOCK TABLES');

    await until(async () => (await statuses(ids)).every((status) => status === DONE), PATIENCE_MS);
    await receiver.waitFor(ids.length);
  });

  it('delays no job whose process was killed', async () => {
    const token = await scene.logIn();
    await lock.query('LOCK TABLES orders WRITE');
    const id = await backup('/killed', token);
    await until(async () => (await statuses([id]))[0] === RUNNING);
    await scene.process.kill('SIGKILL');
    await lock.query('UNLOCK TABLES');

    await scene.clock.set(-HOUR);
    await scene.start();

    await until(async () => (await statuses([id]))[0] === DONE, PATIENCE_MS);
    const [job] = await select(scene.database, 'SELECT fence, attempts FROM jobs WHERE id = ?', [id]);
    expect(job).to.include({ fence: 2, attempts: 2 });
  });

  it('delays no callback that failed before', async () => {
    receiver.answerWith({ status: 500 }, { status: 200 });
    const id = await backup('/again');
    await receiver.waitFor(1);
    await until(async () => (await select(scene.database, ATTEMPTS, [id])).length === 1);

    await scene.clock.set(-HOUR);

    await receiver.waitFor(2);
  });

  it('delays no callback whose process was killed', async () => {
    receiver.answerWith('silent', { status: 200 });
    await backup('/killed');
    await receiver.waitFor(1);
    await scene.process.kill('SIGKILL');

    await scene.clock.set(-HOUR);
    await scene.start();

    await receiver.waitFor(2);
  });

  it('delays no event, sent for the first time or again', async () => {
    receiver.answerWith({ status: 500 }, { status: 200 });
    await scene.ask('POST', '/webhooksubscription', { url: receiver.url(), resources: ['turnovergroup'] });
    await scene.ask('POST', '/turnovergroup', { code: 'A', name: 'Banden', vat_code: 1 });
    await receiver.waitFor(1);
    await until(async () => (await select(scene.database, FAILED_EVENTS)).length === 1);

    await scene.clock.set(-HOUR);
    await scene.ask('POST', '/turnovergroup', { code: 'B', name: 'Olie', vat_code: 1 });

    const requests = await receiver.waitFor(3);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).to.have.property('size', 2);
  });

  it('keeps no place of an upload whose process was killed', async () => {
    await beginUpload();
    await beginUpload();
    await until(async () => (await select(scene.database, 'SELECT id FROM upload_leases')).length === 2);
    await scene.process.kill('SIGKILL');

    await scene.clock.set(-HOUR);
    await scene.start();

    const accepted = await until(async () => {
      const answer = await upload();
      return answer.status !== 429 && answer;
    });
    expect(accepted.status).to.equal(202);
  });

  it('delays no start, and the start says for whom it waits', async () => {
    // A start that finds all migrations takes no lock. The last one runs again, which all migrations allow.
    await lock.query('DELETE FROM migrations ORDER BY name DESC LIMIT 1');
    await lock.query('START TRANSACTION');
    await lock.query('SELECT * FROM migrations_lock FOR UPDATE');
    const killed = spawnProcess(scene.environment);
    await until(async () => (await select(scene.database, HOLDERS)).length === 1);
    await killed.kill('SIGKILL');
    await lock.query('COMMIT');

    await scene.clock.set(-HOUR);
    const started = await startProcess(scene.environment);

    expect(started.output()).to.match(
      new RegExp(`the start waits for process ${killed.child.pid} on \\S+, since 20\\d\\d-`),
    );
    await started.kill('SIGTERM');
  });

  /** A login waits for locked tables, so a test that locks tables has its token before. */
  async function backup(path: string, token?: string): Promise<string> {
    const answer = await scene.ask('POST', '/backup/owner', { webhook_url: receiver.url(path) }, token);
    expect(answer.status).to.equal(202);
    return answer.data.job_id;
  }

  async function statuses(ids: readonly string[]): Promise<unknown[]> {
    const rows = await select(scene.database, 'SELECT id, status FROM jobs');
    return rows.filter(({ id }) => ids.includes(String(id))).map(({ status }) => status);
  }

  const HEAD = 'contact_kind,last_name,country_id\n1,Jansen,1\n';
  const upload = async () =>
    send('POST', `${scene.process.url}/v2/import?resource=contact`, {
      headers: { token: await scene.logIn(), 'content-type': 'text/csv' },
      body: HEAD,
    });

  /** An upload that never ends. */
  async function beginUpload(): Promise<void> {
    new RawConnection(Number(new URL(scene.process.url).port)).send(
      `POST /v2/import?resource=contact HTTP/1.1\r\nHost: localhost\r\ntoken: ${await scene.logIn()}\r\n` +
        `Content-Type: text/csv\r\nContent-Length: ${2 ** 28}\r\n\r\n${HEAD}`,
    );
  }
});

const ATTEMPTS = 'SELECT id FROM job_callbacks WHERE job_id = ?';
const FAILED_EVENTS = "SELECT id FROM webhookdeliveries WHERE status = 'pending' AND tries = 1";
const HOLDERS = 'SELECT holder FROM start_lock WHERE holder IS NOT NULL';
