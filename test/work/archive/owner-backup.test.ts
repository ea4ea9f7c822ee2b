// Backs up a garage with records of every kind, and reads the zip with other tools.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import type { Connection } from 'mysql2';
import { seed } from '../../../src/business/seed/seed.ts';
import { resourceNamed } from '../../../src/core/model/records/registry.ts';
import { serializer } from '../../../src/core/model/records/serialize.ts';
import { ownedTables } from '../../../src/core/model/records/table.ts';
import { connectSnapshot } from '../../../src/platform/database/snapshot.ts';
import { expectedFailure } from '../../../src/platform/job-failure.ts';
import { intoFile } from '../../../src/platform/storage/whole-file.ts';
import type { Manifest } from '../../../src/work/archive/manifest.ts';
import { backUp, backUpOwner } from '../../../src/work/archive/owner-backup.ts';
import { openSnapshot, type Snapshot } from '../../../src/work/archive/snapshot.ts';
import { verifyArchive } from '../../../src/work/archive/verify.ts';
import type { Task } from '../../../src/work/jobs/kind.ts';
import ownerBackup from '../../../workers/owner-backup.ts';
import { expect } from '../../support/client/expect.ts';
import { execute, select } from '../../support/database/sql.ts';
import { intoFullDisk } from '../../support/process/full-disk.ts';
import { database, inStorage, makeGarage, theService } from '../../support/service/service.ts';
import { until } from '../../support/service/until.ts';

const run = promisify(execFile);

