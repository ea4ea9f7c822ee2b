// A service that keeps its archives and documents in a bucket, from end to end.
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { LISTS } from '../../../src/core/trade/lists.ts';
import type { PrivateServer } from '../../../src/platform/database/private-server.ts';
import { send } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { copyDatabase, joinServer } from '../../support/database/private-server.ts';
import { forecourt, forecourtJson } from '../../support/process/forecourt.ts';
import { openReceiver, type Receiver } from '../../support/process/https-receiver.ts';
import { processEnvironment, type StartedProcess, startProcess } from '../../support/process/process.ts';
import { openTenant, type Tenant } from '../../support/process/process-garage.ts';
import { openS3, type S3Server } from '../../support/process/s3-server.ts';
import { setVariables } from '../../support/process/storages.ts';
import { until } from '../../support/service/until.ts';

const { documentkinds, documenttypes } = LISTS;
/** Random bytes, so that the archive has more than one part. */
const CONTENT = randomBytes(9_500_000);
const SHA256 = createHash('sha256').update(CONTENT).digest('hex');

describe('a service with a bucket', function () {
  this.timeout(120_000);
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let restoreVariables: () => void;
  let server: PrivateServer;
  let s3: S3Server;
  let receiver: Receiver;
  let service: StartedProcess;
  let tenant: Tenant;
  let documentId: number;
  let zip: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-bucket-'));
    s3 = await openS3();
    restoreVariables = setVariables(s3.aws);
    receiver = await openReceiver();
    env = processEnvironment(join(folder, 'storage'), { ...s3.env, JOB_THREADS: '1' });
    server = await joinServer(join(folder, 'storage/database'));
    service = await startProcess(env);
    tenant = await openTenant(env, { orders: 20 });
    documentId = (await addDocument(CONTENT)).data.id;
  });
  afterEach(() => {
    s3.onCall = () => undefined;
  });
  after(async () => {
    await service?.kill('SIGTERM');
    await receiver.close();
    await server.leave();
    restoreVariables();
    await s3.close();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = (method: string, path: string, body?: Record<string, unknown>) =>
    tenant.ask(service.url, method, path, body);
  const addDocument = (bytes: Buffer) =>
    ask('POST', '/document', {
      document_kind: documentkinds.OTHER,
      name: 'Photo',
      file_name: 'photo.jpg',
      mime_type: 'image/jpeg',
      content: bytes.toString('base64'),
    });
  const keys = async (below: string) =>
    (await s3.objects.list(`garage/one/${below}`)).map(({ key }) => key.replace(/^.*\//, ''));
  const text = async (name: string) =>
    (await buffer(s3.objects.read(`garage/one/${name}`, { start: 0, end: 99 }))).toString();
  const ended = (id: string) =>
    until(async () => {
      const { data } = await ask('GET', `/job/${id}`);
      return data.callbacks.length > 0 && data;
    }, 60_000);
  /** The address of the archive of the last job that was called back. */
  const archiveUrl = async () => {
    const last = new URL(receiver.requests.at(-1)?.url ?? '', 'https://localhost');
    return (await ask('GET', `/webhook?id=${last.searchParams.get('id')}`)).data;
  };

  it('keeps a document there, and serves it in ranges', async () => {
    const { data } = await ask('GET', `/document/info?id=${documentId}`);

    const part = await fetch(data.url, { headers: { range: 'bytes=9000000-' } });
    const whole = await fetch(data.url);

    expect(await keys('documents/')).to.include(SHA256);
    expect(part.status).to.equal(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(CONTENT.subarray(9_000_000))).to.equal(true);
    expect(Buffer.from(await whole.arrayBuffer()).equals(CONTENT)).to.equal(true);
  });

  it('uploads a backup without a local copy, and serves it in pieces', async () => {
    const id = await tenant.backup(service.url, receiver.url('/backup'));
    const job = await ended(id);
    const { url, size, sha256 } = await archiveUrl();

    const pieces: Buffer[] = [];
    for (let at = 0; at < size; at += 4_000_000) {
      const range = `bytes=${at}-${Math.min(at + 3_999_999, size - 1)}`;
      pieces.push(Buffer.from(await (await fetch(url, { headers: { range } })).arrayBuffer()));
    }

    const bytes = Buffer.concat(pieces);
    expect(job).to.include({ status: 'done', size });
    expect(createHash('sha256').update(bytes).digest('hex')).to.equal(sha256);
    expect(await keys('archives/')).to.deep.equal([`owner-backup-${id}-1.zip`]);
    expect(await s3.objects.uploads('')).to.deep.equal([]);
    expect((await readdir(join(folder, 'storage'))).sort()).to.deep.equal(['.writable', 'database', 'mail']);
    zip = join(folder, 'backup.zip');
    await writeFile(zip, bytes);
  });

  it('generates documents there', async () => {
    const [order] = (await ask('GET', '/order')).data;
    const before = await keys('documents/');

    const { data } = await ask('POST', '/document/generate', {
      document_type: documenttypes.WORK_ORDER,
      order_ids: [order.id],
      webhook_url: receiver.url('/documents'),
    });
    const job = await ended(data.job_id);

    expect(job.status).to.equal('done');
    expect(await keys('documents/')).to.have.length(before.length + 1);
    expect((await fetch((await archiveUrl()).url)).status).to.equal(200);
  });

  it('takes its documents back from a backup', async () => {
    await s3.objects.remove(`garage/one/documents/${SHA256}`);

    const { owner_id } = await forecourtJson(env, 'restore', zip);

    expect(owner_id).to.be.greaterThan(tenant.owner);
    const { data } = await ask('GET', `/document/info?id=${documentId}`);
    expect(Buffer.from(await (await fetch(data.url)).arrayBuffer()).equals(CONTENT)).to.equal(true);
  });

  it('starts although the keys of the bucket may not tidy up, and says why', async () => {
    s3.onCall = ({ query }) => (query.has('uploads') ? 403 : undefined);

    const other = await startProcess({ ...env, JOB_THREADS: '0' });
    const ready = await fetch(`${other.url}/health/ready`);
    await other.kill('SIGTERM');

    const line = other
      .output()
      .split('\n')
      .find((one) => one.includes('"msg":"tidying failed"'));
    expect(ready.status).to.equal(200);
    expect(line).to.include('The connection to the object store was lost: Refused');
  });

  it('is well to the doctor, who says what the keys of the bucket may not do', async () => {
    const well = await forecourtJson(env, 'doctor', '--offline');
    s3.onCall = ({ method }) => (method === 'DELETE' ? 403 : undefined);
    const wrong = await forecourt(env, ['doctor', '--offline', '--json']);
    s3.onCall = () => undefined;
    const probes = (await s3.objects.list('')).filter(({ key }) => key.includes('probe-'));
    for (const { key } of probes) await s3.objects.remove(key);

    const bucket = ({ findings }: { findings: { check: string }[] }) =>
      findings.find(({ check }) => check === 'object store');
    expect(well.ok).to.equal(true);
    expect(bucket(well as never)).to.include({
      ok: true,
      detail: `writes, reads, lists and deletes in ${env.STORAGE_URL}`,
    });
    expect(wrong.code).to.equal(1);
    expect(bucket(JSON.parse(wrong.out)))
      .to.have.property('detail')
      .match(/archives\/ can't be deleted from: Refused$/);
  });

  it('is named by the doctor where it is away, and the database is checked', async () => {
    await s3.stop();
    const { out } = await forecourt(env, ['doctor', '--offline', '--json']);
    await s3.start();

    const { findings } = JSON.parse(out) as { findings: { check: string; ok: boolean; detail: string }[] };
    const wrong = findings.filter(({ ok }) => !ok).map(({ check, detail }) => [check, detail]);
    expect(wrong[0]?.[1]).to.match(/^STORAGE_URL s3:\S+ can't be used: connect ECONNREFUSED/);
    expect(wrong.slice(1)).to.deep.equal([
      ['signing secret', 'needs the storage'],
      ['installation', 'needs the storage'],
    ]);
    expect(wrong.map(([check]) => check)).to.include('object store');
  });

  it('keeps its secret and its ID there, for every process of the bucket', async () => {
    const before = await text('signing-secret');
    const other = processEnvironment(join(folder, 'other'), s3.env);
    await copyDatabase(join(folder, 'other/database'));

    await forecourtJson(other, 'key', 'list');

    expect(before).to.match(/^[0-9a-f]{64}$/);
    expect(await text('signing-secret')).to.equal(before);
    expect(await text('installation-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('answers 503 while the bucket is away, and says so in /health/ready', async () => {
    const { data } = await ask('GET', `/document/info?id=${documentId}`);
    await s3.stop();

    const answers = [
      await ask('GET', `/document/info?id=${documentId}`),
      await addDocument(Buffer.from('new')),
      await send('GET', data.url),
    ];
    const ready = await until(async () => {
      const answer = await send('GET', `${service.url}/health/ready`);
      return answer.status === 503 && answer;
    });
    await s3.start();
    await until(async () => (await send('GET', `${service.url}/health/ready`)).status === 200);

    for (const answer of answers) expect(answer).to.be.refused(503, 'Service temporarily unavailable');
    expect(ready.body).to.deep.equal({ status: 'unavailable', database: true, storage: false });
    expect((await fetch(data.url)).status).to.equal(200);
  });

  it('makes a backup again whose bucket went away in the middle, and leaves nothing of the first', async () => {
    let isCut = false;
    s3.onCall = async ({ query }) => {
      if (isCut || query.get('partNumber') !== '1') return undefined;
      isCut = true;
      void s3.stop();
      return 'hang';
    };

    const id = await tenant.backup(service.url, receiver.url('/cut'));
    await until(async () => service.output().includes(`"job":"${id}","ok":false`), 30_000);
    // The second attempt can't even tidy up.
    await until(async () => service.output().includes('the object store is away'), 30_000);
    const open = await s3.objects.uploads('');
    await s3.start();
    const job = await ended(id);

    expect(open).to.have.length(1);
    expect(job.status).to.equal('done');
    const archives = (await keys('archives/')).filter((name) => name.includes(id));
    expect(archives).to.have.length(1);
    expect(archives[0]).not.to.match(/-1\.zip$/);
    expect(await s3.objects.uploads('')).to.deep.equal([]);
    expect((await fetch((await archiveUrl()).url)).status).to.equal(200);
  });

  it('ends the upload of a killed process', async () => {
    let isKilled = false;
    s3.onCall = ({ query }) => {
      if (isKilled || query.get('partNumber') !== '1') return undefined;
      isKilled = true;
      void service.kill('SIGKILL');
      return 'hang';
    };
    const id = await tenant.backup(service.url, receiver.url('/killed'));
    await until(async () => service.child.signalCode === 'SIGKILL');
    const open = await s3.objects.uploads('');

    service = await startProcess(env);
    const job = await ended(id);

    expect(open).to.have.length(1);
    expect(job.status).to.equal('done');
    expect(await s3.objects.uploads('')).to.deep.equal([]);
  });
});
