// An import on a full disk: nobody can tell without its report which rows were written, so the report has a place.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStorage, type Storage } from '../../../src/platform/storage/open.ts';
import type { Task } from '../../../src/work/jobs/kind.ts';
import { removeProgress } from '../../../src/work/jobs/upload.ts';
import importFile from '../../../workers/import.ts';
import { type Client, type Json, newClient } from '../../support/client/client.ts';
import { expect } from '../../support/client/expect.ts';
import { linesOf, person } from '../../support/client/import.ts';
import { execute } from '../../support/database/sql.ts';
import { textOf } from '../../support/files/zip.ts';
import { fillDisk, mountSmallDisk } from '../../support/process/full-disk.ts';
import { heldJob, runElsewhere } from '../../support/service/job.ts';
import { database, testConfig, theService } from '../../support/service/service.ts';

const MEBIBYTE = 2 ** 20;
/** Files leave a twentieth free. */
const DISK_MB = 100;

describe('an import on a full disk', () => {
  let client: Client;
  let folder: string;
  let unmount: (() => void) | undefined;
  let storage: Storage;
  let job: string | undefined;
  beforeEach(async function () {
    folder = await mkdtemp(join(tmpdir(), 'forecourt-import-'));
    unmount = await mountSmallDisk(folder, DISK_MB);
    if (!unmount) return this.skip();
    client = await newClient();
    storage = await openStorage(testConfig(folder));
  });
  afterEach(async () => {
    unmount?.();
    await rm(folder, { recursive: true });
    if (job !== undefined) {
      await removeProgress(database(), job);
      await execute(database(), 'DELETE FROM jobs WHERE id = ?', [job]);
    }
    job = undefined;
  });

  const filler = () => join(folder, 'filler');
  const total = async (resource: string) => (await client.get(`/${resource}?count=1&page_size=1`)).body.total;
  const reported = async ({ archive }: Task<'import'>) =>
    (await textOf(join(storage.archives.address, archive), 'report.ndjson')).trim().split('\n').length;

  it('writes its report into what other files leave free', async () => {
    const task = await taskOf('contact', [person(), person()]);
    await fillDisk(filler(), 2 * MEBIBYTE);

    const result = await importFile(task);

    expect(result).to.include({ ok: true, error: undefined });
    expect([await total('contact'), await reported(task)]).to.deep.equal([2, 2]);
  });

  it('is tried again while its report has no space at all, and goes on behind its rows', async () => {
    const task = await taskOf('contact', [person(), person()]);
    await fillDisk(filler());

    const full = await importFile(task);
    await rm(filler());
    const again = await importFile(task);

    const message = 'No space left on the disk for the archive';
    expect(full).to.deep.equal({ ok: false, message, passing: true });
    expect(again).to.include({ ok: true, error: undefined });
    expect([await total('contact'), await reported(task)]).to.deep.equal([2, 2]);
  });

  it('stops at the file that has no space, and reports the rows before it', async () => {
    const task = await taskOf('document', ['a', 'b', 'c'].map(document));
    await fillDisk(filler(), 7 * MEBIBYTE);

    const result = await importFile(task);

    expect(result).to.include({ ok: true, error: 'No space left on the disk for the stored files' });
    expect([await total('document'), await reported(task)]).to.deep.equal([1, 1]);
  });

  /** Its row is a batch of its own. */
  const document = (letter: string): Json => ({
    document_kind: 9,
    name: letter,
    file_name: `${letter}.txt`,
    mime_type: 'text/plain',
    content: Buffer.alloc(3 * MEBIBYTE, `${letter}${client.garage.owner}`).toString('base64'),
  });

  /** An import of these rows. Its job is running, but not by the service: the task of an attempt of the test. */
  async function taskOf(resource: string, rows: readonly Json[]): Promise<Task<'import'>> {
    const { owner } = client.garage;
    const params = {
      resource,
      mode: 'insert',
      dry_run: false,
      history: false,
      format: 'ndjson',
      sha256: '',
      forbidden_children: [],
      actor: { owner },
    } as const;
    job = await heldJob(client, { kind: 'import', params });
    await runElsewhere(job);
    await storage.uploads.write(job, Buffer.from(linesOf(rows)));
    return {
      ...params,
      job,
      fence: 1,
      owner,
      archive: `import-${job}-1.zip`,
      isCancelled: false,
      connection: theService().base.connection,
      storage: storage.settings,
      tables: [],
      serviceVersion: '1.2.3',
    };
  }
});