describe('owner backup', function () {
  this.timeout(60_000);
  let folder: string;
  let owner: number;
  let file: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-backup-'));
    file = inFolder('backup.zip');
    await mkdir(join(folder, 'archives'));
    await symlink(inStorage('documents'), join(folder, 'documents'));
    for (const name of ['ours', 'theirs']) {
      const garage = await makeGarage();
      await seed(database(), { owner: garage.owner, orders: 60, random: name });
      owner ??= garage.owner;
    }
    expect(await ownerBackup(task({ archive: 'backup.zip' }))).to.include({ ok: true });
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('contains every record of the owner, as the service shows it, sorted by ID', async () => {
    for (const { resource, name, ownedBy } of ownedTables()) {
      const text = await unzipped(`data/${resource}.ndjson`);

      const sql = `SELECT * FROM ${name} WHERE ${ownedBy} = ? ORDER BY id`;
      const lines = (await select(database(), sql, [owner])).map(serializer(resourceNamed(resource)));

      expect(text, resource).to.equal(lines.map((line) => `${line}\n`).join(''));
      expect(text).not.to.match(/password|argon2/);
    }
  });

  it('contains each stored file once, named by its SHA-256', async () => {
    const rows = await select(database(), 'SELECT DISTINCT sha256 FROM documents WHERE owner_id = ?', [
      owner,
    ]);
    const { files } = await manifest();

    const documents = files.filter(({ path }) => path.startsWith('documents/'));

    expect(documents.map(({ path }) => path)).to.have.members(rows.map((row) => `documents/${row.sha256}`));
    for (const { path, sha256 } of documents) expect(path).to.equal(`documents/${sha256}`);
  });

  it('lists every other file in its manifest, with size, SHA-256 and number of records', async () => {
    const { stdout } = await run('unzip', ['-Z1', file]);
    const { files, ...head } = await manifest();

    expect(head).to.deep.include({ format: 'forecourt-backup', version: 1, service_version: '1.2.3' });
    expect(head.owner).to.deep.equal({ id: owner, name: 'Garage Test' });
    expect(head.snapshot_at).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(stdout.trim().split('\n')).to.deep.equal([...files.map(({ path }) => path), 'manifest.json']);
    for (const { path, bytes, sha256 } of files) {
      const content = await unpacked(path);
      expect([path, content.length, digest(content)]).to.deep.equal([path, bytes, sha256]);
    }
  });

  it('can be read by unzip, by Python and by forecourt verify', async () => {
    const script = 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())';

    const [, python, summary] = await Promise.all([
      run('unzip', ['-tq', file]),
      run('python3', ['-c', script, file]),
      verifyArchive(file),
    ]);

    expect(python.stdout).to.equal('None\n');
    for (const { resource, name, ownedBy } of ownedTables()) {
      const sql = `SELECT COUNT(*) AS n FROM ${name} WHERE ${ownedBy} = ?`;
      const [row] = await select(database(), sql, [owner]);
      expect(summary.rows[resource], resource).to.equal(Number(row?.n));
    }
  });

  it('returns the size and SHA-256 of the file, and reports progress', async () => {
    const { port1, port2 } = new MessageChannel();
    const told: number[] = [];
    port1.on('message', ({ progress }) => told.push(progress));

    const result = await ownerBackup(task({ port: port2 }));
    await until(async () => told.includes(100));

    port1.close();
    const written = await readFile(inFolder(task().archive));
    expect(result).to.include({ ok: true, size: written.length, sha256: digest(written) });
    expect(told).to.deep.equal([...told].sort((a, b) => a - b));
  });

  it('shows the garage as it was at the start, although others write meanwhile', async () => {
    const connection = await connectSnapshot(theService().base.connection);
    const snapshot = await openSnapshot(connection, owner);
    const before = await count('contactcommunication');
    const copied = 'contact_id, owner_id, communication_type, value, created_at, modified_at';
    await execute(
      database(),
      `INSERT INTO contactcommunications (${copied}) SELECT ${copied} FROM contactcommunications WHERE owner_id = ?`,
      [owner],
    );

    const { rows } = await backUpOwner(snapshot, intoFile(join(folder, 'then.zip')), options());

    connection.destroy();
    expect(rows.contactcommunication).to.equal(before);
    expect(await count('contactcommunication')).to.equal(2 * before);
  });

  it('fails if a stored file is missing or damaged, and names the file', async () => {
    const [row] = await select(database(), 'SELECT sha256 FROM documents WHERE owner_id = ? LIMIT 1', [
      owner,
    ]);
    const stored = inStorage('documents', String(row?.sha256));
    await rm(inFolder(task().archive), { force: true });
    await rename(stored, `${stored}.aside`);
    const missing = await ownerBackup(task());
    await writeFile(stored, 'something else');
    const damaged = await ownerBackup(task());
    await rename(`${stored}.aside`, stored);

    const says = (what: string) => `The stored file of a document is ${what}: [${row?.sha256}]`;
    expect(missing).to.deep.equal({ ok: false, message: says('missing') });
    expect(damaged).to.deep.equal({ ok: false, message: says('damaged') });
    expect(await made()).not.to.include(task().archive);
  });

  it('fails if the owner does not exist or the disk is full, and leaves no file', async () => {
    const { connection } = theService().base;
    const before = await made();

    const unknown = await ownerBackup(task({ owner: 999_999 }));
    const noSpace = await backUp(connection, owner, intoFullDisk, options()).catch(expectedFailure);

    expect(unknown).to.deep.equal({ ok: false, message: 'Owner: [999999] not found' });
    expect(noSpace).to.include({ message: 'No space left on the disk for the archive' });
    expect(await made()).to.deep.equal(before);
  });

  for (const [when, isGone] of [
    ['while rows are asked for', async () => {}],
    ['before rows are asked for', async (connection: Connection) => void (await once(connection, 'error'))],
  ] as const)
    it(`fails if the connection is lost ${when}, and leaves no file`, async () => {
      const connection = await connectSnapshot(theService().base.connection);
      const snapshot = await openSnapshot(connection, owner);
      const path = inFolder('lost.zip');
      async function* lost(...given: Parameters<Snapshot['rows']>) {
        const gone = isGone(connection);
        await execute(database(), `KILL ${connection.threadId}`, []);
        await gone;
        yield* snapshot.rows(...given);
      }
      const rows = (...given: Parameters<Snapshot['rows']>) => Readable.from(lost(...given));

      const error = await backUpOwner({ ...snapshot, rows }, intoFile(path), options()).catch(
        (reason) => reason,
      );

      expect(expectedFailure(error)?.message).to.equal('The connection to the database was lost');
      expect((await made()).filter((name) => name.startsWith('lost'))).to.deep.equal([]);
    });

  const options = () => ({
    tables: ownedTables(),
    documents: theService().base.storage.documents,
    serviceVersion: '1.2.3',
  });

  const inFolder = (name: string) => join(folder, 'archives', name);
  /** The archives, whole or partial. */
  const made = () => readdir(join(folder, 'archives'));

  const task = (changes: Partial<Task<'owner-backup'>> = {}): Task<'owner-backup'> => ({
    job: 'other',
    fence: 1,
    isCancelled: false,
    tables: ownedTables(),
    serviceVersion: '1.2.3',
    owner,
    archive: 'other.zip',
    storage: { ...theService().base.storage.settings, storageDir: folder },
    connection: theService().base.connection,
    ...changes,
  });

  async function count(name: string): Promise<number> {
    const sql = `SELECT COUNT(*) AS n FROM ${resourceNamed(name).table} WHERE owner_id = ?`;
    return Number((await select(database(), sql, [owner]))[0]?.n);
  }

  const unpacked = async (path: string) =>
    (await run('unzip', ['-p', file, path], { maxBuffer: 2 ** 28, encoding: 'buffer' })).stdout;
  const unzipped = async (path: string) => (await unpacked(path)).toString();
  const manifest = async () => JSON.parse(await unzipped('manifest.json')) as Manifest;
});

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
